"""One report of how a model runs: as objects, as JSON, as a page."""

import datetime
import json
import pickle

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}


@pytest.fixture
def dense(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


@pytest.fixture
def partly(faulty):
    """What the first provider does not take runs on the CPU."""
    return {"prefer": [faulty], "optimization": "disabled", "provider_options": {faulty: {"ops": "MatMul,Add"}}}


def test_a_report_says_how_a_model_was_opened(dense, partly, faulty):
    found = surefoot.make_report(dense, X, time=0.05, **partly)
    assert found.path == dense and found.model.node_count == 3 and found.inputs == {"x": "float32[1,3]"} and not found.made_up_inputs
    assert found.provider == faulty and found.providers == [faulty, "cpu"]
    assert next(each for each in found.candidates if each.name == faulty).viable
    assert {each.name: each.present for each in found.execution_providers}["cpu"] and found.library.is_file() and found.onnxruntime
    assert abs((datetime.datetime.now(datetime.timezone.utc) - found.made).total_seconds()) < 600


def test_a_report_says_how_a_model_runs(dense, partly, faulty):
    found = surefoot.make_report(dense, X, runs=3, time=0.05, **partly)
    assert str(found.placement) == f"{faulty} 2/3 nodes, cpu 1: Relu" and found.profile.runs == 3
    nodes = {each.op: each for each in found.nodes if each.in_model}
    assert nodes["Relu"].provider == "cpu" and nodes["Relu"].calls == 3 and nodes["Relu"].inputs == ["total"]
    assert [each.provider for each in found.latency] == [faulty, "cpu"]
    assert all(len(each.times) == each.latency.runs and min(each.times) == each.latency.least for each in found.latency)
    assert found.comparison.within and list(found.comparison.outputs) == ["y"]
    assert found.machine.machine["cpus"] >= 1 and all(each.severity for each in found.machine.findings)


def test_a_report_is_text_too(dense):
    found = surefoot.make_report(dense, only=["cpu"], time=0, optimization="disabled")
    assert found.made_up_inputs and found.comparison is None and [each.latency.runs for each in found.latency] == [0]
    document = json.loads(found.json)
    assert document["schema"] == "surefoot.report/1" and found.html.rstrip().endswith("</html>")
    assert str(found).startswith(f"{dense} on cpu") and "cpu: not timed" in str(found) and "<td>Relu</td>" in found._repr_html_()
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_page_is_written_whole_and_replaces_nothing_unasked(dense, tmp_path):
    page, steps = tmp_path / "page.html", []
    found = surefoot.write_report(dense, page, X, time=0.05, on_step=steps.append, only=["cpu"])
    assert page.read_text() == found.html and steps[0] == "profiling" and steps[-1] == "examining the machine"
    page.write_text("kept")
    with pytest.raises(surefoot.InvalidArgument, match="page.html"):
        surefoot.write_report(dense, page, X, only=["cpu"], on_step=lambda step: pytest.fail("nothing is measured"))
    assert page.read_text() == "kept"
    surefoot.write_report(dense, page, X, only=["cpu"], time=0, replace=True)
    assert page.read_text().startswith("<!doctype html>")


def test_what_makes_no_sense_is_an_error(dense, tmp_path):
    with pytest.raises(surefoot.InvalidInput):
        surefoot.make_report(dense, {"z": X["x"]}, time=0)
    with pytest.raises(surefoot.NotFound):
        surefoot.make_report(tmp_path / "none.onnx")
    for wrong in ({"time": -1}, {"time": float("nan")}, {"runs": 0}, {"runs": -2}):
        with pytest.raises(surefoot.InvalidArgument, match="hint: give"):
            surefoot.make_report(dense, X, **wrong)
    with pytest.raises(TypeError, match="3 cannot be"):
        surefoot.make_report(dense, X, on_step=3)
    with pytest.raises(surefoot.IoFailed, match="none"):
        surefoot.write_report(dense, tmp_path / "none" / "page.html", X, only=["cpu"], time=0)
    with pytest.raises(TypeError, match="no option `runns`"):
        surefoot.make_report(dense, runns=1)

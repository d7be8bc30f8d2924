"""How far results are apart, where it begins, and which rule of the optimizer does it."""

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}


@pytest.fixture
def dense(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


def wrong_in(op, faulty):
    return {"prefer": [faulty], "optimization": "disabled", "provider_options": {faulty: {"fault": "run=wrong", "ops": op}}}


def test_a_session_agrees_with_itself(dense):
    one = surefoot.Session(dense)
    found = surefoot.compare(one, one, X)
    assert found.within and list(found.outputs) == ["y"] and found.outputs["y"].max_absolute == 0
    assert "agrees" in found._repr_html_() and found.outputs["y"].type == "float32"


def test_wrong_numbers_are_seen(dense, faulty):
    one, other = surefoot.Session(dense, **wrong_in("Relu", faulty)), surefoot.Session(dense, only=["cpu"])
    found = surefoot.compare(one, other, X)
    assert not found.within and found.outputs["y"].max_absolute == 1 and found.outputs["y"].beyond == 1
    assert "beyond the tolerance" in str(found) and "differs" in found._repr_html_()
    assert surefoot.compare(one, other, X, tolerance=surefoot.Tolerance(absolute=1)).within


def test_what_is_not_given_is_made_up(dense):
    one = surefoot.Session(dense)
    assert surefoot.compare(one, surefoot.Session(dense, optimization="disabled")).within
    made = surefoot.sample_inputs(one, seed=3, dimensions={"N": 5})
    assert made["x"].shape == (5, 3) and np.array_equal(made["x"], surefoot.sample_inputs(dense, seed=3, dimensions={"N": 5})["x"])
    assert not np.array_equal(made["x"], surefoot.sample_inputs(one, seed=4, dimensions={"N": 5})["x"])


@pytest.mark.parametrize("op", ["MatMul", "Add", "Relu"])
def test_the_node_that_is_wrong_is_found(dense, faulty, op):
    found = surefoot.locate(dense, wrong_in(op, faulty), {"only": ["cpu"]}, X)
    assert found.departure.op == op and found.departure.difference.worst == 0 and not found.departure.difference.within
    assert found.departure.inputs[0].least is not None and f"({op})" in str(found)


def test_the_rule_that_breaks_a_model_is_found(tmp_path):
    path = tmp_path / "broken.onnx"
    path.write_bytes(models.broken_by_optimisation())
    found = surefoot.bisect(path, {"x": np.ones(4, np.float32)})
    assert found.symptom == "does not open" and (found.fails_at, found.works_at) == ("basic", "disabled")
    assert len(found.rules) == 1 and found.rules[0] in str(found)
    assert surefoot.Session(path, config=dict([found.entry]), optimization="all").provider == "cpu"


def test_a_model_that_is_wrong_in_itself_is_not_the_optimizers_fault(dense):
    with pytest.raises(surefoot.InvalidInput):
        surefoot.bisect(dense, {"z": X["x"]})


def test_a_provider_that_computes_wrong_numbers_is_given_up_where_it_is_verified(dense, faulty):
    options = {faulty: {"fault": "run=wrong"}}
    right = surefoot.Session(dense, only=["cpu"]).infer(X)["y"]
    assert not np.array_equal(surefoot.Session(dense, prefer=[faulty], provider_options=options).infer(X)["y"], right)
    session = surefoot.Session(dense, prefer=[faulty], provider_options=options, verify=True)
    assert np.array_equal(session.infer(X)["y"], right) and session.provider == "cpu"
    assert [each.stage for each in session.events] == ["verify"] and "verify" in session.events._repr_html_()

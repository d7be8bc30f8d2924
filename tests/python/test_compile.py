"""Models that are compiled ahead of time."""

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}


@pytest.fixture
def dense(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


@pytest.mark.parametrize("name, form", [("out.onnx", "onnx"), ("out.ort", "ort")])
def test_a_compiled_model_opens_and_gives_the_same(dense, name, form):
    made = surefoot.compile(dense, dense.parent / name, "cpu", inputs=X)
    assert made.form == form and made.provider == "cpu" and made.files[0] == dense.parent / name
    assert made.compiled_bytes == made.files[0].stat().st_size and made.load_before > 0 and made.load_after > 0
    assert not made.validation.made_up_inputs and made.validation.outputs == 1
    assert np.array_equal(surefoot.Session(made.files[0]).infer(X)["y"], surefoot.Session(dense).infer(X)["y"])
    assert form in str(made) and f"<td>{form}</td>" in made._repr_html_() and "validation=" in repr(made)


def test_each_step_is_told_and_a_file_that_is_there_is_kept(dense):
    steps = []
    surefoot.compile(dense, dense.parent / "out.onnx", "cpu", form="onnx", on_step=steps.append)
    assert steps[0] == "opening the source" and len(steps) == 6
    with pytest.raises(surefoot.InvalidArgument, match="out.onnx"):
        surefoot.compile(dense, dense.parent / "out.onnx", "cpu")
    with pytest.raises(surefoot.InvalidArgument, match="`onx` is no form"):
        surefoot.compile(dense, dense.parent / "other.onnx", "cpu", form="onx")
    with pytest.raises(surefoot.InvalidArgument, match="cupid"):
        surefoot.compile(dense, dense.parent / "other.onnx", "cupid")
    assert not (dense.parent / "other.onnx").exists()


def test_a_providers_compiled_parts_are_kept(dense, faulty):
    made = surefoot.compile(dense, dense.parent / "out.onnx", faulty, embed=True)
    assert made.form == "ep-context" and made.compiled_parts >= 1 and made.provider == faulty
    session = surefoot.Session(made.files[0], only=[faulty])
    assert np.array_equal(session.infer(X)["y"], surefoot.Session(dense, only=["cpu"]).infer(X)["y"])


def test_a_provider_that_compiles_nothing_is_an_error_and_leaves_no_file(dense, faulty):
    with pytest.raises(surefoot.ProviderFailed):
        surefoot.compile(dense, dense.parent / "out.onnx", faulty, provider_options={faulty: {"fault": "compile=fail"}})
    assert sorted(each.name for each in dense.parent.iterdir()) == ["dense.onnx"]


def test_what_differs_is_not_published(dense, faulty, monkeypatch):
    """The provider computes wrong numbers from the step on in which what was compiled is opened."""

    def turn_wrong(step):
        if step == "opening what was compiled":
            monkeypatch.setenv("FAULTEP", "run=wrong")

    with pytest.raises(surefoot.RunFailed, match="y"):
        surefoot.compile(dense, dense.parent / "out.onnx", faulty, inputs=X, on_step=turn_wrong)
    assert not (dense.parent / "out.onnx").exists()

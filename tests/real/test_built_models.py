"""Each model of tests/models/make_models.py ends as its manifest says, with no bit unlike onnxruntime's."""

import json
import os
import pathlib

import numpy as np
import pytest

from surefoot_command import ROOT, reference_session, run_like_reference, surefoot

FOLDER = pathlib.Path(os.environ.get("SUREFOOT_TEST_MODELS", ROOT / "build/test-models"))
MANIFEST = json.loads((FOLDER / "manifest.json").read_text())["models"]
NUMBERS = {f"tensor({name})": dtype for name, dtype in {
    "float": np.float32, "double": np.float64, "float16": np.float16, "bool": np.bool_, "int8": np.int8,
    "int16": np.int16, "int32": np.int32, "int64": np.int64, "uint8": np.uint8, "uint16": np.uint16,
    "uint32": np.uint32, "uint64": np.uint64}.items()}


def rows(*expected):
    return [pytest.param(FOLDER / row["file"], id=row["name"]) for row in MANIFEST if row["expect"] in expected]


def ones(session):
    """An array of ones for each input, free axes of two; nothing when an input or output is no array of numbers."""
    if any(value.type not in NUMBERS for value in [*session.get_inputs(), *session.get_outputs()]):
        return None
    sizes = lambda shape: [size if isinstance(size, int) else 2 for size in shape or []]
    return {i.name: np.ones(sizes(i.shape), NUMBERS[i.type]) for i in session.get_inputs()}


def numeric_models():
    for parameter in rows("runs"):
        if parameter.id.startswith("sparse"):  # gigabytes; read by other tests
            continue
        arrays = ones(reference_session(parameter.values[0]))
        if arrays is not None:
            yield pytest.param(parameter.values[0], arrays, id=parameter.id)


@pytest.mark.parametrize("model, arrays", list(numeric_models()))
def test_numbers_come_out_as_from_onnxruntime(model, arrays, tmp_path):
    run_like_reference(model, arrays, tmp_path)


@pytest.mark.parametrize("model", rows("not_a_model"))
def test_a_file_that_is_no_model_is_refused_by_name(model):
    done = surefoot("inspect", model)
    assert done.returncode == 2, done.stderr
    assert "error:" in done.stderr and model.name in done.stderr


@pytest.mark.parametrize("model", [row for row in rows("fails_open") if row.id != "optimizer_bug"])
def test_a_model_that_cannot_be_opened_is_refused_with_a_hint(model):
    done = surefoot("run", model)
    assert done.returncode == 2, done.stderr
    assert "error:" in done.stderr and model.name in done.stderr
    assert "hint:" in done.stderr

"""What `surefoot edit` writes: byte for byte where nothing was edited, and as the onnx package would have edited it."""

import json
import pathlib

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import packages
import surefoot_command
from edited import DIGITS, edit, largest_float_weight, ones, weights_of

ONNX_DATA = pathlib.Path(onnx.__file__).parent / "backend/test/data"
PACKAGES = ["rapidocr", "silero-vad", "magika", "onnx-asr"]
REAL = [path for package in PACKAGES for path in packages.models(package)]


def assert_same_weights(ours, theirs):
    assert ours.keys() == theirs.keys()
    for name, array in theirs.items():
        assert (ours[name].dtype, ours[name].shape) == (array.dtype, array.shape), name
        assert ours[name].tobytes() == array.tobytes(), name


def passes_checker(model):
    try:
        onnx.checker.check_model(str(model))
    except onnx.checker.ValidationError:
        return False
    return True


def real_models(condition=lambda model: True):
    return [pytest.param(model, id=f"{model.parent.name}/{model.name}") for model in REAL if condition(model)]


@pytest.mark.parametrize("folder", sorted(path.name for path in ONNX_DATA.iterdir()))
def test_onnx_own_models_come_out_byte_for_byte(folder, tmp_path):
    models = sorted((ONNX_DATA / folder).rglob("*.onnx"))
    wrong = [model for model in models
             if edit(model, tmp_path / "out.onnx").read_bytes() != model.read_bytes()]
    assert models or folder == "real"
    assert wrong == []


@pytest.mark.parametrize("model", real_models())
def test_real_models_come_out_byte_for_byte(model, tmp_path):
    assert edit(model, tmp_path / "out.onnx").read_bytes() == model.read_bytes()


@pytest.mark.parametrize("model", real_models())
def test_weights_go_outside_and_back_with_every_bit(model, tmp_path):
    expected = weights_of(model)
    outside = edit(model, tmp_path / "outside.onnx", "--to-external", "1kB")
    large = [name for name, array in expected.items() if array.dtype != object and array.nbytes >= 1000]
    assert (tmp_path / "outside.onnx.data").exists() == bool(large)
    assert_same_weights(weights_of(outside), expected)
    inside = edit(outside, tmp_path / "inside.onnx", "--to-internal")
    assert_same_weights(weights_of(inside), expected)
    if passes_checker(model):
        onnx.checker.check_model(str(outside))
        onnx.checker.check_model(str(inside))


@pytest.mark.parametrize("model", [pytest.param(DIGITS, id="digits"), *real_models(
    lambda model: model.name in ("PP-OCRv6_rec_small.onnx", "nemo80_conv.onnx", "resample_22_16.onnx"))])
def test_a_set_weight_gives_what_the_onnx_package_gives(model, tmp_path):
    name, array = largest_float_weight(model)
    changed = (array * np.float32(0.5) + np.float32(0.01)).astype(np.float32)
    np.save(tmp_path / "value.npy", changed)
    ours = edit(model, tmp_path / "ours.onnx", "--set", f"{name}={tmp_path / 'value.npy'}")
    reference = onnx.load(model)
    (tensor,) = [tensor for tensor in reference.graph.initializer if tensor.name == name]
    tensor.CopyFrom(numpy_helper.from_array(changed, name))
    onnx.save(reference, tmp_path / "theirs.onnx")
    onnx.checker.check_model(str(ours))
    inputs = ones(ours)
    got = surefoot_command.reference(ours, inputs)
    wanted = surefoot_command.reference(tmp_path / "theirs.onnx", inputs)
    before = surefoot_command.reference(model, inputs)
    for output in wanted:
        np.testing.assert_array_equal(got[output], wanted[output])
    assert any(not np.array_equal(got[output], before[output], equal_nan=True) for output in wanted)


def test_names_dimensions_and_outputs_as_edited(tmp_path):
    info = onnx.load(DIGITS)
    feature = info.graph.node[0].output[0]
    out = edit(DIGITS, tmp_path / "out.onnx", "--fix-dim", "batch=3", "--rename", "image=pixels", "--add-output", feature)
    graph = onnx.load(out).graph
    (pixels,) = graph.input
    assert pixels.name == "pixels"
    assert pixels.type.tensor_type.shape.dim[0].dim_value == 3
    assert graph.output[-1].name == feature
    session = surefoot_command.reference_session(out)
    results = session.run(None, {"pixels": np.ones([3, 1, 8, 8], np.float32)})
    assert len(results) == 2 and all(result.shape[0] == 3 for result in results)


def test_all_flags_go_together(tmp_path):
    name, array = largest_float_weight(DIGITS)
    np.save(tmp_path / "value.npy", array * np.float32(0.5))
    inner = onnx.load(DIGITS).graph.node[0].output[0]
    out = edit(DIGITS, tmp_path / "out.onnx", "--set", f"{name}={tmp_path / 'value.npy'}", "--rename", "image=pixels",
               "--fix-dim", "batch=1", "--add-output", inner, "--to-external", "1kB", "--to-fp16-weights")
    onnx.checker.check_model(str(out), full_check=True)
    halved = weights_of(out)[name]
    assert halved.dtype == np.float16
    np.testing.assert_allclose(halved, array * np.float32(0.5), rtol=1e-3, atol=1e-6)
    assert (tmp_path / "out.onnx.data").stat().st_size >= halved.nbytes
    session = surefoot_command.reference_session(out)
    assert [(each.name, each.shape[0]) for each in session.get_inputs()] == [("pixels", 1)]
    assert len(session.run(None, {"pixels": np.ones([1, 1, 8, 8], np.float32)})) == 2


@pytest.mark.parametrize("model", real_models())
def test_listed_weights_are_those_that_the_onnx_package_reads(model):
    done = surefoot_command.surefoot("weights", model, "--json")
    assert done.returncode == 0, done.stderr
    listed = {row["name"]: row for row in json.loads(done.stdout)["weights"]}
    for name, array in weights_of(model).items():
        assert listed[name]["shape"] == list(array.shape)
        if array.dtype != object:
            assert listed[name]["bytes"] == array.nbytes


def test_statistics_are_numpys():
    done = surefoot_command.surefoot("weights", DIGITS, "--stats", "--json")
    listed = {row["name"]: row["statistics"] for row in json.loads(done.stdout)["weights"]}
    for name, array in weights_of(DIGITS).items():
        assert listed[name]["min"] == array.min() and listed[name]["max"] == array.max()
        assert listed[name]["mean"] == pytest.approx(array.astype(np.float64).mean(), abs=1e-12)
        assert listed[name]["nan"] == 0


@pytest.mark.parametrize("model", real_models())
def test_listed_nodes_are_those_that_the_onnx_package_reads(model):
    done = surefoot_command.surefoot("nodes", model, "--check", "--json")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    listed = [row for row in json.loads(done.stdout)["nodes"] if ">" not in row["name"]]
    nodes = onnx.load(model).graph.node
    assert [(row["op"], row["inputs"], row["outputs"]) for row in listed] == [
        (node.op_type, list(node.input), list(node.output)) for node in nodes]
    assert [[attribute["name"] for attribute in row["attributes"]] for row in listed] == [
        [attribute.name for attribute in node.attribute] for node in nodes]

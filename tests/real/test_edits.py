"""Each kind of edit, beside the same edit made with the onnx package: onnx's checker passes, and ONNX Runtime answers alike."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

import packages
import surefoot_command
from edited import DIGITS, apply_edit, edit, largest_float_weight, ones

MODELS = {
    "digits": lambda: DIGITS,
    "rec": lambda: packages.folder("rapidocr") / "models/PP-OCRv6_rec_small.onnx",
    "features": lambda: packages.folder("onnx-asr") / "preprocessors/data/nemo80_conv.onnx",
}
HALF = 1024  # bytes of the smallest weight that becomes float16


def node_of(model, *operators):
    return next((node for node in model.graph.node if node.op_type in operators), None)


def replace_inputs(model, old, new, but=None):
    for node in model.graph.node:
        if node is not but and node.name != (but.name if but else None):
            node.input[:] = [new if name == old else name for name in node.input]


# Each takes the model as the onnx package has it, edits it, and gives the words that make ours do the same.


def set_weight(model, path, tmp_path):
    name, array = largest_float_weight(path)
    value = (array * np.float32(0.5) + np.float32(0.01)).astype(np.float32)
    np.save(tmp_path / "value.npy", value)
    tensor_of(model, name).CopyFrom(numpy_helper.from_array(value, name))
    return edit, ["--set", f"{name}={tmp_path / 'value.npy'}"]


def tensor_of(model, name):
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def insert_unused_and_erase(model, path, tmp_path):
    with_unused = onnx.load(path)
    with_unused.graph.initializer.append(numpy_helper.from_array(np.ones(300, np.float32), "unused"))
    onnx.save(with_unused, tmp_path / "before.onnx")
    return edit, ["--erase", "unused"]


def rename_everything(model, path, tmp_path):
    weight, _ = largest_float_weight(path)
    (given,) = [model.graph.input[0].name]
    inner, made = model.graph.node[0].output[0], model.graph.output[0].name
    flags = []
    for old in (weight, given, inner, made):
        rename_value(model, old, f"{old}.renamed")
        flags += ["--rename", f"{old}={old}.renamed"]
    return edit, flags


def rename_value(model, old, new):
    graph = model.graph
    for node in graph.node:
        node.input[:] = [new if name == old else name for name in node.input]
        node.output[:] = [new if name == old else name for name in node.output]
    for named in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        if named.name == old:
            named.name = new


def fix_dimension(model, path, tmp_path):
    symbol = next(dim.dim_param for dim in model.graph.input[0].type.tensor_type.shape.dim if dim.dim_param)
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param == symbol:
                dim.dim_value = 2
    return edit, ["--fix-dim", f"{symbol}=2"]


def free_dimension(model, path, tmp_path):
    given = model.graph.input[0]
    given.type.tensor_type.shape.dim[0].dim_param = "rows"
    del model.graph.value_info[:]
    return edit, ["--free-dim", f"{given.name}:0=rows"]


def add_output(model, path, tmp_path):
    inner = model.graph.node[0].output[0]
    known = onnx.shape_inference.infer_shapes(model).graph.value_info
    model.graph.output.append(next(value for value in known if value.name == inner))
    return edit, ["--add-output", inner]


def remove_output(model, path, tmp_path):
    if len(model.graph.output) < 2:
        pytest.skip("the model has one output")
    name = model.graph.output[-1].name
    del model.graph.output[-1]
    return edit, ["--remove-output", name]


def to_external(model, path, tmp_path):
    return edit, ["--to-external", "1kB"]


def to_float16(model, path, tmp_path):
    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype != np.float32 or array.nbytes < HALF:
            continue
        replace_inputs(model, tensor.name, f"{tensor.name}.float32")
        casts.append(helper.make_node("Cast", [tensor.name], [f"{tensor.name}.float32"], to=TensorProto.FLOAT))
        tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), tensor.name))
    nodes = casts + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return edit, ["--to-fp16-weights"]


def patch(model, path, tmp_path):
    name, array = largest_float_weight(path)
    stairs = lambda rows, columns: (np.arange(rows * columns) % 5 * 0.25 - 0.5).astype(np.float32).reshape(rows, columns)
    rows = array.shape[0]
    delta = stairs(rows, 2) @ stairs(2, array.size // rows) * np.float32(0.5)
    value = (array.reshape(rows, -1) + delta).astype(np.float32).reshape(array.shape)
    tensor_of(model, name).CopyFrom(numpy_helper.from_array(value, name))
    return apply_edit, ["patch", name, 0.5]


def patch_and_undo(model, path, tmp_path):
    return apply_edit, ["unpatch", largest_float_weight(path)[0], 0.5]


UNARY = ("Relu", "Log", "Sqrt", "Cos")


def remove_node(model, path, tmp_path):
    node = node_of(model, *UNARY)
    words = ["remove", node.name]
    old, new = node.output[0], node.input[0]
    model.graph.node.remove(node)
    replace_inputs(model, old, new)
    return apply_edit, words


def insert_node(model, path, tmp_path):
    value = node_of(model, *UNARY).output[0]
    node = helper.make_node("Neg", [value], [f"{value}.inserted"], name=f"{value}.inserted")
    place = next(i for i, other in enumerate(model.graph.node) if value in other.output) + 1
    replace_inputs(model, value, f"{value}.inserted")
    model.graph.node.insert(place, node)
    return apply_edit, ["insert", "Neg", value]


def set_attribute(model, path, tmp_path):
    node = node_of(model, "Gemm", "BatchNormalization")
    if node is None:
        pytest.skip("the model has no node with such an attribute")
    name = "alpha" if node.op_type == "Gemm" else "epsilon"
    for old in [attribute for attribute in node.attribute if attribute.name == name]:
        node.attribute.remove(old)
    node.attribute.append(helper.make_attribute(name, 0.25))
    return apply_edit, ["attribute", node.name, name, 0.25]


def rename_node(model, path, tmp_path):
    node = model.graph.node[-1]
    words = ["rename-node", node.name, "the_last"]
    node.name = "the_last"
    return apply_edit, words


EDITS = {function.__name__: function for function in (
    set_weight, insert_unused_and_erase, rename_everything, fix_dimension, free_dimension, add_output, remove_output,
    to_external, to_float16, patch, patch_and_undo, remove_node, insert_node, set_attribute, rename_node)}
SAME_ANSWERS = {"insert_unused_and_erase", "rename_everything", "fix_dimension", "free_dimension", "to_external",
                "patch_and_undo", "rename_node", "add_output", "remove_output"}


def answers(path, inputs):
    return [np.asarray(value) for value in surefoot_command.reference_session(path).run(None, inputs)]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", EDITS)
def test_an_edit_is_what_the_onnx_package_makes_of_it(kind, name, tmp_path):
    path = MODELS[name]()
    reference = onnx.load(path)
    make, words = EDITS[kind](reference, path, tmp_path)
    before = tmp_path / "before.onnx"
    ours = make(before if before.exists() else path, tmp_path / "ours.onnx", *words)
    onnx.save(reference, tmp_path / "theirs.onnx")
    onnx.checker.check_model(str(ours), full_check=True)
    if kind != "add_output":  # onnx and ONNX Runtime infer symbols of their own
        done = surefoot_command.surefoot("diff", ours, tmp_path / "theirs.onnx")
        assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    inputs = ones(ours)
    got, wanted = answers(ours, inputs), answers(tmp_path / "theirs.onnx", inputs)
    assert len(got) == len(wanted)
    for mine, theirs in zip(got, wanted):
        assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_array_equal(mine, theirs)
    first = answers(path, dict(zip([i.name for i in reference_inputs(path)], inputs.values())))
    # A free axis keeps ONNX Runtime from some fusions, which round otherwise.
    same = all(mine.shape == old.shape and np.allclose(mine, old, 1e-4, 1e-6, equal_nan=True)
               for mine, old in zip(got, first))
    assert same == (kind in SAME_ANSWERS), "whether the edit changes what the model answers"
    if kind == "to_float16":
        for mine, old in zip(got, first):
            np.testing.assert_allclose(mine, old, rtol=0.05, atol=0.05)


def reference_inputs(path):
    return surefoot_command.reference_session(path).get_inputs()

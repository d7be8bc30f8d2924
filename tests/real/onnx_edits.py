"""Each kind of edit, made with the onnx package on a loaded model, and the words that make ours do the same.

Every function takes the model as the onnx package has it, its path and a folder for files; it edits the model, and
returns which of ours makes the edit and with which words. NotHere: the model has nothing to make this edit with.
"""

import collections

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from edited import apply_edit, edit, largest_float_weight

HALF = 1024  # bytes of the smallest weight that becomes float16
UNARY = ("Relu", "Log", "Sqrt", "Cos", "Sin", "Exp", "Sigmoid", "Tanh", "Erf", "Softplus", "Softsign", "LeakyRelu", "Elu")


class NotHere(Exception):
    pass


def need(found):
    if found is None or found is False or found == []:
        raise NotHere
    return found


def nodes_of(graph):
    """Those of subgraphs too."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
                yield from nodes_of(inner)


def replace_inputs(model, old, new, but=None):
    for node in nodes_of(model.graph):
        if node is not but:
            node.input[:] = [new if name == old else name for name in node.input]


def name_of(model, node):
    """As ours names a node of the main graph."""
    place = [other is node for other in model.graph.node].index(True)
    names = collections.Counter(other.name for other in nodes_of(model.graph))
    need(names[node.name] == 1 or not node.name)
    return node.name or f"{node.op_type}#{place}"


def float_weight(path):
    return need(largest_float_weight(path))


def tensor_of(model, name):
    return need(next((tensor for tensor in model.graph.initializer if tensor.name == name), None))


def unary(model):
    """A node with one float input whose output other nodes read."""
    outputs = {value.name for value in model.graph.output}
    return need(next((node for node in model.graph.node
                      if node.op_type in UNARY and node.domain == "" and node.output[0] not in outputs), None))


def set_weight(model, path, tmp_path):
    name, array = float_weight(path)
    value = (array * np.float32(0.5) + np.float32(0.01)).astype(np.float32)
    np.save(tmp_path / "value.npy", value)
    tensor_of(model, name).CopyFrom(numpy_helper.from_array(value, name))
    return edit, ["--set", f"{name}={tmp_path / 'value.npy'}"]


def insert_unused_and_erase(model, path, tmp_path):
    with_unused = onnx.load(path)
    with_unused.graph.initializer.append(numpy_helper.from_array(np.ones(300, np.float32), "unused"))
    onnx.save(with_unused, tmp_path / "before.onnx")
    return edit, ["--erase", "unused"]


def rename_everything(model, path, tmp_path):
    graph = model.graph
    weight = largest_float_weight(path)
    names = [weight[0]] if weight else []
    names += [value.name for value in (*graph.input[:1], *graph.output[:1])]
    names += [name for node in graph.node[:1] for name in node.output[:1] if name]
    flags = []
    for old in dict.fromkeys(names):
        rename_value(model, old, f"{old}.renamed")
        flags += ["--rename", f"{old}={old}.renamed"]
    return edit, flags


def rename_value(model, old, new):
    graph = model.graph
    replace_inputs(model, old, new)
    for node in graph.node:
        node.output[:] = [new if name == old else name for name in node.output]
    for named in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        if named.name == old:
            named.name = new
    for node in nodes_of(graph):
        for attribute in node.attribute:
            for inner in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
                for value in inner.output:
                    if value.name == old:
                        value.name = new


def dims_of(value):
    return value.type.tensor_type.shape.dim if value.type.HasField("tensor_type") else []


def fix_dimension(model, path, tmp_path):
    symbol = need(next((dim.dim_param for value in model.graph.input for dim in dims_of(value) if dim.dim_param), None))
    for value in (*model.graph.input, *model.graph.output, *model.graph.value_info):
        for dim in dims_of(value):
            if dim.dim_param == symbol:
                dim.dim_value = 2
    return edit, ["--fix-dim", f"{symbol}=2"]


def free_dimension(model, path, tmp_path):
    given = need(next((value for value in model.graph.input if len(dims_of(value)) > 0), None))
    dims_of(given)[0].dim_param = "rows"
    del model.graph.value_info[:]
    return edit, ["--free-dim", f"{given.name}:0=rows"]


def add_output(model, path, tmp_path):
    outputs = {value.name for value in model.graph.output}
    made = [name for node in model.graph.node for name in node.output if name and name not in outputs]
    known = {value.name: value for value in onnx.shape_inference.infer_shapes(model).graph.value_info}
    inner = need(next((name for name in made if name in known), None))
    model.graph.output.append(known[inner])
    return edit, ["--add-output", inner]


def remove_output(model, path, tmp_path):
    need(len(model.graph.output) > 1)
    name = model.graph.output[-1].name
    del model.graph.output[-1]
    return edit, ["--remove-output", name]


def to_external(model, path, tmp_path):
    need([tensor for tensor in model.graph.initializer
          if tensor.data_type != TensorProto.STRING and numpy_helper.to_array(tensor).nbytes >= 1000])
    return edit, ["--to-external", "1kB"]


def to_float16(model, path, tmp_path):
    casts = []
    ports = {value.name for value in (*model.graph.input, *model.graph.output)}
    for tensor in model.graph.initializer:
        if tensor.data_type != TensorProto.FLOAT or tensor.name in ports:
            continue
        array = numpy_helper.to_array(tensor)
        if array.nbytes < HALF:
            continue
        replace_inputs(model, tensor.name, f"{tensor.name}.float32")
        casts.append(helper.make_node("Cast", [tensor.name], [f"{tensor.name}.float32"], to=TensorProto.FLOAT))
        tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), tensor.name))
    nodes = need(casts) + list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return edit, ["--to-fp16-weights"]


def patch(model, path, tmp_path):
    name, array = float_weight(path)
    need(array.ndim > 1)
    stairs = lambda rows, columns: (np.arange(rows * columns) % 5 * 0.25 - 0.5).astype(np.float32).reshape(rows, columns)
    rows = array.shape[0]
    delta = stairs(rows, 2) @ stairs(2, array.size // rows) * np.float32(0.5)
    value = (array.reshape(rows, -1) + delta).astype(np.float32).reshape(array.shape)
    tensor_of(model, name).CopyFrom(numpy_helper.from_array(value, name))
    return apply_edit, ["patch", name, 0.5]


def patch_and_undo(model, path, tmp_path):
    name, array = float_weight(path)
    need(array.ndim > 1)
    return apply_edit, ["unpatch", name, 0.5]


def remove_node(model, path, tmp_path):
    node = unary(model)
    words = ["remove", name_of(model, node)]
    old, new = node.output[0], node.input[0]
    model.graph.node.remove(node)
    replace_inputs(model, old, new)
    return apply_edit, words


def replace_node(model, path, tmp_path):
    node = need(next((node for node in model.graph.node if node.op_type in UNARY and node.domain == ""), None))
    need([opset for opset in model.opset_import if opset.domain == "" and opset.version > 6])
    words = ["replace", name_of(model, node), "Neg"]
    node.op_type = "Neg"
    del node.attribute[:]
    return apply_edit, words


def insert_node(model, path, tmp_path):
    """Behind a node where there is one that others read, else behind an input."""
    try:
        value, op = unary(model).output[0], "Neg"
        place = next(i for i, other in enumerate(model.graph.node) if value in other.output) + 1
    except NotHere:
        given = need(next((port for port in model.graph.input if port.type.HasField("tensor_type")), None))
        value, place = given.name, 0
        op = "Neg" if given.type.tensor_type.elem_type == TensorProto.FLOAT else "Identity"
    node = helper.make_node(op, [value], [f"{value}.inserted"], name=f"{value}.inserted")
    replace_inputs(model, value, f"{value}.inserted")
    model.graph.node.insert(place, node)
    return apply_edit, ["insert", op, value]


def set_attribute(model, path, tmp_path):
    node, name = need(next(((node, attribute.name) for node in model.graph.node for attribute in node.attribute
                            if attribute.type == onnx.AttributeProto.FLOAT), None))
    words = ["attribute", name_of(model, node), name, 0.25]
    for old in [attribute for attribute in node.attribute if attribute.name == name]:
        node.attribute.remove(old)
    node.attribute.append(helper.make_attribute(name, 0.25))
    return apply_edit, words


def rename_node(model, path, tmp_path):
    node = need(list(model.graph.node))[-1]
    words = ["rename-node", name_of(model, node), "the_last"]
    node.name = "the_last"
    return apply_edit, words


EDITS = {function.__name__: function for function in (
    set_weight, insert_unused_and_erase, rename_everything, fix_dimension, free_dimension, add_output, remove_output,
    to_external, to_float16, patch, patch_and_undo, remove_node, replace_node, insert_node, set_attribute, rename_node)}
SAME_ANSWERS = {"insert_unused_and_erase", "rename_everything", "fix_dimension", "free_dimension", "to_external",
                "patch_and_undo", "rename_node", "add_output", "remove_output"}

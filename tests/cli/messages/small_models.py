"""One-node models that make ONNX Runtime say what the catalogue knows."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def value(name, shape, element=FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def weight(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def model(nodes, inputs, outputs, weights=(), opset=17, ir=8):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(weights))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = ir
    return made.SerializeToString()


def one(op, inputs, outputs, weights=(), opset=17, **attributes):
    """A model of one node; `inputs` and `outputs` are lists of value()."""
    names = [info.name for info in inputs] + [tensor.name for tensor in weights]
    node = helper.make_node(op, names, [info.name for info in outputs], name="the_node", **attributes)
    return model([node], inputs, outputs, weights, opset, ir=10 if opset > 20 else 8)


def identity(shape=("n", 4), element=FLOAT, opset=17):
    return one("Identity", [value("x", list(shape), element)], [value("y", list(shape), element)], opset=opset)


def raw_weight(byte_count):
    broken = onnx.TensorProto(name="w", dims=[4], data_type=FLOAT, raw_data=b"\0" * byte_count)
    node = helper.make_node("Add", ["x", "w"], ["y"])
    return model([node], [value("x", [4])], [value("y", [4])], [broken])

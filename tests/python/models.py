"""Small models, made on the spot."""

import onnx
from onnx import TensorProto, helper

OPSET = 21


def tensor(name, element=TensorProto.FLOAT, shape=None):
    return helper.make_tensor_value_info(name, element, shape)


def model(nodes, inputs, outputs, initializers=(), **fields):
    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", 3)])
    made.ir_version = 10
    for name, value in fields.items():
        setattr(made, name, value)
    onnx.checker.check_model(made)
    return made


def identity(element=TensorProto.FLOAT, shape=("N",)):
    """What goes in comes out."""
    return bytes_of([helper.make_node("Identity", ["x"], ["y"])], [tensor("x", element, shape)], [tensor("y", element, shape)])


def bytes_of(*parts, **fields):
    return model(*parts, **fields).SerializeToString()


def add():
    """`sum = a + b`, `difference = a - b`, over one free size."""
    nodes = [helper.make_node("Add", ["a", "b"], ["sum"]), helper.make_node("Sub", ["a", "b"], ["difference"])]
    return bytes_of(nodes, [tensor("a", shape=["N"]), tensor("b", shape=["N"])],
                    [tensor("sum", shape=["N"]), tensor("difference", shape=["N"])])


def dense():
    """`y = Relu(x · w + b)`: nodes that the provider which fails on command takes."""
    weights = helper.make_tensor("w", TensorProto.FLOAT, [3, 2], [1, -1, 0.5, 2, -0.5, 1])
    nodes = [helper.make_node("MatMul", ["x", "w"], ["product"], "product"),
             helper.make_node("Add", ["product", "b"], ["total"], "total"), helper.make_node("Relu", ["total"], ["y"], "y")]
    return bytes_of(nodes, [tensor("x", shape=["N", 3])], [tensor("y", shape=["N", 2])],
                    [weights, helper.make_tensor("b", TensorProto.FLOAT, [2], [0.25, 0.5])])


def broken_by_optimisation():
    """Opens without optimisation alone, on ONNX Runtime from 1.24 on."""
    given = [helper.make_tensor(name, TensorProto.FLOAT, [1], [value]) for name, value in (("a", 1), ("b", 1), ("zero", 0))]
    nodes = [helper.make_node("Identity", ["x"], ["mid"]), helper.make_node("Div", ["a", "b"], ["one"]),
             helper.make_node("Mul", ["mid", "one"], ["w"]), helper.make_node("Add", ["w", "zero"], ["y"])]
    return bytes_of(nodes, [tensor("x", shape=[4])], [tensor("y", shape=[4])], given)


def sequence_identity():
    kind = helper.make_sequence_type_proto(helper.make_tensor_type_proto(TensorProto.FLOAT, None))
    return bytes_of([helper.make_node("Identity", ["x"], ["y"])], [helper.make_value_info("x", kind)],
                    [helper.make_value_info("y", kind)])


def optional_or_zero():
    """The optional `x`, or nought where it is absent."""
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    there = helper.make_graph([helper.make_node("OptionalGetElement", ["x"], ["t"])], "there", [], [tensor("t", shape=[])])
    zero = helper.make_tensor("zero", TensorProto.FLOAT, [], [0.0])
    absent = helper.make_graph([helper.make_node("Constant", [], ["z"], value=zero)], "absent", [], [tensor("z", shape=[])])
    nodes = [helper.make_node("OptionalHasElement", ["x"], ["has"]),
             helper.make_node("If", ["has"], ["y"], then_branch=there, else_branch=absent)]
    return bytes_of(nodes, [helper.make_value_info("x", helper.make_optional_type_proto(inner))], [tensor("y", shape=[])])


def zip_map():
    """Scores to a list of dicts by class."""
    node = helper.make_node("ZipMap", ["x"], ["z"], domain="ai.onnx.ml", classlabels_int64s=[10, 20])
    values = helper.make_tensor_type_proto(TensorProto.FLOAT, [])
    kind = helper.make_sequence_type_proto(helper.make_map_type_proto(TensorProto.INT64, values))
    graph = helper.make_graph([node], "g", [tensor("x", shape=["N", 2])], [helper.make_value_info("z", kind)])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", 3)])
    made.ir_version = 10
    return made.SerializeToString()


def dict_vectorizer():
    """A dict of words to numbers, as a row."""
    node = helper.make_node("DictVectorizer", ["x"], ["y"], domain="ai.onnx.ml", string_vocabulary=["a", "b", "c"])
    kind = helper.make_map_type_proto(TensorProto.STRING, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    graph = helper.make_graph([node], "g", [helper.make_value_info("x", kind)], [tensor("y", shape=[1, 3])])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", 3)])
    made.ir_version = 10
    return made.SerializeToString()


def endless():
    """Counts to `n`: a run that can be stopped."""
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["go_on"]), helper.make_node("Add", ["v", "one"], ["w"])], "body",
        [tensor("i", TensorProto.INT64, []), tensor("go", TensorProto.BOOL, []), tensor("v", shape=[1])],
        [tensor("go_on", TensorProto.BOOL, []), tensor("w", shape=[1])])
    true = helper.make_tensor("true", TensorProto.BOOL, [], [True])
    return bytes_of([helper.make_node("Loop", ["n", "true", "x"], ["y"], body=body)],
                    [tensor("n", TensorProto.INT64, []), tensor("x", shape=[1])], [tensor("y", shape=[1])], [one, true])


def cast(source, target):
    node = helper.make_node("Cast", ["x"], ["y"], to=target)
    return bytes_of([node], [tensor("x", source, ["N"])], [tensor("y", target, ["N"])])


def gather():
    nodes = [helper.make_node("Gather", ["x", "i"], ["y"])]
    return bytes_of(nodes, [tensor("x", shape=["N"]), tensor("i", TensorProto.INT64, ["M"])], [tensor("y", shape=["M"])])


def with_metadata():
    made = model([helper.make_node("Identity", ["x"], ["y"])], [tensor("x", shape=[2])], [tensor("y", shape=[2])],
                 producer_name="maker", domain="com.example", model_version=7, doc_string="what it is for")
    helper.set_model_props(made, {"author": "me"})
    return made.SerializeToString()


def overridable():
    """`x + w`, where `w` is 1 unless it is given."""
    weight = helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0])
    nodes = [helper.make_node("Add", ["x", "w"], ["y"])]
    return bytes_of(nodes, [tensor("x", shape=["N"]), tensor("w", shape=[1])], [tensor("y", shape=["N"])], [weight])


def no_such_operator():
    graph = helper.make_graph([helper.make_node("Nope", ["x"], ["y"])], "g", [tensor("x", shape=[2])], [tensor("y", shape=[2])])
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = 10
    return made.SerializeToString()

"""Models whose inputs or outputs are no plain tensors: strings, sequences, maps, optionals."""

import numpy as np
from onnx import TensorProto, helper

from writing import FLOAT, INT64, build, constant, model, op, tensor

STRING = TensorProto.STRING
ML = [("ai.onnx.ml", 3)]


def sequence(name, shape):
    item = helper.make_tensor_type_proto(FLOAT, shape)
    return helper.make_value_info(name, helper.make_sequence_type_proto(item))


def map_type(key, element):
    return helper.make_map_type_proto(key, helper.make_tensor_type_proto(element, []))


def optional(name, shape):
    item = helper.make_tensor_type_proto(FLOAT, shape)
    return helper.make_value_info(name, helper.make_optional_type_proto(item))


@model("strings in, strings out")
def string_identity():
    return build([op("Identity", "text", "same")], [tensor("text", ["n"], STRING)], [tensor("same", ["n"], STRING)])


@model("strings to upper case")
def string_upper():
    return build([op("StringNormalizer", "text", "upper", case_change_action="UPPER", locale="C")],
                 [tensor("text", ["n"], STRING)], [tensor("upper", ["m"], STRING)])


@model("strings to numbers, by a table")
def string_lookup():
    look = op("LabelEncoder", "word", "id", domain="ai.onnx.ml", keys_strings=["zero", "one", "two"],
              values_int64s=[0, 1, 2], default_int64=-1)
    return build([look], [tensor("word", ["n"], STRING)], [tensor("id", ["n"], INT64)], domains=ML)


@model("two tensors to a sequence")
def sequence_of_two():
    return build([op("SequenceConstruct", "a b", "both")], [tensor("a", ["n"]), tensor("b", ["m"])],
                 [sequence("both", None)])


@model("the tensor of a sequence at a position")
def sequence_at():
    return build([op("SequenceAt", "all position", "one")], [sequence("all", ["n"]), tensor("position", [], INT64)],
                 [tensor("one", ["n"])])


@model("appends to a sequence, which may be empty")
def sequence_append():
    return build([op("SequenceInsert", "all x", "more")], [sequence("all", ["n"]), tensor("x", ["n"])],
                 [sequence("more", ["n"])])


def zipmap(key, **attributes):
    maps = helper.make_sequence_type_proto(map_type(key, FLOAT))
    return build([op("ZipMap", "scores", "named", domain="ai.onnx.ml", **attributes)], [tensor("scores", ["n", 3])],
                 [helper.make_value_info("named", maps)], domains=ML)


@model("scores to a sequence of maps with text keys")
def zipmap_strings():
    return zipmap(STRING, classlabels_strings=["cat", "dog", "bird"])


@model("scores to a sequence of maps with int64 keys")
def zipmap_int64():
    return zipmap(INT64, classlabels_int64s=[10, 20, 30])


@model("a map with text keys in, a row of features out")
def map_strings_input():
    vectorize = op("DictVectorizer", "features", "row", domain="ai.onnx.ml", string_vocabulary=["height", "weight"])
    return build([vectorize], [helper.make_value_info("features", map_type(STRING, FLOAT))], [tensor("row", [1, 2])],
                 domains=ML)


@model("a map with int64 keys in, a row of features out")
def map_int64_input():
    vectorize = op("CastMap", "features", "row", domain="ai.onnx.ml", cast_to="TO_FLOAT", map_form="DENSE")
    return build([vectorize], [helper.make_value_info("features", map_type(INT64, FLOAT))], [tensor("row", [1, "n"])],
                 domains=ML)


@model("a text that cannot be ranked, and scores that can")
def two_outputs():
    return build([op("Identity", "s", "best"), op("Identity", "x", "scores")],
                 [tensor("x", [3]), tensor("s", ["n"], STRING)],
                 [tensor("best", ["n"], STRING), tensor("scores", [3])])


@model("says whether an optional tensor is there")
def optional_has():
    return build([op("OptionalHasElement", "maybe", "has")], [optional("maybe", ["n"])],
                 [tensor("has", [], TensorProto.BOOL)], opset=18)


@model("makes an optional of a tensor")
def optional_output():
    return build([op("Optional", "x", "maybe")], [tensor("x", ["n"])], [optional("maybe", ["n"])], opset=18)


@model("an optional tensor in: its sum, or -1 when it is absent")
def optional_sum():
    then = helper.make_graph([op("OptionalGetElement", "maybe", "x"), op("ReduceSum", "x", "sum", keepdims=0)], "then",
                             [], [tensor("sum", [])])
    other = helper.make_graph([op("Identity", "minus_one", "none")], "else", [], [tensor("none", [])])
    nodes = [op("OptionalHasElement", "maybe", "has"), op("If", "has", "y", then_branch=then, else_branch=other)]
    return build(nodes, [optional("maybe", ["n"])], [tensor("y", [])], [constant("minus_one", -1, np.float32)],
                 opset=18)

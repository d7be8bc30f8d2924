"""Models of plain tensors that run on the CPU: shapes, element types, control flow."""

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

from writing import FLOAT, INT64, FAILS_OPEN, FAILS_RUN, build, constant, model, op, tensor, weights


def mlp_of(shape):
    nodes = [op("MatMul", "x w1", "h"), op("Add", "h b1", "g"), op("Relu", "g", "r"), op("MatMul", "r w2", "y")]
    parameters = [weights("w1", 64, 64), constant("b1", np.zeros(64)), weights("w2", 64, 64)]
    return build(nodes, [tensor("x", shape)], [tensor("y", shape)], parameters)


@model("1x64 -> 64 -> 64: about 2 microseconds a run")
def mlp():
    return mlp_of([1, 64])


@model("the same with a free batch")
def mlp_batch():
    return mlp_of(["batch", 64])


@model("two free axes: batch and sequence")
def sequence_length():
    return build([op("MatMul", "x w", "h"), op("Softmax", "h", "y", axis=-1)], [tensor("x", ["batch", "sequence", 16])],
                 [tensor("y", ["batch", "sequence", 8])], [weights("w", 16, 8)])


@model("MatMul, Relu, Add and a NonZero that no accelerator takes")
def mixed():
    nodes = [op("MatMul", "x w", "h"), op("Relu", "h", "r"), op("Add", "r b", "y"), op("NonZero", "y", "where")]
    return build(nodes, [tensor("x", ["batch", 64])], [tensor("y", ["batch", 64]), tensor("where", [2, "n"], INT64)],
                 [weights("w", 64, 64), weights("b", 64)])


@model("one Relu: the smallest model")
def relu():
    return build([op("Relu", "x", "y")], [tensor("x", ["n"])], [tensor("y", ["n"])])


@model("an image network of about a millisecond on one thread")
def cnn_1ms():
    nodes = [op("Conv", "image k1", "c1", kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]), op("Relu", "c1", "r1"),
             op("Conv", "r1 k2", "c2", kernel_shape=[3, 3], pads=[1] * 4), op("Relu", "c2", "r2"),
             op("Conv", "r2 k3", "c3", kernel_shape=[3, 3], pads=[1] * 4, strides=[2, 2]), op("Relu", "c3", "r3"),
             op("GlobalAveragePool", "r3", "p"), op("Flatten", "p", "f"), op("Gemm", "f d", "y")]
    parameters = [weights("k1", 24, 3, 3, 3), weights("k2", 48, 24, 3, 3), weights("k3", 64, 48, 3, 3),
                  weights("d", 64, 10)]
    return build(nodes, [tensor("image", [1, 3, 96, 96])], [tensor("y", [1, 10])], parameters)


@model("a convolution of any picture size: memory that an arena keeps after one large input")
def conv_any_size():
    nodes = [op("Conv", "image k", "c", kernel_shape=[3, 3], pads=[1] * 4), op("Relu", "c", "y")]
    return build(nodes, [tensor("image", [1, 3, "height", "width"])], [tensor("y", [1, 16, "height", "width"])],
                 [weights("k", 16, 3, 3, 3)])


# ---- shapes -----------------------------------------------------------------------------------


@model("a scalar int64 in, a scalar out")
def scalar_int64():
    return build([op("Add", "x one", "y")], [tensor("x", [], INT64)], [tensor("y", [], INT64)],
                 [constant("one", 1, np.int64)])


@model("a growing cache: past may have zero rows")
def zero_rows():
    return build([op("Concat", "past new", "present", axis=0)], [tensor("past", ["rows", 4]), tensor("new", [1, 4])],
                 [tensor("present", ["rows_plus_1", 4])])


@model("a fixed axis of zero")
def zero_axis():
    return build([op("Relu", "x", "y")], [tensor("x", [0, 4])], [tensor("y", [0, 4])])


@model("two inputs share the symbol batch; ORT broadcasts 1 against 3 without a word")
def shared_batch():
    return build([op("Add", "a b", "y")], [tensor("a", ["batch", 4]), tensor("b", ["batch", 4])],
                 [tensor("y", ["batch", 4])])


@model("batch fixed at 1")
def fixed_batch():
    return build([op("MatMul", "x w", "y")], [tensor("x", [1, 4])], [tensor("y", [1, 4])], [weights("w", 4, 4)])


@model("free axes with denotations")
def denotation():
    made = build([op("Relu", "image", "y")], [tensor("image", ["n", 3, 8, 8])], [tensor("y", ["n", 3, 8, 8])])
    for axis, name in enumerate(["DATA_BATCH", "DATA_CHANNEL", "DATA_FEATURE", "DATA_FEATURE"]):
        made.graph.input[0].type.tensor_type.shape.dim[axis].denotation = name
    return made


@model("an input of unknown rank")
def unknown_rank():
    return build([op("Relu", "x", "y")], [tensor("x", None)], [tensor("y", None)])


@model("names beyond ASCII")
def unicode_names():
    return build([op("Relu", "вход", "出力")], [tensor("вход", ["größe"])], [tensor("出力", ["größe"])])


@model("w is an initializer and an input: optional, with a default")
def overridable():
    return build([op("Mul", "x w", "y")], [tensor("x", [4]), tensor("w", [4])], [tensor("y", [4])],
                 [constant("w", [1, 2, 3, 4])])


@model("declared free, yet a Reshape inside holds 1x6", FAILS_RUN)
def hard_coded_reshape():
    return build([op("Reshape", "x shape", "y")], [tensor("x", ["batch", 3, 2])], [tensor("y", [1, 6])],
                 [constant("shape", [1, 6], np.int64)])


@model("Gather from five rows by the caller's indices: a bad one fails deep inside", FAILS_RUN)
def gather_rows():
    return build([op("Gather", "rows ids", "y")], [tensor("ids", ["n"], INT64)], [tensor("y", ["n", 3])],
                 [constant("rows", np.arange(15).reshape(5, 3))])


@model("Expand to a shape that the caller gives: asks for any amount of memory")
def expand():
    return build([op("Expand", "x shape", "y")], [tensor("x", [1]), tensor("shape", ["rank"], INT64)],
                 [tensor("y", None)])


# ---- element types ----------------------------------------------------------------------------

PLAIN = ["FLOAT", "DOUBLE", "FLOAT16", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64",
         "BOOL", "STRING"]


@model("Identity of every element type that the CPU provider copies")
def identity_types():
    typed = lambda prefix: [tensor(f"{prefix}_{n.lower()}", ["n"], getattr(TensorProto, n)) for n in PLAIN]
    return build([op("Identity", f"x_{n.lower()}", f"y_{n.lower()}") for n in PLAIN], typed("x"), typed("y"))


def cast(source, target, opset=19, ir=9):
    return build([op("Cast", "x", "y", to=target)], [tensor("x", ["n"], source)], [tensor("y", ["n"], target)],
                 opset=opset, ir=ir)


@model("bfloat16 to float")
def bf16_to_float():
    return cast(TensorProto.BFLOAT16, FLOAT)


@model("float to bfloat16")
def float_to_bf16():
    return cast(FLOAT, TensorProto.BFLOAT16)


@model("float8 e4m3fn to float")
def fp8_to_float():
    return cast(TensorProto.FLOAT8E4M3FN, FLOAT)


@model("float to float8 e4m3fn")
def float_to_fp8():
    return cast(FLOAT, TensorProto.FLOAT8E4M3FN)


@model("float to float8 e5m2")
def float_to_fp8_e5m2():
    return cast(FLOAT, TensorProto.FLOAT8E5M2)


@model("int4 to float by DequantizeLinear")
def int4_to_float():
    return build([op("DequantizeLinear", "x scale", "y")], [tensor("x", ["n"], TensorProto.INT4)], [tensor("y", ["n"])],
                 [constant("scale", 0.5)], opset=21, ir=10)


@model("float to uint4 by QuantizeLinear")
def float_to_uint4():
    zero = helper.make_tensor("zero", TensorProto.UINT4, [], [0])
    return build([op("QuantizeLinear", "x scale zero", "y")], [tensor("x", ["n"])],
                 [tensor("y", ["n"], TensorProto.UINT4)], [constant("scale", 0.5), zero], opset=21, ir=10)


@model("fp16 MatMul: the CPU provider puts casts around it")
def fp16_matmul():
    w = constant("w", np.eye(8), np.float16)
    return build([op("MatMul", "x w", "y")], [tensor("x", ["n", 8], TensorProto.FLOAT16)],
                 [tensor("y", ["n", 8], TensorProto.FLOAT16)], [w])


@model("bfloat16 Add: no kernel on the CPU", FAILS_OPEN)
def bf16_add():
    one = constant("one", [1], ml_dtypes.bfloat16)
    bf16 = TensorProto.BFLOAT16
    return build([op("Add", "x one", "y")], [tensor("x", ["n"], bf16)], [tensor("y", ["n"], bf16)], [one])


@model("int4 Identity: no kernel on the CPU", FAILS_OPEN)
def int4_identity():
    int4 = TensorProto.INT4
    return build([op("Identity", "x", "y")], [tensor("x", ["n"], int4)], [tensor("y", ["n"], int4)], opset=21, ir=10)


@model("complex64 Identity: no kernel on the CPU", FAILS_OPEN)
def complex_identity():
    complex64 = TensorProto.COMPLEX64
    return build([op("Identity", "x", "y")], [tensor("x", ["n"], complex64)], [tensor("y", ["n"], complex64)])


# ---- control flow and the optimizer -----------------------------------------------------------


@model("If: doubles or negates")
def if_else():
    branch = lambda name, node: helper.make_graph([node], name, [], [tensor(f"{name}_y", ["n"])])
    choose = op("If", "double", "y", then_branch=branch("then", op("Add", "x x", "then_y")),
                else_branch=branch("else", op("Neg", "x", "else_y")))
    return build([choose], [tensor("double", [], TensorProto.BOOL), tensor("x", ["n"])], [tensor("y", ["n"])])


@model("Loop: multiplies by a fixed matrix as often as the caller says, so a run lasts as long as wanted")
def loop_matmul():
    body = helper.make_graph([op("Identity", "going", "still"), op("MatMul", "state w", "next")], "body",
                             [tensor("step", [], INT64), tensor("going", [], TensorProto.BOOL),
                              tensor("state", [64, 64])],
                             [tensor("still", [], TensorProto.BOOL), tensor("next", [64, 64])])
    return build([op("Loop", "times _ x", "y", body=body)], [tensor("times", [], INT64), tensor("x", [64, 64])],
                 [tensor("y", [64, 64])], [constant("w", np.eye(64))])


@model("valid, yet EliminateIdentity or DivMulFusion break it: opens only with the optimizer off", FAILS_OPEN)
def optimizer_bug():
    nodes = [op("Identity", "x", "mid"), op("Div", "one_a one_b", "one"), op("Mul", "mid one", "w"),
             op("Add", "w zero", "y")]
    return build(nodes, [tensor("x", [4])], [tensor("y", [4])],
                 [constant("one_a", [1]), constant("one_b", [1]), constant("zero", [0])])

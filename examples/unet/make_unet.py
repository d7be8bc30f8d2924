#!/usr/bin/env python3
"""Writes a small model of the form of Stable Diffusion's UNet, as it is exported: names, free dimensions, attention.

    python3 examples/unet/make_unet.py OUT.onnx

Inputs `sample`, `timestep` and `encoder_hidden_states`, with the names of free dimensions that the exports have; one
block down, cross attention in the middle, one block up. The same bytes come out on every run. Needs onnx and numpy.
"""

import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

CHANNELS, WIDTH, TEXT = 4, 8, 32  # of the sample; inside; of a word of the text


def weight(name, *shape):
    """Random numbers that keep a signal's size, seeded by the name."""
    values = np.random.default_rng(list(name.encode())).standard_normal(shape, np.float32)
    return numpy_helper.from_array((values / np.sqrt(np.prod(shape[1:]) or 1)).astype(np.float32), name)


def integers(name, *values):
    return numpy_helper.from_array(np.array(values, np.int64), name)


WEIGHTS = [
    weight("time_embedding.weight", 2 * WIDTH, WIDTH), weight("time_embedding.bias", WIDTH),
    weight("conv_in.weight", WIDTH, CHANNELS, 3, 3), weight("conv_in.bias", WIDTH),
    weight("down.conv.weight", WIDTH, WIDTH, 3, 3), weight("down.conv.bias", WIDTH),
    weight("mid.attn.to_q.weight", WIDTH, WIDTH), weight("mid.attn.to_k.weight", TEXT, WIDTH),
    weight("mid.attn.to_v.weight", TEXT, WIDTH), weight("mid.attn.to_out.weight", WIDTH, WIDTH),
    weight("mid.bias", WIDTH),
    weight("up.conv.weight", WIDTH, WIDTH, 3, 3), weight("up.conv.bias", WIDTH),
    weight("conv_out.weight", CHANNELS, 2 * WIDTH, 3, 3), weight("conv_out.bias", CHANNELS),
    numpy_helper.from_array(np.exp(-np.arange(WIDTH, dtype=np.float32))[None], "frequencies"),
    numpy_helper.from_array(np.array(WIDTH**-0.5, np.float32), "attention_scale"),
    numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), "twice"),
    integers("last", 1), integers("map_axes", 2, 3), integers("rows", 0, WIDTH, -1),
]


def op(kind, inputs, output, **attributes):
    return helper.make_node(kind, inputs.split(), [output], name=output.replace("/", "."), **attributes)


def silu(value, output):
    return [op("Sigmoid", value, f"{output}.gate"), op("Mul", f"{value} {output}.gate", output)]


SAME = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
NODES = [
    # The step in time, as waves.
    op("Unsqueeze", "timestep last", "time.column"),
    op("Mul", "time.column frequencies", "time.angles"),
    op("Sin", "time.angles", "time.sin"),
    op("Cos", "time.angles", "time.cos"),
    op("Concat", "time.sin time.cos", "time.waves", axis=1),
    op("Gemm", "time.waves time_embedding.weight time_embedding.bias", "time.linear"),
    *silu("time.linear", "time.embedding"),
    op("Unsqueeze", "time.embedding map_axes", "time.map"),
    # Down.
    op("Conv", "sample conv_in.weight conv_in.bias", "conv_in", **SAME),
    op("Add", "conv_in time.map", "down.in"),
    *silu("down.in", "skip"),
    op("Conv", "skip down.conv.weight down.conv.bias", "down.out", strides=[2, 2], **SAME),
    # Each place asks the words of the text.
    op("Shape", "down.out", "mid.shape"),
    op("Reshape", "down.out rows", "mid.rows"),
    op("Transpose", "mid.rows", "mid.places", perm=[0, 2, 1]),
    op("MatMul", "mid.places mid.attn.to_q.weight", "mid.q"),
    op("MatMul", "encoder_hidden_states mid.attn.to_k.weight", "mid.k"),
    op("MatMul", "encoder_hidden_states mid.attn.to_v.weight", "mid.v"),
    op("Transpose", "mid.k", "mid.k_columns", perm=[0, 2, 1]),
    op("MatMul", "mid.q mid.k_columns", "mid.products"),
    op("Mul", "mid.products attention_scale", "mid.scores"),
    op("Softmax", "mid.scores", "mid.attention", axis=-1),
    op("MatMul", "mid.attention mid.v", "mid.words"),
    op("MatMul", "mid.words mid.attn.to_out.weight", "mid.linear"),
    op("Add", "mid.linear mid.bias", "mid.biased"),
    op("Add", "mid.places mid.biased", "mid.sum"),
    op("Transpose", "mid.sum", "mid.columns", perm=[0, 2, 1]),
    op("Reshape", "mid.columns mid.shape", "mid_block.out"),
    # Up.
    helper.make_node("Resize", ["mid_block.out", "", "twice"], ["up.large"], name="up.large", mode="nearest",
                     coordinate_transformation_mode="asymmetric", nearest_mode="floor"),
    op("Conv", "up.large up.conv.weight up.conv.bias", "up.conv", **SAME),
    *silu("up.conv", "up.out"),
    op("Concat", "up.out skip", "up.both", axis=1),
    op("Conv", "up.both conv_out.weight conv_out.bias", "out_sample", **SAME),
]


def value(name, *dimensions):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, dimensions)


def build():
    sizes = ["batch", "channels", "height", "width"]
    inputs = [value("sample", *(f"unet_sample_{size}" for size in sizes)), value("timestep", "unet_time_batch"),
              value("encoder_hidden_states", "unet_hidden_batch", "unet_hidden_sequence", TEXT)]
    outputs = [value("out_sample", *(f"out_sample_{size}" for size in sizes))]
    graph = helper.make_graph(NODES, "small_unet", inputs, outputs, WEIGHTS)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made, full_check=True)
    return made


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_unet.py OUT.onnx")
    onnx.save(build(), sys.argv[1])

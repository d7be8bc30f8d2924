#!/usr/bin/env python3
"""Trains the digits classifier of models/digits and writes its example images.

    python3 tools/models/train_digits.py [ROOT]

Writes under ROOT (default: this repository)
    models/digits/digits.onnx   image float32[batch,1,8,8] in 0..1 -> probabilities float32[batch,10]
    models/digits/labels.txt    one label a line
    examples/digits/N.png       one held-out image of each class, 8x8 grey

Needs numpy, onnx, pillow and scikit-learn (requirements.txt beside this file). Seeded: two
runs on one machine write the same bytes; another CPU may differ in the last digits of a weight.
"""

import pathlib
import sys

import numpy as np
import onnx
from numpy.lib.stride_tricks import sliding_window_view
from onnx import TensorProto, helper, numpy_helper
from PIL import Image
from sklearn.datasets import load_digits

SEED = 20
HELD_OUT = 360  # of 1797; never trained on
EPOCHS = 40
BATCH = 32
WANTED_ACCURACY = 0.96
WANTED_BYTES = 100_000


# ---- data -------------------------------------------------------------------------------------


def split():
    """The data set as (train images, train labels, held-out images, held-out labels)."""
    data = load_digits()
    images = (data.images / 16.0).astype(np.float32)[:, None]
    order = np.random.default_rng(SEED).permutation(len(images))
    held, train = order[:HELD_OUT], order[HELD_OUT:]
    return images[train], data.target[train], images[held], data.target[held]


def shifted(images, rng):
    """Each image moved by up to one pixel, as a hand would: the only augmentation."""
    padded = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)))
    rows, columns = rng.integers(0, 3, (2, len(images)))
    return np.stack([image[:, r : r + 8, c : c + 8] for image, r, c in zip(padded, rows, columns)])


# ---- network: conv 3x3 (8), conv 3x3 (16), max pool 2, dense 10 ---------------------------------


def fresh_weights(rng):
    def scaled(*shape):
        fan_in = np.prod(shape[1:])
        return (rng.standard_normal(shape) * np.sqrt(2 / fan_in)).astype(np.float32)

    zeros = lambda n: np.zeros(n, np.float32)
    return {
        "conv1.weight": scaled(8, 1, 3, 3),
        "conv1.bias": zeros(8),
        "conv2.weight": scaled(16, 8, 3, 3),
        "conv2.bias": zeros(16),
        "dense.weight": scaled(10, 256),
        "dense.bias": zeros(10),
    }


def windows(x):
    """The 3x3 neighbourhoods of a zero-padded batch: [n, channel, row, column, 3, 3]."""
    return sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), axis=(2, 3))


def convolve(x, weight, bias):
    return np.einsum("ncrsij,ocij->nors", windows(x), weight, optimize=True) + bias[:, None, None]


def pool(x):
    n, c, r, s = x.shape
    return x.reshape(n, c, r // 2, 2, s // 2, 2).max(axis=(3, 5))


def softmax(logits):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(w, x):
    """Every activation that the backward pass needs, and the probabilities last."""
    first = np.maximum(convolve(x, w["conv1.weight"], w["conv1.bias"]), 0)
    second = np.maximum(convolve(first, w["conv2.weight"], w["conv2.bias"]), 0)
    flat = pool(second).reshape(len(x), -1)
    return first, second, flat, softmax(flat @ w["dense.weight"].T + w["dense.bias"])


def gradients(w, x, labels):
    first, second, flat, probabilities = forward(w, x)
    error = (probabilities - np.eye(10, dtype=np.float32)[labels]) / len(x)
    g = {"dense.weight": error.T @ flat, "dense.bias": error.sum(0)}
    pooled = (error @ w["dense.weight"]).reshape(len(x), 16, 4, 4)
    wide = lambda a: a.repeat(2, axis=2).repeat(2, axis=3)
    error = wide(pooled) * (second == wide(pool(second))) * (second > 0)
    g["conv2.weight"] = np.einsum("nors,ncrsij->ocij", error, windows(first), optimize=True)
    g["conv2.bias"] = error.sum((0, 2, 3))
    back = w["conv2.weight"].transpose(1, 0, 2, 3)[:, :, ::-1, ::-1]
    error = convolve(error, back, np.zeros(8, np.float32)) * (first > 0)
    g["conv1.weight"] = np.einsum("nors,ncrsij->ocij", error, windows(x), optimize=True)
    g["conv1.bias"] = error.sum((0, 2, 3))
    return g


def train(images, labels):
    """Adam with a falling step size."""
    rng = np.random.default_rng(SEED)
    w = fresh_weights(rng)
    mean = {k: np.zeros_like(v) for k, v in w.items()}
    square = {k: np.zeros_like(v) for k, v in w.items()}
    step = 0
    for epoch in range(EPOCHS):
        rate = 3e-3 * (1 - epoch / EPOCHS)
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            step += 1
            for k, g in gradients(w, shifted(images[chosen], rng), labels[chosen]).items():
                mean[k] += 0.1 * (g - mean[k])
                square[k] += 0.001 * (g * g - square[k])
                corrected = mean[k] / (1 - 0.9**step)
                w[k] -= (rate * corrected / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)).astype(np.float32)
    return w


def accuracy(w, images, labels):
    return float((forward(w, images)[-1].argmax(1) == labels).mean())


# ---- files ------------------------------------------------------------------------------------


def onnx_model(w, measured):
    pads = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    nodes = [
        helper.make_node("Conv", ["image", "conv1.weight", "conv1.bias"], ["conv1"], "conv1", **pads),
        helper.make_node("Relu", ["conv1"], ["relu1"], "relu1"),
        helper.make_node("Conv", ["relu1", "conv2.weight", "conv2.bias"], ["conv2"], "conv2", **pads),
        helper.make_node("Relu", ["conv2"], ["relu2"], "relu2"),
        helper.make_node("MaxPool", ["relu2"], ["pool"], "pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["pool"], ["flat"], "flatten", axis=1),
        helper.make_node("Gemm", ["flat", "dense.weight", "dense.bias"], ["logits"], "dense", transB=1),
        helper.make_node("Softmax", ["logits"], ["probabilities"], "softmax", axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "digits",
        [helper.make_tensor_value_info("image", TensorProto.FLOAT, ["batch", 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["batch", 10])],
        [numpy_helper.from_array(v, k) for k, v in w.items()],
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 17)],
        ir_version=8,
        producer_name="surefoot-train-digits",
        doc_string="Handwritten digits, 8x8 grey, light strokes on black.",
    )
    helper.set_model_props(
        model,
        {
            "labels": ",".join("0123456789"),
            "held_out_accuracy": f"{measured:.4f}",
            "training_data": "Optical Recognition of Handwritten Digits (Alpaydin, Kaynak 1998), CC BY 4.0",
        },
    )
    onnx.checker.check_model(model, full_check=True)
    return model


def write_examples(folder, w, images, labels):
    """The held-out image of each class that the model is middling sure of: neither its best nor its worst."""
    folder.mkdir(parents=True, exist_ok=True)
    confidence = forward(w, images)[-1]
    for digit in range(10):
        own = np.flatnonzero(labels == digit)
        ranked = own[np.argsort(confidence[own, digit], kind="stable")]
        pixels = np.round(images[ranked[len(ranked) // 2], 0] * 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / f"{digit}.png", optimize=True)


def main():
    here = pathlib.Path(__file__).resolve().parents[2]
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here
    train_images, train_labels, held_images, held_labels = split()
    w = train(train_images, train_labels)
    measured = accuracy(w, held_images, held_labels)
    payload = onnx_model(w, measured).SerializeToString(deterministic=True)
    print(f"held-out accuracy {measured:.4f} on {len(held_labels)} images, {len(payload)} bytes")
    if measured < WANTED_ACCURACY or len(payload) >= WANTED_BYTES:
        sys.exit(f"refused: wants at least {WANTED_ACCURACY} and less than {WANTED_BYTES} bytes")
    target = root / "models" / "digits"
    target.mkdir(parents=True, exist_ok=True)
    (target / "digits.onnx").write_bytes(payload)
    (target / "labels.txt").write_text("".join(f"{d}\n" for d in range(10)))
    write_examples(root / "examples" / "digits", w, held_images, held_labels)


if __name__ == "__main__":
    main()

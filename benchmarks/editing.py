"""Times editing a model of 1 GB beside the onnx package and onnxruntime, each task in a process of its own, and prints rows.

    editing.py SUREFOOT_BENCHMARKS_EDITING ORT_LIBRARY

The model lies in a temporary folder, and is removed afterwards.
"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

ROUNDS, WIDTH, DEPTH = 3, 2048, 64  # DEPTH weights of 16 MiB

THEIRS = r"""
import json, re, sys, time
import numpy as np, onnx, onnxruntime
from onnx import numpy_helper
task, path = sys.argv[1:]
begin = time.perf_counter()
model = onnx.load(path)
if task == "patch":
    tensor = model.graph.initializer[0]
    array = numpy_helper.to_array(tensor)
    delta = np.zeros((array.shape[0], 4), np.float32) @ np.zeros((4, array.shape[1]), np.float32)
    tensor.CopyFrom(numpy_helper.from_array(array + delta, tensor.name))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
seconds = time.perf_counter() - begin
peak = re.search(r"VmHWM:\s*(\d+)", open("/proc/self/status").read()).group(1)
print(json.dumps({"seconds": seconds, "peak_kb": int(peak)}))
"""


def write_model(path, outside):
    """`outside`: with its weights in a file beside it."""
    nodes, weights = [], []
    random = np.random.default_rng(0)
    for layer in range(DEPTH):
        values = random.standard_normal((WIDTH, WIDTH), np.float32) / WIDTH**0.5
        weights.append(numpy_helper.from_array(values, f"w{layer}"))
        nodes.append(helper.make_node("MatMul", [f"x{layer}", f"w{layer}"], [f"x{layer + 1}"]))
    row = lambda name: helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, WIDTH])
    graph = helper.make_graph(nodes, "layers", [row("x0")], [row(f"x{DEPTH}")], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path, save_as_external_data=outside, location=f"{path.name}.data")


def measured(*command):
    return json.loads(subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout)


def rounds(ours, other):
    """Both sides in turn, the order reversed from round to round, after one of each that warms the page cache."""
    pairs = []
    for number in range(ROUNDS + 1):
        first, second = (ours, other) if number % 2 else (other, ours)
        results = [measured(*first), measured(*second)]
        pairs.append(results if number % 2 else results[::-1])
    return pairs[1:]


def row(name, what, goal, pairs, fact):
    ratios = [mine[fact] / other[fact] for mine, other in pairs]
    time = lambda side: statistics.median(pair[side]["seconds"] for pair in pairs) * 1e6 if fact == "seconds" else 0
    return {"name": name, "what": what, "ratio": statistics.median(ratios), "goal": goal,
            "spread": max(ratios) - min(ratios), "ours_us": time(0), "other_us": time(1), "rounds": len(ratios)}


def megabytes(pairs, side):
    return round(statistics.median(pair[side]["peak_kb"] for pair in pairs) / 1024)


def main():
    binary, library = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.onnx"
        write_model(path, outside=False)
        theirs = [sys.executable, "-c", THEIRS]
        opened = rounds([binary, "open", path], [*theirs, "open", path])
        patched = rounds([binary, "patch", path, library], [*theirs, "patch", path])
        memory = rounds([binary, "patch", path, library], [binary, "load", path, library])
        path.unlink()
        write_model(path, outside=True)
        outside = rounds([binary, "patch", path, library], [binary, "load", path, library])
    sizes = lambda pairs: f"({megabytes(pairs, 0)} and {megabytes(pairs, 1)} MiB)"
    print(json.dumps([
        row("edit_open_1GB", "open 1 GB for editing ÷ onnx.load", 1 / 50, opened, "seconds"),
        row("edit_open_1GB_memory", f"peak memory of it ÷ that of onnx.load {sizes(opened)}", 1 / 10, opened, "peak_kb"),
        row("edit_patch_1GB", "open, patch a weight, create a session; 1 GB ÷ onnx.load, edit, SerializeToString, InferenceSession",
            1.0, patched, "seconds"),
        row("edit_patch_1GB_memory", f"peak memory of it ÷ that of ORT's own load of the file {sizes(memory)}",
            1.3, memory, "peak_kb"),
        row("edit_patch_1GB_outside_memory", f"the same of a model with its weights in a file beside it {sizes(outside)}",
            1.3, outside, "peak_kb"),
    ]))


main()

"""Times `run` from Python beside onnxruntime's own class and ORT's C API by hand, in one process, and prints rows.

    python_overhead.py LIBSUREFOOT_BY_HAND ORT_LIBRARY

An overhead is the time of a call beyond that of the same work through the C API: tensor, Run, output. It is taken
from the quickest quarter of the rounds; its spread is that between four interleaved quarters of them.
"""

import ctypes
import json
import pathlib
import statistics
import sys
import tempfile
import threading
import time

import numpy as np
import onnxruntime

import surefoot

ROUNDS, CALLS, THREADS = 101, 1000, 8


def seconds(call, *given):
    begin = time.perf_counter()
    for _ in range(CALLS):
        call(*given)
    return time.perf_counter() - begin


def threaded_seconds(call, *given):
    threads = [threading.Thread(target=seconds, args=(call, *given)) for _ in range(THREADS)]
    begin = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begin


def rounds(*sides, count=ROUNDS):
    """The times of each side, the order reversed from round to round."""
    times = [[] for _ in sides]
    for number in range(count):
        order = list(enumerate(sides))
        for place, side in order if number % 2 else reversed(order):
            times[place].append(side())
    return times


def row(name, what, goal, ratios, ours, other, calls):
    quartiles = statistics.quantiles(ratios, n=4)
    return {
        "name": name,
        "what": what,
        "ratio": statistics.median(ratios),
        "goal": goal,
        "spread": quartiles[2] - quartiles[0],
        "ours_us": statistics.median(ours) / calls * 1e6,
        "other_us": statistics.median(other) / calls * 1e6,
        "rounds": len(ratios),
    }


def quick(times):
    """The time of an undisturbed round: differences of single rounds are mostly the machine's noise."""
    return statistics.quantiles(times, n=4)[0]


def overhead_row(name, what, ours, theirs, by_hand, goal=1 / 3):
    mine, other, hand = rounds(ours, theirs, by_hand)
    parts = [[quick(side[first::4]) for side in (mine, other, hand)] for first in range(4)]
    ratios = [(a - least) / (b - least) for a, b, least in parts]
    least = quick(hand)
    made = row(name, what, goal, ratios, [quick(mine) - least] * 2, [quick(other) - least] * 2, CALLS)
    return made | {"ratio": made["ours_us"] / made["other_us"], "rounds": ROUNDS}


def main():
    by_hand, library = ctypes.CDLL(sys.argv[1]), sys.argv[2]
    by_hand.by_hand_open.restype, by_hand.by_hand_seconds.restype = ctypes.c_void_p, ctypes.c_double
    with tempfile.TemporaryDirectory() as folder:
        opened = ctypes.c_void_p(by_hand.by_hand_open(library.encode(), folder.encode()))
        model = next(pathlib.Path(folder).glob("*.onnx")).read_bytes()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    theirs = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    drop_in = surefoot.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    native = surefoot.Session(model, only=["cpu"], intra_op_threads=1)
    assert pathlib.Path(native.runtime.path).resolve() == pathlib.Path(library).resolve(), "one library for all sides"
    feed = {"x": np.zeros((1, 64), np.float32)}

    def hand():
        return by_hand.by_hand_seconds(opened, ctypes.c_long(CALLS))

    def genuine():
        return seconds(theirs.run, None, feed)

    prepared = native.prepare(dims=dict.fromkeys((axis.name for axis in native.info.inputs[0].type.shape if axis.size < 0), 1))
    prepared.inputs["x"] = feed["x"]

    text = "beyond the same by hand ÷ that of onnxruntime's `run`; a model of 2 µs"
    rows = [
        overhead_row("python_run_overhead", f"Python, drop-in `run` {text}", lambda: seconds(drop_in.run, None, feed), genuine, hand),
        overhead_row("python_infer_overhead", f"Python, `Session.infer` {text}", lambda: seconds(native.infer, feed), genuine, hand),
        overhead_row("python_prepared_overhead", f"Python, `PreparedRun.run` {text}", lambda: seconds(prepared.run), genuine, hand, 1 / 8),
    ]
    ours, other = rounds(
        lambda: threaded_seconds(drop_in.run, None, feed), lambda: threaded_seconds(theirs.run, None, feed), count=31
    )
    what = f"Python, {THREADS} threads on one session ÷ the same with onnxruntime's class"
    rows.append(row("python_threads", what, 1.0, [a / b for a, b in zip(ours, other)], ours, other, CALLS * THREADS))
    print(json.dumps(rows))


main()

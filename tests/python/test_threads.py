"""Calls that take long leave Python its other threads."""

import threading
import time

import models
import numpy as np
import pytest

import surefoot

X = {"x": np.array([[1, 2, 3]], np.float32)}
PLAIN = {"only": ["cpu"], "intra_op_threads": 1}
HANG = "run=hang:400"


@pytest.fixture
def dense(tmp_path):
    (tmp_path / "dense.onnx").write_bytes(models.dense())
    return tmp_path / "dense.onnx"


class Counter(threading.Thread):
    """Notes the time every few milliseconds, whenever it may run."""

    def __init__(self):
        super().__init__()
        self.times, self.over = [], threading.Event()

    def run(self):
        while not self.over.wait(0.005):
            self.times.append(time.perf_counter())


def longest_wait(call):
    """The part of the call's time for which another thread had to wait at most; near 1 where the call keeps Python's lock."""
    counter = Counter()
    counter.start()
    begin = time.perf_counter()
    call()
    end = time.perf_counter()
    counter.over.set()
    counter.join()
    times = [begin, *(each for each in counter.times if begin < each < end), end]
    return max(np.diff(times)) / (end - begin)


def test_a_call_that_keeps_the_lock_is_noticed():
    assert longest_wait(lambda: [each + 1 for each in range(5_000_000)]) < 0.5  # Python's own code gives it away
    assert longest_wait(lambda: pow(7, 2_000_000)) > 0.9  # one operation does not


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda path: surefoot.tune(path, X, time=0.5, save=False, **PLAIN), id="tune"),
        pytest.param(lambda path: surefoot.measure_memory(path, X, **PLAIN), id="measure_memory"),
        pytest.param(lambda path: surefoot.make_report(path, X, time=0.4, **PLAIN), id="make_report"),
        pytest.param(lambda path: surefoot.write_report(path, path.with_suffix(".html"), X, time=0.4, **PLAIN), id="write_report"),
        pytest.param(lambda path: surefoot.bench(path, X, time=0.5), id="bench"),
    ],
)
def test_measuring_lets_other_threads_go_on(dense, call):
    assert longest_wait(lambda: call(dense)) < 0.5


def test_a_run_lets_other_threads_go_on(dense, faulty):
    hanging = {"prefer": [faulty], "provider_options": {faulty: {"fault": HANG}}}
    session = surefoot.Session(dense, **hanging)
    assert longest_wait(lambda: session.infer(X)) < 0.5
    run = session.prepare(dims={"N": 1})
    assert longest_wait(run.run) < 0.5


def test_a_run_in_onnxruntimes_manner_lets_other_threads_go_on(dense, faulty):
    session = surefoot.InferenceSession(dense, providers=[(faulty, {"fault": HANG}), "CPUExecutionProvider"])
    assert session.get_providers()[0] == faulty
    assert longest_wait(lambda: session.run(None, X)) < 0.5

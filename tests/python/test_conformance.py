"""The onnx package's own conformance suite: what onnxruntime's CPU provider passes, we pass."""

import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

import surefoot.backend

CASES = [case for kind in ("node", "simple", "pytorch-operator", "pytorch-converted")
         for case in load_model_tests(kind=kind) if case.model_dir]


def value_in(path, kind):
    """A value of the suite: a tensor, a sequence or an optional."""
    data = path.read_bytes()
    if kind.HasField("sequence_type"):
        return numpy_helper.to_list(onnx.SequenceProto.FromString(data))
    if kind.HasField("optional_type"):
        return numpy_helper.to_optional(onnx.OptionalProto.FromString(data))
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def data_set(folder, model):
    """Inputs by name and outputs in order. Raises what the onnx package raises of data that it cannot read."""
    inputs = {info.name: value_in(folder / f"input_{i}.pb", info.type) for i, info in enumerate(model.graph.input)}
    outputs = [value_in(folder / f"output_{i}.pb", info.type) for i, info in enumerate(model.graph.output)]
    return inputs, outputs


def same(ours, wanted, case):
    if wanted is None or isinstance(wanted, (list, tuple)):
        return (ours is None) == (wanted is None) and (
            wanted is None or len(ours) == len(wanted) and all(same(a, b, case) for a, b in zip(ours, wanted)))
    ours, wanted = np.asarray(ours), np.asarray(wanted)
    if ours.shape != wanted.shape or ours.dtype != wanted.dtype:
        return False
    if ours.dtype == object:
        return ours.tolist() == wanted.tolist()
    try:
        return bool(np.allclose(ours, wanted, rtol=case.rtol, atol=case.atol, equal_nan=True))
    except TypeError:
        return bool(np.allclose(ours.astype(np.float32), wanted.astype(np.float32), rtol=case.rtol, atol=case.atol, equal_nan=True))


def passes(run, case):
    """Whether `run(inputs)` gives what every data set of the case wants; the reason where it does not."""
    model = onnx.load(pathlib.Path(case.model_dir) / "model.onnx")
    for folder in sorted(pathlib.Path(case.model_dir).glob("test_data_set_*")):
        inputs, wanted = data_set(folder, model)
        if not all(same(mine, each, case) for mine, each in zip(run(model, inputs), wanted, strict=True)):
            return f"{folder.name} differs"
    return ""


def with_onnxruntime(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level, options.intra_op_num_threads = 4, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, inputs)


def with_surefoot(model, inputs):
    return surefoot.backend.prepare(model, "CPU", intra_op_threads=1).run(inputs)


def with_drop_in(model, inputs):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return surefoot.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"]).run(None, inputs)


def outcome(run, case):
    try:
        return passes(run, case)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]


def test_what_onnxruntime_passes_we_pass():
    passed = [case for case in CASES if outcome(with_onnxruntime, case) == ""]
    failed = {case.name: found for case in passed for run in (with_surefoot, with_drop_in) if (found := outcome(run, case))}
    assert not failed, failed
    assert len(passed) > 1000


def test_the_suite_runs_through_the_backend_as_the_onnx_package_runs_it():
    suite = onnx.backend.test.BackendTest(surefoot.backend, __name__).include(r"^test_(relu|add|if_seq|optional_has_element)")
    import unittest

    result = unittest.TestResult()
    for kind in suite.enable_report().test_cases.values():
        unittest.defaultTestLoader.loadTestsFromTestCase(kind).run(result)
    ran = result.testsRun - len(result.skipped)
    assert ran >= 4 and not result.failures and not result.errors


@pytest.mark.parametrize("device, can", [("CPU", True), ("CUDA:1", False)])
def test_the_backend_says_where_it_runs(device, can):
    assert surefoot.backend.supports_device(device) is can

"""The surefoot command and Python's onnxruntime, run on the same inputs with the same ONNX Runtime."""

import os
import pathlib
import subprocess

import numpy as np
import onnxruntime

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("SUREFOOT_BINARY", str(ROOT / "build/dev/bin/surefoot"))


def library():
    """The ONNX Runtime of the wheel that Python imports, as a library of its own."""
    (found,) = pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so.*")
    return str(found)


def surefoot(*arguments, **variables):
    """Runs the command, with more environment variables; its exit code, stdout and stderr."""
    environment = os.environ | {"SUREFOOT_ONNXRUNTIME": library(), "ORT_DISABLE_TELEMETRY": "1", "NO_COLOR": "1"}
    environment |= variables
    return subprocess.run([BINARY, *map(str, arguments)], env=environment, cwd=ROOT, capture_output=True,
                          text=True, timeout=120)


def run_files(model, inputs, folder):
    """Runs a model on `NAME=WHAT` inputs and returns its outputs by name."""
    saved = folder / "out.npz"
    saved.unlink(missing_ok=True)
    given = [part for name, what in inputs.items() for part in ("--input", f"{name}={what}")]
    done = surefoot("run", model, *given, "--threads", 1, "--save", saved)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stderr}"
    with np.load(saved) as outputs:
        return dict(outputs)


def run(model, arrays, folder):
    """The same on numpy arrays."""
    files = {}
    for index, (name, array) in enumerate(arrays.items()):
        files[name] = folder / f"in{index}.npy"
        np.save(files[name], array)
    return run_files(model, files, folder)


def reference_session(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])


def reference(model, arrays):
    """What Python's onnxruntime answers."""
    session = reference_session(model)
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, arrays)))


def assert_same_bits(ours, theirs):
    assert sorted(ours) == sorted(theirs)
    for name, wanted in theirs.items():
        wanted = np.asarray(wanted)
        got = ours[name]
        assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), name
        if got.tobytes() != wanted.tobytes():
            np.testing.assert_array_equal(got, wanted, err_msg=name)


def run_like_reference(model, arrays, folder):
    """Runs both, asserts that no bit differs, and returns the outputs."""
    theirs = reference(model, arrays)
    assert_same_bits(run(model, arrays, folder), theirs)
    return theirs

"""Models edited by ours, and what their tests ask of them."""

import pathlib
import subprocess

import numpy as np
import onnx
from onnx import numpy_helper

import surefoot_command

DIGITS = surefoot_command.ROOT / "models/digits/digits.onnx"
APPLY_EDIT = pathlib.Path(surefoot_command.BINARY).parent / "surefoot_apply_edit"


def edit(model, out, *flags):
    done = surefoot_command.surefoot("edit", model, "-o", out, *flags)
    assert done.returncode == 0, done.stderr
    return out


def weights_of(model):
    """Every initializer of the main graph as an array."""
    graph = onnx.load(model).graph
    return {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}


def apply_edit(model, out, *words):
    """An edit that the command does not have: tests/edits."""
    done = subprocess.run([APPLY_EDIT, *map(str, (model, out, *words))], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return out


def largest_float_weight(model):
    arrays = {name: array for name, array in weights_of(model).items() if array.dtype == np.float32 and array.size}
    return max(arrays.items(), key=lambda item: item[1].size, default=None)


# Where a model wants sizes that do not follow from its types: the arrays by its name's beginning.
KNOWN = {
    "PP-OCRv6_det": lambda: {"x": np.ones((1, 3, 64, 64), np.float32)},
    "silero_vad": lambda: {"input": np.ones((1, 512), np.float32), "state": np.ones((2, 1, 128), np.float32),
                           "sr": np.array(16000, np.int64)},
}


def ones(model):
    """An array for each input, of a size that the model takes."""
    numbers = {"tensor(float)": np.float32, "tensor(int64)": np.int64, "tensor(int32)": np.int32}
    session = surefoot_command.reference_session(model)
    sizes = lambda shape: [size if isinstance(size, int) else (48 if axis == 2 else 2 if axis == 0 else 4800)
                           for axis, size in enumerate(shape)]
    arrays = {i.name: np.ones(sizes(i.shape), numbers[i.type]) for i in session.get_inputs()}
    for name, array in arrays.items():
        if array.dtype == np.int64:
            arrays[name] = np.asarray(array * 4800)
        elif array.ndim == 4 and array.shape[3] == 4800:
            arrays[name] = array[:, :, :, :320]
    return arrays


def inputs_of(model):
    """An array for each input of a published model, in its order."""
    known = next((arrays() for name, arrays in KNOWN.items() if pathlib.Path(model).name.startswith(name)), {})
    names = [each.name for each in surefoot_command.reference_session(model).get_inputs()]
    return [known[name] for name in names] if set(names) <= set(known) else list(ones(model).values())

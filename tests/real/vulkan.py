"""WebGPU on a Vulkan driver that computes on the CPU: scripts/test gets it where it can be had."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import packages
from surefoot_command import BINARY, ROOT


def variables():
    """The variables under which programs find the driver; skips without one."""
    file = os.environ.get("SUREFOOT_TEST_VULKAN")
    if not file:
        pytest.skip("no Vulkan driver: `scripts/test real` gets one on Debian, from the release or its backports")
    return dict(line.split("=", 1) for line in pathlib.Path(file).read_text().splitlines())


def library():
    """The ONNX Runtime that has WebGPU in it."""
    (found,) = packages.folder("onnxruntime-node").rglob("libonnxruntime.so.1")
    return str(found)


def environment(**changes):
    return os.environ | variables() | {"SUREFOOT_ONNXRUNTIME": library(), "NO_COLOR": "1"} | changes


def surefoot(*arguments, **changes):
    """Runs the command with the driver; the first run of a model compiles shaders for seconds."""
    return subprocess.run([BINARY, *map(str, arguments)], env=environment(**changes), cwd=ROOT, capture_output=True,
                          text=True, timeout=240)


def outputs_of(folder, *arguments, **changes):
    """The outputs of `surefoot run`, by name, and what it says on stderr."""
    saved = folder / "out.npz"
    saved.unlink(missing_ok=True)
    done = surefoot("run", *arguments, "--save", saved, **changes)
    assert done.returncode == 0, done.stderr
    with np.load(saved) as outputs:
        return dict(outputs), done.stderr

"""A provider that compiles the whole model, for real: OpenVINO inside an ONNX Runtime of its own, on any x86 CPU."""

import json
import os
import subprocess

import numpy as np
import pytest

import packages
from surefoot_command import BINARY, ROOT, reference, reference_session

DIGITS = ROOT / "models/digits/digits.onnx"
HOW = {"plain": [], "prepared": ["--prepared", "--repeat", "3"]}


def run(folder, model, arrays, *arguments):
    """The outputs by name, and what the command says of the run."""
    (library,) = packages.folder("onnxruntime-openvino").rglob("libonnxruntime.so.1*")
    saved = folder / "out.npz"
    given = []
    for index, (name, array) in enumerate(arrays.items()):
        np.save(folder / f"in{index}.npy", array)
        given += ["--input", f"{name}={folder / f'in{index}.npy'}"]
    done = subprocess.run([BINARY, "run", model, *given, "--only", "openvino", "-o", "openvino.device_type=CPU", "--save",
                           saved, "--json", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120,
                          env=os.environ | {"SUREFOOT_ONNXRUNTIME": str(library), "NO_COLOR": "1"})
    assert done.returncode == 0, done.stderr
    with np.load(saved) as outputs:
        return dict(outputs), json.loads(done.stdout)


def magika():
    (model,) = packages.models("magika")
    name = reference_session(model).get_inputs()[0].name
    return model, {name: np.random.default_rng(2).integers(0, 256, (1, 2048), np.int32)}


def digits():
    return DIGITS, {"image": np.random.default_rng(1).random((1, 1, 8, 8), np.float32)}


@pytest.mark.parametrize("arguments", HOW.values(), ids=HOW.keys())
@pytest.mark.parametrize("model_and_inputs", [digits, magika])
def test_the_outputs_are_those_of_the_cpu(model_and_inputs, arguments, tmp_path):
    model, arrays = model_and_inputs()
    ours, said = run(tmp_path, model, arrays, *arguments)
    assert said["provider"] == "openvino"
    assert said["events"] == [], "one tells when the provider took no node"
    for name, wanted in reference(model, arrays).items():
        np.testing.assert_allclose(ours[name], wanted, rtol=1e-2, atol=1e-4, err_msg=name)


def test_it_captures_no_graphs_and_says_so(tmp_path):
    _, said = run(tmp_path, *digits(), "--prepared", "--graph", "try")
    assert said["graph"] == {"wanted": "try", "captured": False, "reason": "`openvino` captures no graphs"}
    assert [event["stage"] for event in said["events"]] == ["capture"]

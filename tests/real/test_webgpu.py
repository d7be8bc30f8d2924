"""A provider with a device and memory of its own, for real: WebGPU on a software Vulkan driver."""

import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

import packages
import vulkan
from surefoot_command import BINARY, ROOT, reference, reference_session

DIGITS = ROOT / "models/digits/digits.onnx"
TEST_MODELS = pathlib.Path(os.environ.get("SUREFOOT_TEST_MODELS", ROOT / "build/test-models"))
PROGRAM = pathlib.Path(BINARY).parent / "surefoot_webgpu_tests"


def webgpu_programs():
    listed = subprocess.run([PROGRAM, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    return ["WebGpu." + line.strip() for line in listed.splitlines() if line.startswith("  ")]


def made_up(shape):
    return np.random.default_rng(1).random(shape, np.float32)


@pytest.mark.parametrize("prepared", [[], ["--prepared", "--repeat", 3]], ids=["plain", "prepared"])
def test_the_outputs_are_those_of_the_cpu(prepared, tmp_path):
    image = made_up((1, 1, 8, 8))
    np.save(tmp_path / "x.npy", image)
    ours, said = vulkan.outputs_of(tmp_path, DIGITS, "--input", f"image={tmp_path / 'x.npy'}", *prepared)
    assert "webgpu  " in said and "chosen with cpu" in said
    theirs = reference(DIGITS, {"image": image})
    np.testing.assert_allclose(ours["probabilities"], theirs["probabilities"], rtol=1e-3, atol=1e-5)


def test_a_published_model_runs_there_with_its_outputs_within_tolerance(tmp_path):
    (model,) = packages.models("magika")
    data = np.random.default_rng(2).integers(0, 256, (1, 2048), np.int32)
    np.save(tmp_path / "x.npy", data)
    name = reference_session(model).get_inputs()[0].name
    ours, said = vulkan.outputs_of(tmp_path, model, "--only", "webgpu", "--input", f"{name}={tmp_path / 'x.npy'}")
    assert "webgpu  chosen" in said
    for output, wanted in reference(model, {name: data}).items():
        np.testing.assert_allclose(ours[output], wanted, rtol=1e-2, atol=1e-4, err_msg=output)


def test_the_placement_says_why_nodes_stay_on_the_cpu():
    model = packages.folder("silero-vad") / "data/silero_vad.onnx"
    feed = ["-i", "input=random:1x512", "-i", "state=zeros:2x1x128", "-i", "sr=16000"]
    done = vulkan.surefoot("placement", model, *feed, "--prefer", "webgpu", "--json")
    nodes = json.loads(done.stdout)["nodes"]
    why = {node["op"]: node.get("why_not", "") for node in nodes if node["provider"] == "cpu"}
    assert why["Gather"] == "webgpu has no kernel for this operator, version and types"
    assert all("why_not" not in node for node in nodes if node["provider"] == "webgpu")


def test_without_a_working_driver_the_cpu_answers_and_the_reason_is_told(tmp_path):
    image = made_up((1, 1, 8, 8))
    np.save(tmp_path / "x.npy", image)
    ours, said = vulkan.outputs_of(tmp_path, DIGITS, "--input", f"image={tmp_path / 'x.npy'}",
                                   VK_DRIVER_FILES=str(tmp_path / "none.json"))
    assert "webgpu: register failed" in said and "adapter" in said
    theirs = reference(DIGITS, {"image": image})
    np.testing.assert_array_equal(ours["probabilities"], theirs["probabilities"])


def test_where_it_is_required_a_missing_driver_is_the_error(tmp_path):
    done = vulkan.surefoot("run", DIGITS, "--input", "image=zeros", "--only", "webgpu",
                           VK_DRIVER_FILES=str(tmp_path / "none.json"))
    assert done.returncode == 2
    assert "adapter" in done.stderr


def test_a_graph_is_captured_once_and_replayed(tmp_path):
    image = made_up((1, 1, 8, 8))
    np.save(tmp_path / "x.npy", image)
    ours, said = vulkan.outputs_of(tmp_path, DIGITS, "--input", f"image={tmp_path / 'x.npy'}", "--prepared",
                                   "--graph", "require", "--repeat", 5)
    assert "replaying a graph" in said
    theirs = reference(DIGITS, {"image": image})
    np.testing.assert_allclose(ours["probabilities"], theirs["probabilities"], rtol=1e-3, atol=1e-5)


def test_a_model_that_needs_the_cpu_too_is_run_plainly_where_a_graph_is_only_tried(tmp_path):
    """Its NonZero runs on the CPU, and ONNX Runtime refuses to open it for capture."""
    model = TEST_MODELS / "mixed.onnx"
    arguments = [model, "--input", "x=ones:1x64", "--prepared", "--repeat", 2, "--only", "webgpu,cpu"]
    ours, said = vulkan.outputs_of(tmp_path, *arguments, "--graph", "try")
    assert "webgpu: note (capture" in said and "chosen" in said
    plain, _ = vulkan.outputs_of(tmp_path, *arguments)
    for name, wanted in plain.items():
        np.testing.assert_array_equal(ours[name], wanted, err_msg=name)
    done = vulkan.surefoot("run", model, "--input", "x=ones:1x64", "--prepared", "--graph", "require", "--only", "webgpu")
    assert done.returncode == 2
    assert "opening it for graph capture" in done.stderr


@pytest.mark.parametrize("name", webgpu_programs())
def test_the_library_on_webgpu(name):
    """The tests of tests/real/webgpu_test.cpp, each in a process that finds the driver."""
    done = subprocess.run([PROGRAM, f"--gtest_filter={name}"], env=vulkan.environment(), capture_output=True,
                          text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr

"""The UNet example: sizes by name, a weight's patch and its undo; in C++, on the command line, and on the page about it."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import surefoot_command
from edited import edit

PROGRAMS = pathlib.Path(surefoot_command.BINARY).parent
SIZES = {"unet_sample_batch": 2, "unet_sample_channels": 4, "unet_sample_height": 64, "unet_sample_width": 48,
         "unet_time_batch": 1, "unet_hidden_batch": 2, "unet_hidden_sequence": 77}


@pytest.fixture
def unet(tmp_path):
    path = tmp_path / "unet.onnx"
    subprocess.run([sys.executable, surefoot_command.ROOT / "examples/unet/make_unet.py", path], check=True)
    return path


def program(name, *arguments, cwd=None):
    environment = os.environ | {"SUREFOOT_ONNXRUNTIME": surefoot_command.library(), "ORT_DISABLE_TELEMETRY": "1"}
    return subprocess.run([PROGRAMS / name, *map(str, arguments)], env=environment, cwd=cwd, capture_output=True,
                          text=True, timeout=120)


def inputs():
    random = np.random.default_rng(1)
    return {"sample": random.standard_normal((2, 4, 64, 48), np.float32), "timestep": np.array([981], np.float32),
            "encoder_hidden_states": random.standard_normal((2, 77, 32), np.float32)}


def test_a_patch_changes_the_answer_and_its_undo_restores_every_bit(unet):
    done = program("surefoot_unet_example", unet, 384, 512)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [
        f"patched: {2 * 4 * 64 * 48} of {2 * 4 * 64 * 48} values differ",
        "restored: every value is what it was",
        "session created: there was none",
        "session replaced: weight `mid.attn.to_q.weight` differs",
        "session replaced: weight `mid.attn.to_q.weight` differs"]


def test_the_command_fixes_sizes_by_name_and_changes_a_weight_there_and_back(unet, tmp_path):
    sizes = [part for name, size in SIZES.items() for part in ("--fix-dim", f"{name}={size}")]
    fixed = edit(unet, tmp_path / "fixed.onnx", *sizes)
    (to_q,) = [numpy_helper.to_array(tensor) for tensor in onnx.load(unet).graph.initializer
               if tensor.name == "mid.attn.to_q.weight"]
    np.save(tmp_path / "value.npy", to_q + np.float32(0.5))
    np.save(tmp_path / "back.npy", to_q)
    changed = edit(fixed, tmp_path / "changed.onnx", "--set", f"mid.attn.to_q.weight={tmp_path / 'value.npy'}")
    restored = edit(changed, tmp_path / "restored.onnx", "--set", f"mid.attn.to_q.weight={tmp_path / 'back.npy'}")
    assert restored.read_bytes() == fixed.read_bytes()
    plain = surefoot_command.run_like_reference(fixed, inputs(), tmp_path)["out_sample"]
    patched = surefoot_command.run_like_reference(changed, inputs(), tmp_path)["out_sample"]
    assert plain.shape == (2, 4, 64, 48) and not np.array_equal(plain, patched)
    assert surefoot_command.run_like_reference(restored, inputs(), tmp_path)["out_sample"].tobytes() == plain.tobytes()


def test_other_sizes_than_the_fixed_ones_are_refused_by_name(unet, tmp_path):
    fixed = edit(unet, tmp_path / "fixed.onnx", "--fix-dim", "unet_hidden_sequence=77")
    np.save(tmp_path / "text.npy", np.zeros([2, 76, 32], np.float32))
    done = surefoot_command.surefoot("run", fixed, "--input", f"encoder_hidden_states={tmp_path / 'text.npy'}",
                                     "--input", "sample=zeros:2x4x8x8", "--input", "timestep=[1.0]")
    assert done.returncode == 2 and "`encoder_hidden_states`" in done.stderr and "77" in done.stderr


def test_the_page_on_editing_does_what_it_shows(unet, tmp_path):
    done = program("surefoot_editing_page", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    onnx.checker.check_model(str(tmp_path / "out.onnx"), full_check=True)
    assert "mid.biased: Sub" in done.stdout and "mid_block.out: float32[" in done.stdout

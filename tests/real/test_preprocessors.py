"""onnx-asr's audio preprocessors: free length, two inputs that share their batch."""

import numpy as np
import pytest

import packages
from surefoot_command import assert_same_bits, reference, run_files, run_like_reference


def test_the_package_carries_at_least_26():
    assert len(packages.models("onnx-asr")) >= 26


@pytest.mark.parametrize("model", packages.models("onnx-asr"), ids=lambda path: path.stem)
def test_two_recordings_of_different_length_are_prepared(model, spoken, tmp_path):
    samples = spoken[:22050]
    shorter = np.where(np.arange(len(samples)) < 9000, samples, 0).astype(np.float32)
    inputs = {"waveforms": np.stack([samples, shorter]), "waveforms_lens": np.array([len(samples), 9000])}
    outputs = run_like_reference(model, inputs, tmp_path)
    values, lengths = outputs.values()
    assert lengths[0] > lengths[1] > 0 or "whisper" in model.name  # whisper pads everything to 30 s
    assert np.isfinite(values).all() and values.any()


def test_a_sound_file_goes_straight_in(spoken_file, spoken, tmp_path):
    (model,) = [path for path in packages.models("onnx-asr") if path.stem == "nemo80"]
    theirs = reference(model, {"waveforms": spoken[None], "waveforms_lens": np.array([len(spoken)])})
    ours = run_files(model, {"waveforms": spoken_file, "waveforms_lens": f"[{len(spoken)}]"}, tmp_path)
    assert_same_bits(ours, theirs)

import pathlib

import numpy as np
import pytest

import material
import packages
import surefoot_command


@pytest.fixture(scope="session", autouse=True)
def command_is_built():
    if not pathlib.Path(surefoot_command.BINARY).is_file():
        pytest.exit(f"{surefoot_command.BINARY} is not there: build it first (scripts/test builds it)", 1)


@pytest.fixture(scope="session")
def spoken_file(tmp_path_factory):
    """The sentence as the synthesiser writes it: 16-bit mono at 22050 Hz."""
    return material.speak(tmp_path_factory.mktemp("speech") / "speech.wav")


@pytest.fixture(scope="session")
def spoken(spoken_file):
    """The same as samples."""
    samples, rate = material.samples_of(spoken_file)
    assert rate == 22050
    return samples


@pytest.fixture(scope="session")
def spoken_16k(spoken):
    """The same at 16000 Hz, by one of the preprocessors under test."""
    resample = packages.folder("onnx-asr") / "preprocessors/data/resample_22_16.onnx"
    lengths = np.array([len(spoken)])
    return surefoot_command.reference(resample, {"waveforms": spoken[None], "waveforms_lens": lengths})["resampled"][0]

"""silero-vad: six exports of one detector, with recurrent state, If nodes, a scalar int64, fp16."""

import numpy as np
import pytest

import packages
from surefoot_command import reference, reference_session, run_like_reference

WINDOW, CONTEXT = 512, 64  # samples at 16 kHz


def variants():
    return packages.models("silero-vad")


def windows(samples):
    """Each window with the end of the one before it in front."""
    padded = np.concatenate([np.zeros(CONTEXT, np.float32), samples])
    count = len(samples) // WINDOW
    return np.stack([padded[i * WINDOW : i * WINDOW + WINDOW + CONTEXT] for i in range(count)])


def first_state(model):
    """Zeros for each recurrent input, the rate for `sr`."""
    state = {}
    for given in reference_session(model).get_inputs()[1:]:
        if given.name == "sr":
            state["sr"] = np.array(16000, np.int64)
        else:
            state[given.name] = np.zeros([size if isinstance(size, int) else 1 for size in given.shape], np.float32)
    return state


def next_state(state, outputs):
    return {name: outputs.get(f"{name}N", outputs.get(f"{name}n", value)) for name, value in state.items()}


def steps(model, samples):
    """What the model takes at once: all windows for the sequence export, one for the others."""
    all_windows = windows(samples)
    return [all_windows] if "sequence" in model.name else [row[None] for row in all_windows]


def test_the_package_carries_six_variants():
    assert len(variants()) == 6


@pytest.mark.parametrize("model", variants(), ids=lambda path: path.stem)
def test_speech_is_told_from_silence_with_the_state_carried_on(model, spoken_16k, tmp_path):
    state, heard = first_state(model), []
    for step in steps(model, spoken_16k[: 6 * WINDOW]):
        outputs = run_like_reference(model, {"input": step} | state, tmp_path)
        state = next_state(state, outputs)
        heard.extend(np.ravel(outputs[next(iter(outputs))]))
    silence = reference(model, {"input": np.zeros_like(steps(model, spoken_16k)[0])} | first_state(model))
    assert max(heard) > 0.5
    assert np.max(silence[next(iter(silence))]) < 0.3

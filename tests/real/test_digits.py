"""The classifier of this repository, on pictures as a user gives them."""

import numpy as np
import pytest
from PIL import Image

from surefoot_command import ROOT, assert_same_bits, reference, run_files, surefoot

MODEL = ROOT / "models/digits/digits.onnx"


def example(digit):
    return ROOT / f"examples/digits/{digit}.png"


@pytest.mark.parametrize("digit", range(10))
def test_a_picture_file_is_read_as_python_reads_it(digit, tmp_path):
    pixels = np.asarray(Image.open(example(digit)), np.float64) * (1 / 255)
    theirs = reference(MODEL, {"image": pixels[None, None].astype(np.float32)})
    ours = run_files(MODEL, {"image": example(digit)}, tmp_path)
    assert_same_bits(ours, theirs)
    assert ours["probabilities"].argmax() == digit


def test_the_label_comes_first_and_the_reasons_stay_off_stdout():
    done = surefoot("run", MODEL, "--input", f"image={example(3)}", "--labels", ROOT / "models/digits/labels.txt",
                    "--top", 3)
    assert done.returncode == 0, done.stderr
    assert "3" in done.stdout.splitlines()[0] or "3" in done.stdout.splitlines()[1]
    assert "cpu" in done.stderr and "cpu" not in done.stdout

"""rapidocr's detector, classifier and recogniser: free image sizes, no batch of their own."""

import numpy as np
import pytest
from PIL import Image

import material
import packages
from surefoot_command import assert_same_bits, reference, reference_session, run_files, run_like_reference

TEXT = "Surefoot 2026: 42 models"


def model(part):
    (found,) = [path for path in packages.models("rapidocr") if f"_{part}_" in path.name]
    return found


def read_out(scores, alphabet):
    """Greedy decoding: the best letter of each step, repeats and blanks dropped."""
    best = scores[0].argmax(axis=1)
    kept = [b for b, before in zip(best, [0, *best[:-1]]) if b not in (0, before)]
    return "".join(alphabet[b] for b in kept)


def alphabet():
    letters = reference_session(model("rec")).get_modelmeta().custom_metadata_map["character"].splitlines()
    return ["", *letters, " "]


@pytest.mark.parametrize("text", [TEXT, "one line, much longer than the one before it"])
def test_the_recogniser_reads_a_rendered_line(text, tmp_path):
    picture = material.text_image(text)
    picture = picture.resize((picture.width * 48 // picture.height, 48), Image.Resampling.BILINEAR)
    (scores,) = run_like_reference(model("rec"), {"x": material.planes(picture)}, tmp_path).values()
    assert read_out(scores, alphabet()).replace(" ", "") == text.replace(" ", "")


def test_a_picture_file_goes_straight_in(tmp_path):
    picture = material.text_image(TEXT, 36)
    picture.resize((picture.width, 48)).save(tmp_path / "line.png")
    theirs = reference(model("rec"), {"x": material.planes(Image.open(tmp_path / "line.png"))})
    half = "0.5:0.5:0.5"
    ours = run_files(model("rec"), {"x": f"{tmp_path / 'line.png'},order=bgr,mean={half},std={half}"}, tmp_path)
    assert_same_bits(ours, theirs)


@pytest.mark.parametrize("size", [(320, 96), (640, 352)])
def test_the_detector_finds_the_line_in_pictures_of_any_size(size, tmp_path):
    page = Image.new("RGB", size, "white")
    line = material.text_image("where is it?", 24)
    page.paste(line, (40, 32))
    mean, deviation = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    (found,) = run_like_reference(model("det"), {"x": material.planes(page, mean, deviation)}, tmp_path).values()
    rows, columns = np.nonzero(found[0, 0] > 0.3)
    assert 32 <= rows.min() and rows.max() <= 32 + line.height
    assert 40 <= columns.min() and columns.max() <= 40 + line.width


@pytest.mark.parametrize("turned", [0, 180])
def test_the_classifier_tells_upright_from_upside_down(turned, tmp_path):
    picture = material.text_image("upside down").resize((192, 48), Image.Resampling.BILINEAR).rotate(turned)
    (scores,) = run_like_reference(model("cls"), {"x": material.planes(picture)}, tmp_path).values()
    assert scores[0].argmax() == turned // 180

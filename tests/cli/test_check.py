"""surefoot check: all that stands in a model's way, at once."""

import json

import pytest
from conftest import MODELS, ROOT


@pytest.mark.parametrize(
    ("name", "code"),
    [("mlp", 0), ("ir_99", 1), ("custom_domain", 1), ("external_missing", 1), ("hard_coded_reshape", 0), ("fp16_matmul", 0)],
)
def test_a_model_is_checked(surefoot, matches, name, code):
    done = surefoot("check", MODELS / f"{name}.onnx")
    matches(f"check_{name}", done)
    assert done.returncode == code


def test_a_check_in_json(surefoot):
    document = json.loads(surefoot("check", MODELS / "opset_99.onnx", "--json").stdout)
    assert document["schema"] == "surefoot.check/1"
    assert document["ready"] is False
    assert document["first_runtime"] == ""
    assert [fit["accepts"] for fit in document["runtimes"]] == [False] * len(document["runtimes"])
    assert document["findings"][0]["slug"] == "model-opset-too-new"


def test_a_file_that_is_no_model_cannot_be_checked(surefoot):
    done = surefoot("check", MODELS / "html_page.onnx")
    assert done.returncode == 2
    assert "an HTML page" in done.stderr


def test_without_runtimes_it_needs_none(surefoot):
    done = surefoot("check", ROOT / "models/digits/digits.onnx", "--no-runtimes", SUREFOOT_ONNXRUNTIME="/no/such/file")
    assert done.returncode == 0
    assert "reads it" not in done.stdout


def test_each_entry_that_a_check_names_exists(surefoot):
    for model in ("custom_domain", "external_missing", "hard_coded_reshape", "fp16_matmul", "if_else", "ep_context_embedded"):
        for finding in json.loads(surefoot("check", MODELS / f"{model}.onnx", "--json", "--no-runtimes").stdout)["findings"]:
            if "slug" in finding:
                assert surefoot("explain", finding["slug"]).returncode == 0

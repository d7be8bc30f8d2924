"""surefoot weights, nodes, edit and diff: what they print, and what they refuse."""

import json

import numpy as np

from conftest import ROOT

DIGITS = ROOT / "models/digits/digits.onnx"


def test_weights_are_listed(surefoot, matches):
    matches("weights", surefoot("weights", DIGITS))


def test_weights_with_statistics(surefoot, matches):
    matches("weights_stats", surefoot("weights", DIGITS, "--stats", "--grep", "bias|weight"))


def test_a_pattern_that_fits_nothing_is_a_no(surefoot):
    done = surefoot("weights", DIGITS, "--grep", "no such weight")
    assert (done.returncode, done.stdout) == (1, "")


def test_a_broken_pattern_is_refused(surefoot, matches):
    matches("weights_broken_pattern", surefoot("weights", DIGITS, "--grep", "("))


def test_an_edit_without_a_file_to_write_is_refused(surefoot, matches):
    matches("edit_without_output", surefoot("edit", DIGITS))


def test_a_value_of_another_shape_is_refused_with_the_flag_that_takes_it(surefoot, matches, tmp_path):
    name = json.loads(surefoot("weights", DIGITS, "--json").stdout)["weights"][0]["name"]
    done = surefoot("edit", DIGITS, "-o", tmp_path / "out.onnx", "--set", f"{name}=[1.0,2.0]")
    matches("edit_wrong_shape", done)
    assert not (tmp_path / "out.onnx").exists()


def test_unknown_names_are_refused_with_the_nearest(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    for flags, nearest in [
        (["--fix-dim", "bacth=2"], "`batch`"),
        (["--rename", "imgae=x"], "`image`"),
        (["--remove-output", "probabilites"], "`probabilities`"),
        (["--free-dim", "imagee:0=n"], "`image`"),
    ]:
        done = surefoot("edit", DIGITS, "-o", out, *flags)
        assert done.returncode == 2 and f"did you mean {nearest}" in done.stderr, done.stderr
    assert not out.exists()


def test_wrong_words_are_refused(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    for flags, text in [
        (["--fix-dim", "batch=two"], "a whole number is wanted"),
        (["--free-dim", "image=n"], "`PORT:AXIS=NAME` is wanted"),
        (["--to-external", "1XB"], "a size is wanted"),
        (["--to-external", "1MB", "--to-internal"], "contradict each other"),
        (["--set", "weight"], "has no weight `weight`"),
    ]:
        done = surefoot("edit", DIGITS, "-o", out, *flags)
        assert done.returncode == 2 and text in done.stderr, done.stderr


def test_a_freed_dimension_is_free(surefoot, tmp_path):
    fixed, freed = tmp_path / "fixed.onnx", tmp_path / "freed.onnx"
    assert surefoot("edit", DIGITS, "-o", fixed, "--fix-dim", "batch=1").returncode == 0
    assert "float32[1,1,8,8]" in surefoot("inspect", fixed).stdout
    assert surefoot("edit", fixed, "-o", freed, "--free-dim", "image:0=n").returncode == 0
    assert "float32[n,1,8,8]" in surefoot("inspect", freed).stdout


def test_json_tells_whether_anything_was_edited(surefoot, tmp_path):
    done = surefoot("edit", DIGITS, "-o", tmp_path / "out.onnx", "--json")
    document = json.loads(done.stdout)
    assert (document["schema"], document["edited"]) == ("surefoot.edit/1", False)


def test_nodes_are_listed(surefoot, matches):
    matches("nodes", surefoot("nodes", DIGITS, "--check"))


def test_nodes_as_json_have_their_attributes(surefoot):
    document = json.loads(surefoot("nodes", DIGITS, "--json", "--check").stdout)
    assert document["problems"] == []
    conv = document["nodes"][0]
    assert conv["op"] == "Conv"
    assert {"name": "kernel_shape", "kind": "ints", "value": [3, 3]} in conv["attributes"]


def test_weights_become_float16(surefoot, matches, tmp_path):
    out, large = tmp_path / "half.onnx", tmp_path / "large.npy"
    np.save(large, np.full([16, 8, 3, 3], 70000, np.float32))
    matches("edit_float16", surefoot("edit", DIGITS, "-o", out, "--to-fp16-weights", "--set", f"conv2.weight={large}"))
    rows = {row["name"]: row["type"] for row in json.loads(surefoot("weights", out, "--json").stdout)["weights"]}
    assert (rows["dense.weight"], rows["conv2.weight"], rows["dense.bias"]) == ("float16", "float32", "float32")


def test_json_names_the_weights_that_became_float16(surefoot, tmp_path):
    done = surefoot("edit", DIGITS, "-o", tmp_path / "half.onnx", "--to-fp16-weights", "--json")
    document = json.loads(done.stdout)["float16"]
    assert document["converted"] == ["conv2.weight", "dense.weight"] and document["kept"] == []
    assert document["bytes_saved"] == (4608 + 10240) // 2 and 0 < document["largest_error"] < 0.001


def test_an_output_without_a_type_is_said_where_no_onnx_runtime_can_tell_it(surefoot, tmp_path):
    for runtime, told in ((None, True), ("cpu-1.32.0", False)):
        variables = {} if runtime else {"SUREFOOT_ONNXRUNTIME": "/nonexistent"}
        done = surefoot("edit", DIGITS, "-o", tmp_path / "out.onnx", "--add-output", "relu1", **variables)
        assert done.returncode == 0
        assert ("`relu1` is written without a type" in done.stderr) == told, done.stderr


def test_differences_are_shown(surefoot, matches, tmp_path):
    bias, out = tmp_path / "bias.npy", tmp_path / "out.onnx"
    np.save(bias, np.full([8], 0.5, np.float32))
    flags = ["--fix-dim", "batch=1", "--rename", "image=pixels", "--set", f"conv1.bias={bias}"]
    assert surefoot("edit", DIGITS, "-o", out, *flags).returncode == 0
    matches("diff", surefoot("diff", DIGITS, out))


def test_no_difference_is_a_yes(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    surefoot("edit", DIGITS, "-o", out, "--to-external", "0")
    done = surefoot("diff", DIGITS, out, "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["same"], document["differences"]) == (0, True, [])


def test_differences_as_json(surefoot, tmp_path):
    out = tmp_path / "out.onnx"
    surefoot("edit", DIGITS, "-o", out, "--fix-dim", "batch=3")
    done = surefoot("diff", DIGITS, out, "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["schema"], document["same"]) == (1, "surefoot.diff/1", False)
    assert document["differences"][0] == {"area": "input", "kind": "changed", "name": "image", "field": "type",
                                          "before": "float32[batch,1,8,8]", "after": "float32[3,1,8,8]"}


def test_one_model_is_too_few_to_compare(surefoot):
    done = surefoot("diff", DIGITS)
    assert done.returncode == 2 and "`diff` wants A B: two models' files" in done.stderr

"""surefoot run: real models on a real ONNX Runtime."""

import json

import numpy as np
import pytest
from conftest import MODELS, ROOT

DIGITS = ROOT / "models/digits/digits.onnx"
THREE = ROOT / "examples/digits/3.png"


def test_it_classifies_a_real_image(surefoot, matches):
    matches("digits", surefoot("run", DIGITS, "--input", f"image={THREE}", "--top", 3))


def test_the_name_of_a_single_input_may_be_left_out(surefoot):
    assert surefoot("run", DIGITS, "--input", THREE, "--top", 1, "-q").stdout.split()[2] == "3"


def test_labels_name_the_classes(surefoot, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("\n".join(f"digit {number}" for number in range(10)))
    assert "digit 3" in surefoot("run", DIGITS, "-i", THREE, "--labels", labels, "-q").stdout


def test_quiet_says_nothing_on_stderr(surefoot):
    done = surefoot("run", DIGITS, "--input", THREE, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")


def test_json_holds_plan_events_times_and_outputs(surefoot):
    done = surefoot("run", DIGITS, "-i", THREE, "--json", "--repeat", 3, "-q")
    document = json.loads(done.stdout)
    assert document["schema"] == "surefoot.run/1"
    assert document["provider"] == "cpu"
    assert document["events"] == []
    assert len(document["run_ms"]) == 3
    assert {candidate["verdict"] for candidate in document["candidates"]} == {"viable", "rejected"}
    (output,) = document["outputs"]
    assert output["name"] == "probabilities"
    assert np.argmax(output["value"]) == 3


def test_a_prepared_run_gives_what_a_plain_one_gives(surefoot):
    plain = surefoot("run", DIGITS, "-i", THREE, "--json", "-q")
    prepared = surefoot("run", DIGITS, "-i", THREE, "--json", "-q", "--prepared", "--repeat", 3)
    assert json.loads(prepared.stdout)["outputs"] == json.loads(plain.stdout)["outputs"]
    assert len(json.loads(prepared.stdout)["run_ms"]) == 3


def test_a_graph_that_the_cpu_cannot_capture_is_tried_or_the_error(surefoot):
    tried = surefoot("run", DIGITS, "-i", THREE, "--json", "--prepared", "--graph", "try")
    assert tried.returncode == 0, tried.stderr
    told = json.loads(tried.stdout)
    assert told["graph"] == {"wanted": "try", "captured": False, "reason": "`cpu` captures no graphs"}
    assert [event["stage"] for event in told["events"]] == ["capture"]
    assert "capture" in tried.stderr
    required = surefoot("run", DIGITS, "-i", THREE, "--prepared", "--graph", "require")
    assert required.returncode == 2
    assert "`cpu` captures no graphs" in required.stderr


def test_a_graph_is_for_prepared_runs(surefoot):
    done = surefoot("run", DIGITS, "-i", THREE, "--graph", "try")
    assert done.returncode == 2
    assert "add `--prepared`" in done.stderr


def test_a_prepared_run_refuses_a_shape_that_does_not_fit(surefoot):
    done = surefoot("run", DIGITS, "-i", "image=zeros:1x1x9x8", "--prepared")
    assert done.returncode == 2
    assert "input `image` cannot have the shape [1,1,9,8]" in done.stderr


def test_a_second_run_opens_what_the_first_one_kept(surefoot, tmp_path):
    cache = ("--cache", "--cache-folder", tmp_path)
    first = surefoot("run", DIGITS, "-i", THREE, "--json", "-q", *cache)
    second = surefoot("run", DIGITS, "-i", THREE, "--json", "-q", *cache)
    assert json.loads(first.stdout)["cache"] in ("filling", "stored")
    assert json.loads(second.stdout)["cache"] == "hit"
    assert json.loads(first.stdout)["outputs"] == json.loads(second.stdout)["outputs"]
    (model,) = json.loads(surefoot("cache", "list", "--json", "--cache-folder", tmp_path).stdout)["models"]
    assert model["model"].endswith("digits.onnx")
    assert "digits.onnx" in surefoot("cache", "list", "--cache-folder", tmp_path).stdout
    assert surefoot("cache", "path", "--cache-folder", tmp_path).stdout == f"{tmp_path}\n"
    assert surefoot("cache", "clear", "--cache-folder", tmp_path).returncode == 0
    assert json.loads(surefoot("cache", "list", "--json", "--cache-folder", tmp_path).stdout)["models"] == []


def test_the_cache_knows_three_words(surefoot):
    done = surefoot("cache", "fill")
    assert done.returncode == 2
    assert "known are `list`, `clear` and `path`" in done.stderr


def test_numpy_reads_what_is_saved(surefoot, tmp_path):
    saved = tmp_path / "out.npz"
    surefoot("run", DIGITS, "-i", THREE, "--save", saved)
    with np.load(saved) as outputs:
        assert outputs["probabilities"].shape == (1, 10)
        assert outputs["probabilities"].sum() == pytest.approx(1, abs=1e-5)


def test_made_up_inputs_run_a_model(surefoot):
    assert surefoot("run", DIGITS, "-i", "image=random:2x1x8x8").returncode == 0
    assert surefoot("run", DIGITS, "-i", "image=ones:1x1x8x8").returncode == 0


def test_several_problems_with_inputs_stand_in_one_error(surefoot, matches):
    matches("input_problems", surefoot("run", MODELS / "shared_batch.onnx", "-i", "a=zeros:1x4", "-i", "b=[[1,2,3,4],[1,2,3,4],[1,2,3,4]]", "-q"))


def test_a_misspelt_input_is_an_error_with_the_nearest_one(surefoot):
    done = surefoot("run", DIGITS, "-i", "imgae=zeros:1x1x8x8")
    assert done.returncode == 2
    assert "hint: did you mean `image`?" in done.stderr


def test_a_missing_input_is_an_error_that_says_how_to_give_it(surefoot):
    done = surefoot("run", DIGITS)
    assert done.returncode == 2
    assert "hint: give `--input image=FILE`, or `image=random:1x1x8x8` to try the model" in done.stderr


def test_an_output_that_cannot_be_ranked_is_given_as_it_is_beside_others(surefoot):
    model, given = MODELS / "two_outputs.onnx", ("-i", "x=[1,2,3]", "-i", 's=["a","b"]', "--top", 1, "-q")
    assert "best  string[2]" in surefoot("run", model, *given).stdout
    label, scores = json.loads(surefoot("run", model, *given, "--json").stdout)["outputs"]
    assert label["value"] == ["a", "b"]
    assert scores["top"][0][0]["index"] == 2


def test_only_the_outputs_asked_for_are_computed(surefoot):
    done = surefoot("run", DIGITS, "-i", THREE, "--outputs", "probabilitie", "-q")
    assert done.returncode == 2
    assert "did you mean `probabilities`?" in done.stderr


def test_a_profile_is_written_where_it_is_wanted(surefoot, tmp_path):
    done = surefoot("run", DIGITS, "-i", THREE, "--profile", tmp_path / "prof")
    (file,) = tmp_path.glob("prof*.json")
    assert f"profile: {file}" in done.stderr
    assert json.loads(file.read_text())


def test_the_optimized_model_is_written_and_runs(surefoot, tmp_path):
    surefoot("run", DIGITS, "-i", THREE, "--save-optimized", tmp_path / "optimized.onnx")
    assert surefoot("run", tmp_path / "optimized.onnx", "-i", THREE).returncode == 0


@pytest.mark.parametrize(
    ("flags", "hint"),
    [
        (["--config", "session.intra_op.allow_spining=0"], "did you mean `session.intra_op.allow_spinning`?"),
        (["--config", "gpu_graph_id=1"], "it is a run config key"),
        (["--dim", "batsh=1"], "did you mean `batch`?"),
        (["--option", "openvino.devise_type=CPU"], "did you mean `device_type`?"),
        (["--prefer", "opnvino"], "did you mean `openvino`?"),
        (["--only", "cpu", "--exclude", "cpu"], "drop it from one of the two lists"),
        (["--plugin", "p=/no/such/library.so"], "give the path of the library itself"),
    ],
)
def test_a_wrong_setting_is_an_error_with_the_nearest_one(surefoot, flags, hint):
    done = surefoot("run", DIGITS, "-i", THREE, *flags)
    assert done.returncode == 2
    assert f"hint: {hint}" in done.stderr
    assert done.stdout == ""


def test_a_fixed_dimension_refuses_another_size(surefoot):
    done = surefoot("run", DIGITS, "-i", "image=zeros:2x1x8x8", "--dim", "batch=1")
    assert done.returncode == 2
    assert "has axis 0" in done.stderr


@pytest.mark.parametrize("model", ["lfs_pointer", "html_page", "empty", "truncated", "external_missing", "ir_99", "opset_99", "custom_domain"])
def test_a_file_that_is_no_usable_model_is_explained(surefoot, matches, model):
    matches(f"file_{model}", surefoot("run", MODELS / f"{model}.onnx", "-q"))


def test_the_optimizers_bug_is_stepped_around_and_said(surefoot):
    done = surefoot("run", MODELS / "optimizer_bug.onnx", "-i", "x=[1,2,3,4]")
    assert done.returncode == 0
    assert "\ncpu: note (create, " in done.stderr
    assert "optimizer broke this model" in done.stderr

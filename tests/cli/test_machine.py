"""plan, providers, runtimes: what the machine has, and why not more."""

import json
import subprocess
import time

import pytest
from conftest import BINARY, MODELS, ROOT, RUNTIMES, library

DIGITS = ROOT / "models/digits/digits.onnx"


def test_a_plan_names_each_candidate_and_its_reason(surefoot, matches):
    matches("plan", surefoot("plan", DIGITS))


def test_a_required_provider_that_is_absent_is_a_no(surefoot, matches):
    matches("plan_only_cuda", surefoot("plan", DIGITS, "--only", "cuda"))


def test_a_plan_in_json(surefoot):
    document = json.loads(surefoot("plan", DIGITS, "--json", "--exclude", "cuda").stdout)
    verdicts = {candidate["name"]: candidate for candidate in document["candidates"]}
    assert document["schema"] == "surefoot.plan/1"
    assert verdicts["cuda"]["reason"]["what"] == "excluded by the caller"
    assert document["candidates"][-1]["name"] == "cpu"


def test_broken_gpu_providers_are_named_with_their_missing_libraries(surefoot):
    done = surefoot("run", DIGITS, "-i", ROOT / "examples/digits/7.png", "--top", 1, runtime="gpu-1.31.1")
    assert done.returncode == 0
    assert done.stdout.split()[2] == "7"
    assert "libcublasLt.so.13" in done.stderr
    assert "libnvinfer.so.10" in done.stderr
    assert "cpu chosen" in " ".join(done.stderr.split())


def test_a_required_gpu_is_an_error_and_never_the_cpu(surefoot):
    done = surefoot("run", DIGITS, "-i", ROOT / "examples/digits/7.png", "--only", "cuda", runtime="gpu-1.31.1")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "libcublasLt.so.13" in done.stderr


def test_providers_tell_four_facts(surefoot):
    document = json.loads(surefoot("providers", "--json").stdout)
    facts = {row["name"]: row for row in document["providers"]}
    assert facts["cpu"] | {"known": True, "present": True, "usable": True, "chosen": True} == facts["cpu"]
    assert (facts["cuda"]["known"], facts["cuda"]["present"], facts["cuda"]["usable"]) == (True, False, False)


@pytest.mark.parametrize("folder", sorted(path.name for path in RUNTIMES.iterdir()))
def test_every_runtime_runs_the_digits(surefoot, folder):
    done = surefoot("run", DIGITS, "-i", ROOT / "examples/digits/5.png", "--top", 1, "--exclude", "webgpu", runtime=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[2] == "5"


def test_runtimes_lists_the_named_one_first(surefoot):
    document = json.loads(surefoot("runtimes", "--json").stdout)
    first = document["runtimes"][0]
    assert (first["version"], first["verdict"], first["origin"]) == ("1.32.0", "chosen", "SUREFOOT_ONNXRUNTIME")
    assert document["telemetry"] == "off"


def test_a_virtual_environments_package_is_found(surefoot, tmp_path):
    capi = tmp_path / "venv/lib/python3.11/site-packages/onnxruntime/capi"
    capi.parent.mkdir(parents=True)
    capi.symlink_to(library("cpu-1.31.1").parent)
    done = surefoot("runtimes", "--json", SUREFOOT_ONNXRUNTIME=None, VIRTUAL_ENV=str(tmp_path / "venv"))
    found = [row for row in json.loads(done.stdout)["runtimes"] if row["origin"] == "python environment"]
    assert found[0]["version"] == "1.31.1"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("", "is set but empty"),
        ("/no/such/libonnxruntime.so", "does not exist"),
        (str(ROOT), "is a folder, not a library"),
        (str(ROOT / "README.md"), "is not a shared library"),
    ],
)
def test_a_wrongly_named_runtime_is_refused_with_the_reason(surefoot, value, words):
    done = surefoot("run", DIGITS, SUREFOOT_ONNXRUNTIME=value)
    assert done.returncode == 2
    assert words in done.stderr
    assert "hint: " in done.stderr


def test_without_any_runtime_the_places_are_listed_at_once(surefoot):
    began = time.monotonic()
    done = surefoot("run", DIGITS, "-i", "image=zeros:1x1x8x8", SUREFOOT_ONNXRUNTIME=None)
    if "no ONNX Runtime" not in done.stderr:
        pytest.skip("this machine has an ONNX Runtime in a place that is always searched")
    assert time.monotonic() - began < 5
    assert done.returncode == 2
    assert "pip install onnxruntime" in done.stderr


def test_the_plan_names_the_operators_that_onnx_runtime_lacks(surefoot):
    done = surefoot("plan", MODELS / "custom_domain.onnx")
    assert done.returncode == 0
    assert "note: ONNX Runtime does not bring `com.acme." in done.stderr
    document = json.loads(surefoot("plan", MODELS / "custom_domain.onnx", "--json").stdout)
    assert [op["domain"] for op in document["foreign_operators"]] == ["com.acme", "org.example.ops"]


@pytest.mark.parametrize("model", ["ir_99", "opset_99"])
def test_the_plan_refuses_a_model_that_this_onnx_runtime_cannot_read(surefoot, model):
    done = surefoot("plan", MODELS / f"{model}.onnx")
    assert done.returncode == 2
    assert "99" in done.stderr
    assert "ONNX Runtime 1.32.0" in done.stderr
    assert "hint: use a newer ONNX Runtime" in done.stderr


def test_inspect_needs_no_runtime(surefoot, matches):
    matches("inspect", surefoot("inspect", DIGITS, SUREFOOT_ONNXRUNTIME="/no/such/file"))


def test_inspect_in_json(surefoot):
    document = json.loads(surefoot("inspect", DIGITS, "--json").stdout)
    assert document["inputs"] == [
        {"name": "image", "type": "float32[batch,1,8,8]", "required": True, "element": "float32", "shape": ["batch", 1, 8, 8]}
    ]


def test_inspect_shows_the_default_of_an_optional_input(surefoot):
    model = MODELS / "overridable.onnx"
    assert "w  float32[4]  (optional, default [1 2 3 4])" in surefoot("inspect", model).stdout
    x, w = json.loads(surefoot("inspect", model, "--json").stdout)["inputs"]
    assert "default" not in x
    assert (w["required"], w["default"], w["default_bytes"]) == (False, [1, 2, 3, 4], 16)


def test_inspect_says_which_external_file_is_missing(surefoot, matches):
    matches("inspect_external_missing", surefoot("inspect", MODELS / "external_missing.onnx"))


def test_data_outside_the_models_folder_is_read_only_when_allowed(surefoot):
    model = MODELS / "external_outside/model.onnx"
    for command in (["inspect", model], ["plan", model], ["run", model, "-i", "x=random"]):
        refused = surefoot(*command)
        assert refused.returncode != 0
        assert "outside the model's folder" in refused.stderr
        allowed = surefoot(*command, "--allow-outside-data")
        assert allowed.returncode == 0, allowed.stderr


def test_inspect_of_gigabytes_takes_little_time_and_memory(surefoot, tmp_path):
    """30 ms and 30 MB are the budget of a quiet machine; this one may be busy: three tries, ten times the time."""
    tries = []
    for _ in range(3):
        report = tmp_path / "time"
        command = ["/usr/bin/env", "python3", "-c", MEASURE, str(report), str(BINARY), str(MODELS / "sparse_1900mb.onnx")]
        subprocess.run(command, check=True, env=surefoot.environment, stdout=subprocess.DEVNULL)
        seconds, kilobytes = map(float, report.read_text().split())
        tries.append(seconds)
        assert kilobytes < 30_000
    assert min(tries) < 0.3


MEASURE = """
import resource, subprocess, sys, time
began = time.monotonic()
subprocess.run([sys.argv[2], "inspect", sys.argv[3]], check=True)
seconds = time.monotonic() - began
open(sys.argv[1], "w").write(f"{seconds} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
"""

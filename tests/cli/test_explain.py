"""surefoot explain: real messages find their entries, and unknown text finds none."""

import json
import re
import subprocess

import conftest
import pytest
from messages.produced import PRODUCERS, Workshop
from messages.quoted import quoted

LOG = """2026-01-02 03:04:05 [E:onnxruntime:Default, provider_bridge_ort.cc:2251 TryGetProviderInfo_CUDA] Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.13: cannot open shared object file: No such file or directory
Traceback (most recent call last):
  File "app.py", line 3, in <module>
UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available providers: 'AzureExecutionProvider, CPUExecutionProvider'
"""


@pytest.fixture
def explained(surefoot):
    """The explanations of a text on stdin, the best first."""

    def explain(text):
        done = subprocess.run([conftest.BINARY, "explain", "-", "--json"], input=text, env=surefoot.environment,
                              capture_output=True, text=True, check=False)
        return json.loads(done.stdout)["explanations"]

    return explain


@pytest.fixture
def workshop(surefoot, tmp_path):
    return Workshop(surefoot, tmp_path, conftest.MODELS, conftest.library)


def names(explanations):
    return [explanation["entry"]["slug"] for explanation in explanations]


@pytest.mark.parametrize(("slug", "produce"), PRODUCERS, ids=[f"{slug}-{i}" for i, (slug, _) in enumerate(PRODUCERS)])
def test_a_real_message_finds_its_entry(explained, workshop, slug, produce):
    message = produce(workshop)
    assert names(explained(message))[:1] == [slug], message


@pytest.mark.parametrize(("slug", "origin", "message"), quoted(), ids=[f"{row[0]}-{i}" for i, row in enumerate(quoted())])
def test_a_quoted_message_finds_its_entry(explained, slug, origin, message):
    assert origin
    assert names(explained(message))[:1] == [slug], message


# Made with the fault-injecting provider or by the library alone: tests/fault/error_slugs_test.cpp, and beside
# what makes them: prepared_run_test.cpp, lifecycle_test.cpp.
MADE_IN_CPP = {"provider-took-no-node", "provider-capability-failed", "provider-no-device", "plugin-name-taken", "plugin-in-use",
               "session-after-fork", "provider-wrong-numbers", "tensor-read-as-another-type", "run-time-limit", "prepared-run-busy",
               "prepared-run-needs-shape", "prepared-run-memory-unfit", "session-not-created"}


def test_every_entry_has_a_message_that_finds_it(surefoot):
    entries = json.loads(surefoot("explain", "--list", "--json").stdout)["entries"]
    slugs = {entry["slug"] for entry in entries}
    proven = {slug for slug, _ in PRODUCERS} | {slug for slug, _, _ in quoted()} | MADE_IN_CPP
    assert len(slugs) >= 80
    assert slugs == proven


def test_a_log_is_explained_with_its_own_paths_and_names(surefoot, matches, tmp_path):
    log = tmp_path / "app.log"
    log.write_text(LOG)
    matches("explain_log", surefoot("explain", log))


def test_an_entry_is_printed_by_its_name(surefoot, matches):
    matches("explain_entry", surefoot("explain", "model-ir-too-new"))


def test_a_message_need_not_be_quoted(surefoot):
    done = surefoot("explain", *"CUDA failure 100: no CUDA-capable device is detected".split())
    assert done.returncode == 0
    assert done.stdout.startswith("cuda-no-device (error)\n")


def test_unknown_text_is_not_guessed_at(surefoot, matches):
    matches("explain_unknown", surefoot("explain", "the cat sat on the mat"))


def test_a_misspelt_name_gets_the_nearest_one(surefoot):
    done = surefoot("explain", "model-ir-to-new")
    assert done.returncode == 1
    assert "did you mean `model-ir-too-new`?" in done.stderr


def test_without_words_it_says_what_it_wants(surefoot):
    done = surefoot("explain")
    assert done.returncode == 2
    assert "wants a message" in done.stderr


def test_errors_name_their_entry(surefoot):
    done = surefoot("run", conftest.MODELS / "ir_99.onnx", "--json")
    assert "see:  surefoot explain model-ir-too-new" in done.stderr
    assert json.loads(done.stdout)["error"]["slug"] == "model-ir-too-new"


def test_events_and_reasons_name_their_entry(surefoot):
    candidates = json.loads(surefoot("plan", conftest.MODELS / "mlp.onnx", "--json", runtime="gpu-1.31.1").stdout)["candidates"]
    reasons = {candidate["name"]: candidate.get("reason", {}).get("slug") for candidate in candidates}
    assert reasons["cuda"] == "cuda-library-missing"


def advice(entry):
    """Every text of an entry that may hold a command."""
    return "\n".join([*entry["solutions"], *entry["prevention"], entry["check"], *entry["examples"].values()])


def test_advice_names_only_commands_and_flags_that_exist(surefoot):
    entries = json.loads(surefoot("explain", "--list", "--json").stdout)["entries"]
    helps = {}
    for entry in entries:
        for command, rest in re.findall(r"(?<![\w/])surefoot ([a-z]+)([^`\n|]*)", advice(entry)):
            if command not in helps:
                helps[command] = surefoot(command, "--help")
            assert helps[command].returncode == 0, f"{entry['slug']}: surefoot {command}"
            for flag in re.findall(r"--[a-z][a-z-]*", rest):
                assert flag in helps[command].stdout, f"{entry['slug']}: surefoot {command} {flag}"

"""Help, wrong words, and what is generated from the table of flags."""

import json
import shutil
import subprocess

import conftest
import pytest


def test_the_overview_names_every_command(surefoot, matches):
    matches("overview", surefoot("--help"))


def test_a_commands_short_help_is_one_screen(surefoot, matches):
    done = surefoot("run", "-h")
    matches("run_help", done)
    assert done.stdout.count("\n") <= 55


def test_the_long_help_says_more(surefoot):
    short, long = surefoot("run", "-h"), surefoot("run", "--help")
    assert len(long.stdout) > len(short.stdout)
    assert "layout=nchw" in long.stdout


@pytest.mark.parametrize(
    ("words", "snapshot"),
    [
        (["rnu", "model.onnx"], "unknown_command"),
        (["run", "model.onnx", "--inptu", "x=1"], "unknown_flag"),
        (["run"], "missing_model"),
        (["run", "a.onnx", "b.onnx"], "one_word_too_many"),
        (["run", "a.onnx", "--optimization", "most"], "no_such_choice"),
        (["run", "a.onnx", "--threads", "many"], "no_number"),
        (["run", "a.onnx", "--config", "session.x"], "no_pair"),
        (["run", "a.onnx", "--input"], "missing_value"),
    ],
)
def test_wrong_words_are_explained(surefoot, matches, words, snapshot):
    done = surefoot(*words)
    matches(snapshot, done)
    assert done.returncode == 2
    assert done.stdout == ""


def test_words_behind_two_dashes_are_no_flags(surefoot, tmp_path):
    (tmp_path / "--digits.onnx").write_bytes((conftest.ROOT / "models/digits/digits.onnx").read_bytes())
    done = surefoot("inspect", "--json", "--", "--digits.onnx", cwd=tmp_path)
    assert json.loads(done.stdout)["format"] == "onnx"
    assert "`--help` does not exist" in surefoot("inspect", "--", "--help").stderr


def test_the_version_is_that_of_the_project(surefoot):
    done = surefoot("version")
    with open("VERSION", encoding="utf-8") as file:
        assert done.stdout == f"surefoot {file.read().strip()}\n"
    assert surefoot("--version").stdout == done.stdout


def test_bash_completes_commands_flags_and_choices(surefoot, tmp_path):
    script = tmp_path / "surefoot.bash"
    script.write_text(surefoot("completions", "bash").stdout)

    def complete(*words):
        code = f"source {script}; COMP_WORDS=({' '.join(words)}); COMP_CWORD={len(words) - 1}; _surefoot; echo ${{COMPREPLY[@]}}"
        return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert complete("surefoot", "in") == ["inspect"]
    assert "--threads" in complete("surefoot", "run", "--th")
    assert complete("surefoot", "run", "--optimization", "ext") == ["extended"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_accept_their_script(surefoot, shell, tmp_path):
    done = surefoot("completions", shell)
    assert done.returncode == 0
    assert "inspect" in done.stdout
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed: its script is not parsed")
    script = tmp_path / "script"
    script.write_text(done.stdout)
    subprocess.run([shell, "-n", script], check=True)


def test_the_man_page_has_every_flag(surefoot):
    page = surefoot("man").stdout
    for flag in ("input", "prefer", "only", "threads", "plugin", "json"):
        assert f"\\-\\-{flag}" in page
    assert page.startswith(".TH SUREFOOT 1")


def test_a_closed_pipe_is_silent(surefoot):
    code = f"'{conftest.BINARY}' run --help | true"
    done = subprocess.run(["bash", "-c", code], env=surefoot.environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--only", ""], "`--only` is given an empty value"),
        (["--only", ","], "`--only` is given an empty value"),
        (["--allow-telemetry=false"], "`--allow-telemetry` takes no value"),
        (["--top", "2", "--top", "3"], "`--top` is given twice"),
        (["--dim", "batch=1", "--dim", "batch=2"], "sets `batch` twice"),
        (["--threads", "99999"], "at most 1024 threads"),
        (["--save", "/no/such/folder/x.npz"], "there is no folder `/no/such/folder`"),
    ],
)
def test_a_flag_that_would_be_lost_in_silence_is_an_error(surefoot, words, text):
    done = surefoot("run", "models/digits/digits.onnx", "-i", "image=zeros:1x1x8x8", *words)
    assert done.returncode == 2
    assert text in done.stderr


def test_an_error_is_json_too_when_json_is_wanted(surefoot):
    document = json.loads(surefoot("run", "nothing.onnx", "--json").stdout)
    assert document["schema"] == "surefoot.error/1"
    assert document["error"]["code"] == "NotFound"


def test_a_closed_stderr_loses_no_data(surefoot):
    command = f"'{conftest.BINARY}' run models/digits/digits.onnx -i examples/digits/3.png --top 1 2>&-"
    done = subprocess.run(["bash", "-c", command], env=surefoot.environment, cwd=conftest.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "3" in done.stdout

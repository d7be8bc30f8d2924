"""The surefoot command as a user runs it: whole commands with exit code, stdout and stderr."""

import os
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("SUREFOOT_BINARY", ROOT / "build/dev/bin/surefoot"))
MODELS = pathlib.Path(os.environ.get("SUREFOOT_TEST_MODELS", ROOT / "build/test-models"))
RUNTIMES = pathlib.Path(os.environ["SUREFOOT_TEST_ORT_ROOT"])
SNAPSHOTS = pathlib.Path(__file__).parent / "snapshots"

MASKS = [
    (re.compile(r"\d+\.\d+ ms"), "N ms"),
    (re.compile(r"\d+\.\d\d to \d+\.\d\d"), "N to N"),
]


def library(flavour_and_version):
    """The library of one of the runtimes that scripts/test lays out, e.g. "cpu-1.32.0"."""
    (found,) = [path for path in (RUNTIMES / flavour_and_version).rglob("libonnxruntime.so*") if path.is_file()]
    return found


class Command:
    def __init__(self, home):
        self.home = home
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "ORT_DISABLE_TELEMETRY": "1",
            "SUREFOOT_ONNXRUNTIME": str(library("cpu-1.32.0")),
        }

    def __call__(self, *arguments, runtime=None, cwd=ROOT, **variables):
        environment = dict(self.environment)
        if runtime is not None:
            environment["SUREFOOT_ONNXRUNTIME"] = str(library(runtime))
        environment.update(variables)
        environment = {name: value for name, value in environment.items() if value is not None}
        return subprocess.run(
            [BINARY, *map(str, arguments)], env=environment, cwd=cwd, capture_output=True, text=True, timeout=60
        )


@pytest.fixture
def surefoot(tmp_path):
    return Command(tmp_path)


def masked(text):
    text = text.replace(str(RUNTIMES), "RUNTIMES").replace(str(MODELS), "MODELS").replace(str(ROOT), "ROOT")
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


@pytest.fixture
def matches():
    """Compares a finished command with snapshots/NAME.txt; SUREFOOT_UPDATE_SNAPSHOTS=1 writes it instead."""

    def compare(name, done):
        text = f"exit {done.returncode}\n--- stdout\n{done.stdout}--- stderr\n{done.stderr}"
        file = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("SUREFOOT_UPDATE_SNAPSHOTS"):
            file.write_text(masked(text))
        assert masked(text) == file.read_text()

    return compare

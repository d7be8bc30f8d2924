"""Every example in a docstring and in the documents does what it says."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import surefoot

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))

from code_block import code_blocks  # noqa: E402
MODULES = [each.name for each in pkgutil.walk_packages(surefoot.__path__, "surefoot.") if not each.name.endswith(("_core", "__main__"))]


@pytest.mark.parametrize("name", ["surefoot", *MODULES])
def test_the_examples_of_a_module_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def blocks_of(paths):
    return [
        pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
        for path in paths
        for number, block in enumerate(code_blocks(path.read_text(), "python"))
    ]


DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("block", blocks_of(DOCUMENTS))
def test_the_examples_of_the_documents_run(block):
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("block", blocks_of(sorted((ROOT / "docs/errors").glob("*.md"))))
def test_what_is_to_be_written_in_place_of_a_mistake_is_python(block):
    compile(re.sub(r"<\w+>", "filled_in", block), "example", "exec")


def test_examples_inside_lists_are_found_too():
    shown = "- first\n\n  ```python\n  if one:\n\n      two\n  ```\n\n```python\nthree\n```\n"
    assert code_blocks(shown, "python") == ["if one:\n\n    two\n", "three\n"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_example_is_overlooked(path):
    assert len(code_blocks(path.read_text(), "python")) == len(re.findall(r"^\W*```python", path.read_text(), re.MULTILINE))

"""Every example in a docstring and in the documents does what it says."""

import doctest
import importlib
import pathlib
import pkgutil
import re

import pytest

import surefoot

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = [each.name for each in pkgutil.walk_packages(surefoot.__path__, "surefoot.") if not each.name.endswith(("_core", "__main__"))]


@pytest.mark.parametrize("name", ["surefoot", *MODULES])
def test_the_examples_of_a_module_hold(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


BLOCKS = [
    pytest.param(block, id=f"{path.name}-{number}")
    for path in (ROOT / "README.md", ROOT / "docs/python.md")
    for number, block in enumerate(re.findall(r"^```python\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_the_examples_of_the_documents_run(block):
    exec(compile(block, "example", "exec"), {"__name__": "example"})

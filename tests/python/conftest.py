import gc
import os
import pathlib

import pytest

import surefoot

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def in_the_repository(monkeypatch):
    """Examples name models by their path in the repository."""
    monkeypatch.chdir(ROOT)


@pytest.fixture
def digits():
    return ROOT / "models/digits/digits.onnx"


@pytest.fixture(scope="session")
def gpu_runtime():
    """The GPU build of ONNX Runtime, whose providers a machine without CUDA cannot use."""
    found = sorted(pathlib.Path(os.environ["SUREFOOT_TEST_ORT_ROOT"]).glob("gpu-*/capi/libonnxruntime.so.*"))
    assert found, "scripts/test fetches it"
    return found[-1]


@pytest.fixture
def faulty():
    """The provider that fails on command, registered for one test."""
    library = os.environ.get("SUREFOOT_TEST_FAULT_EP", "")
    if not pathlib.Path(library).is_file():
        pytest.skip("the fault-injecting provider is not built: no official headers of ONNX Runtime here")
    runtime = surefoot.load_runtime()
    runtime.register_plugin("faulty", library)
    yield "faulty"
    gc.collect()  # a session that a traceback holds is open until then
    runtime.unregister_plugin("faulty")

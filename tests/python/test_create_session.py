"""`create_session` and `create_ort_session`."""

import io
import os
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest

import models
import surefoot

FEED = {"a": np.array([1, 2], np.float32), "b": np.array([10, 20], np.float32)}
BOTH = pytest.mark.parametrize("create", [surefoot.create_session, surefoot.create_ort_session])


@BOTH
def test_a_model_may_be_a_path_bytes_a_proto_or_a_file(create, digits):
    for source in (str(digits), digits, digits.read_bytes(), onnx.load(digits), io.BytesIO(digits.read_bytes())):
        assert create(source, quiet=True).get_inputs()[0].name == "image"


def test_the_classes_are_as_promised(digits):
    assert type(surefoot.create_session(digits)) is surefoot.InferenceSession
    assert type(surefoot.create_ort_session(digits)) is onnxruntime.InferenceSession


@BOTH
def test_the_options_of_a_session_are_honoured(create):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    assert create(models.add(), sess_options=options).get_session_options().intra_op_num_threads == 1
    with pytest.raises((TypeError, AttributeError)):
        create(models.add(), **({"nonsense": 1} if create is surefoot.create_session else {"sess_options": 1}))


@BOTH
def test_providers_that_are_not_there_are_skipped_in_silence(create, capsys):
    session = create(models.add(), prefer=["cuda", "openvino"])
    assert session.get_providers() == ["CPUExecutionProvider"] and capsys.readouterr().out == ""


@BOTH
def test_the_cpu_is_added_and_comes_last(create):
    for prefer in (["cpu"], ["cpu", "cuda"], [], ["CUDAExecutionProvider"], None):
        assert create(models.add(), prefer=prefer).get_providers()[-1] == "CPUExecutionProvider"


def test_a_provider_that_fails_to_open_is_dropped_with_its_reason(faulty, capsys):
    session = surefoot.create_session(models.add(), prefer=[faulty], provider_options={faulty: {"fault": "create=fail"}})
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("faulty+CPU cannot run this model: ") and said[-1] == "using CPU"
    assert session.run(["sum"], FEED)[0].tolist() == [11, 22]


def test_quiet_is_quiet(faulty, capsys):
    surefoot.create_session(models.add(), prefer=[faulty], provider_options={faulty: {"fault": "create=fail"}}, quiet=True)
    assert capsys.readouterr().out == ""


def test_without_fallback_the_first_candidate_alone_is_tried(faulty):
    options = {faulty: {"fault": "create=fail"}}
    with pytest.raises(surefoot.ProviderFailed, match="faulty"):
        surefoot.create_session(models.add(), prefer=[faulty], provider_options=options, allow_fallback=False)
    with pytest.raises(surefoot.InvalidArgument):
        surefoot.create_session(models.add(), prefer=["cudda"])


def test_candidates_that_onnx_runtime_offers_and_cannot_load_are_named(gpu_runtime):
    code = """if 1:
    import sys; sys.path.insert(0, "tests/python")
    import models, surefoot
    session = surefoot.create_session(models.add())
    print([(each.name, each.providers) for each in session.plan().candidates][:3])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "SUREFOOT_ONNXRUNTIME": str(gpu_runtime)})
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Tensorrt+CPU cannot run this model: ") and "libnvinfer" in lines[0]
    assert lines[1].startswith("CUDA+CPU cannot run this model: ") and lines[2] == "using CPU"

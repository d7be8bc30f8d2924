"""surefoot compile with providers that really compile: OpenVINO (plugin and bundled) and QNN's simulator."""

import json
import os
import pathlib
import platform

import numpy as np
import pytest

import packages
from surefoot_command import BINARY, ROOT, reference, surefoot

MODELS = pathlib.Path(os.environ.get("SUREFOOT_TEST_MODELS", ROOT / "build/test-models"))
DIGITS = ROOT / "models/digits/digits.onnx"
SHIM = pathlib.Path(BINARY).parents[1] / "lib/libsurefoot_device_shim.so"


class Target:
    """A provider with the words and variables that it takes to use it."""

    def __init__(self, name, words=(), variables=None):
        self.name, self.words, self.variables = name, list(words), variables or {}

    def compile(self, source, out, *flags):
        return surefoot("compile", source, "-o", out, "--for", self.name, "--json", *self.words, *flags, **self.variables)

    def run(self, model, *flags):
        return surefoot("run", model, "--only", self.name, *self.words, *flags, **self.variables)


def need_glibc(least):
    have = tuple(int(part) for part in platform.libc_ver()[1].split("."))
    if have < least:
        pytest.skip(f"the provider's library needs glibc {least}, here is {have}")


def openvino():
    """OpenVINO's plugin, which is shown an Intel processor whatever this machine has."""
    if not SHIM.is_file():
        pytest.skip(f"{SHIM} was not built: no ORT headers")
    library = packages.folder("onnxruntime-ep-openvino") / "libonnxruntime_providers_openvino_plugin.so"
    return Target("openvino", ["--plugin", f"OpenVINOExecutionProvider={SHIM}"], {"DEVICE_SHIM_LIBRARY": str(library)})


def qnn():
    need_glibc((2, 35))
    folder = packages.folder("onnxruntime-qnn")
    words = ["--plugin", f"QNNExecutionProvider={folder / 'libonnxruntime_providers_qnn.so'}",
             "--option", f"qnn.backend_path={folder / 'libQnnHtp.so'}"]
    return Target("qnn", words)


def bundled():
    (library,) = packages.folder("onnxruntime-openvino").glob("capi/libonnxruntime.so.*")
    return Target("openvino", [], {"SUREFOOT_ONNXRUNTIME": str(library)})


TARGETS = [pytest.param(openvino, id="openvino"), pytest.param(qnn, id="qnn")]


def report_of(done):
    """The document on stdout, behind what a provider may print there itself."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout[done.stdout.index("{"):])


def files_in(folder):
    return sorted(file.name for file in folder.iterdir())


def outputs_of(done, saved):
    assert done.returncode == 0, done.stderr
    with np.load(saved) as outputs:
        return dict(outputs)


@pytest.mark.parametrize("make", TARGETS)
@pytest.mark.parametrize("embed", [False, True], ids=["beside", "embedded"])
def test_compiled_parts_are_kept_and_answer_as_the_source(make, embed, tmp_path):
    target = make()
    out = tmp_path / "work" / "out.onnx"
    out.parent.mkdir()
    image = np.random.default_rng(2).random((1, 1, 8, 8), np.float32)
    np.save(tmp_path / "image.npy", image)
    given = f"image={tmp_path / 'image.npy'}"
    report = report_of(target.compile(DIGITS, out, "--dim", "batch=1", "-i", given, *(["--embed"] if embed else [])))
    assert (report["form"], report["provider"]) == ("ep-context", target.name)
    assert report["compiled_parts"] >= 1 and report["compatibility"]
    assert not report["validation"]["made_up_inputs"]
    assert files_in(out.parent) == sorted(pathlib.Path(file).name for file in report["files"])
    assert len(report["files"]) == (1 if embed else 2)
    ours = outputs_of(target.run(out, "--input", given, "--save", tmp_path / "o.npz"), tmp_path / "o.npz")
    theirs = reference(DIGITS, {"image": image})
    for name, wanted in theirs.items():
        np.testing.assert_allclose(ours[name], wanted, atol=2e-2)  # both may compute in half precision


@pytest.mark.parametrize("make", TARGETS)
def test_a_compiled_model_opens_faster_than_its_source(make, tmp_path):
    report = report_of(make().compile(MODELS / "cnn_1ms.onnx", tmp_path / "out.onnx"))
    assert report["load_after_ms"] < report["load_before_ms"], report


def test_a_real_classifier_of_free_sizes_compiles_for_openvino(tmp_path):
    (model,) = [file for file in packages.models("rapidocr") if "cls" in file.name]
    report = report_of(openvino().compile(model, tmp_path / "out.onnx", "-i", "x=random:1x3x48x192"))
    assert report["compiled_parts"] >= 1 and report["validation"]["outputs"] == 1
    assert report["load_after_ms"] < report["load_before_ms"], report


@pytest.mark.parametrize("make", TARGETS)
def test_a_compiled_model_without_its_provider_says_which_one_that_is(make, tmp_path):
    target = make()
    report_of(target.compile(DIGITS, tmp_path / "out.onnx", "--dim", "batch=1"))
    done = surefoot("run", tmp_path / "out.onnx", "--input", "image=ones:1x1x8x8")
    assert done.returncode == 2
    assert f"the model holds a part compiled for `{target.name}`" in done.stderr


@pytest.mark.parametrize("make", TARGETS)
def test_a_compiled_part_that_was_cut_is_an_error(make, tmp_path):
    target = make()
    _, blob = report_of(target.compile(DIGITS, tmp_path / "out.onnx", "--dim", "batch=1"))["files"]
    content = pathlib.Path(blob).read_bytes()
    pathlib.Path(blob).write_bytes(content[: len(content) // 2])
    done = target.run(tmp_path / "out.onnx", "--input", "image=ones:1x1x8x8")
    assert done.returncode == 2 and f"loading a part compiled by `{target.name}`" in done.stderr


def test_a_part_for_another_openvino_is_refused_in_words(tmp_path):
    target = openvino()
    report_of(target.compile(DIGITS, tmp_path / "out.onnx"))
    content = (tmp_path / "out.onnx").read_bytes()
    assert b'"ov_compat_string":"meta=1.0;ov=20' in content
    (tmp_path / "out.onnx").write_bytes(
        content.replace(b'"ov_compat_string":"meta=1.0;ov=20', b'"ov_compat_string":"meta=9.0;ov=19'))
    done = target.run(tmp_path / "out.onnx", "--input", "image=ones:1x1x8x8")
    assert "openvino" in done.stderr
    assert "does not fit the `openvino` that is here" in done.stderr or "would run better compiled anew" in done.stderr


@pytest.mark.parametrize("flags", [[], ["--embed"]], ids=["beside", "embedded"])
def test_what_bundled_openvino_compiles_and_cannot_load_is_no_success(flags, tmp_path):
    done = bundled().compile(DIGITS, tmp_path / "out.onnx", *flags)
    assert done.returncode == 2, done.stdout
    assert "what was compiled for `openvino` cannot be opened again" in done.stderr
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("make", TARGETS)
def test_what_a_provider_compiled_is_opened_from_the_cache_the_second_time(make, tmp_path):
    target, answers = make(), []
    for use in ["filling", "hit"]:
        done = target.run(MODELS / "cnn_1ms.onnx", "--input", "image=ones", "--cache", "--cache-folder", tmp_path / "cache",
                          "--save", tmp_path / "o.npz", "--json")
        said = report_of(done)
        assert (said["provider"], said["events"], said["cache"]) == (target.name, [], use)
        answers.append(outputs_of(done, tmp_path / "o.npz"))
    for name, value in answers[0].items():
        np.testing.assert_array_equal(answers[1][name], value)
    listed = report_of(surefoot("cache", "list", "--cache-folder", tmp_path / "cache", "--json"))
    assert [model["form"] for model in listed["models"]] == ["compiled"]


def test_openvino_keeps_its_kernels_in_the_cache_where_that_pays(tmp_path):
    cache = tmp_path / "cache"
    for device, kept in [("CPU", 0), ("AUTO:CPU", 1)]:
        done = bundled().run(DIGITS, "--input", "image=ones:1x1x8x8", "--cache", "--cache-folder", cache,
                             "--option", f"openvino.device_type={device}")
        assert done.returncode == 0, done.stderr
        assert len([*cache.glob("providers/openvino/*/*.blob")]) == kept
    assert surefoot("cache", "clear", "--cache-folder", cache).returncode == 0
    assert not [*cache.glob("providers/**/*.blob")]


def test_qnn_on_free_shapes_takes_nothing_and_no_other_provider_does_instead(tmp_path):
    done = qnn().compile(DIGITS, tmp_path / "out.onnx")
    assert done.returncode == 2 and "`qnn` took no node of this model" in done.stderr
    assert files_in(tmp_path) == []

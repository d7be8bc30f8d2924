"""What is wrong, said before or after it goes wrong; and the cache."""

import datetime
import os
import pathlib
import subprocess
import sys

import models
import numpy as np
import onnx
import onnxruntime
import pytest

import surefoot

IMAGE = {"image": np.ones((1, 1, 8, 8), np.float32)}


def test_a_message_is_explained_with_its_own_names():
    text = "Failed to load library libonnxruntime_providers_cuda.so with error: libcublasLt.so.12: cannot open shared object file"
    found = surefoot.explain(text)
    assert found[0].found["library"] == "libonnxruntime_providers_cuda.so" and found[0].severity == "error" and found[0].line == 1
    assert str(found).startswith("cuda-library-missing: ") and f"<td>{found[0].slug}</td>" in found._repr_html_()
    assert surefoot.explain(found[0].slug)[0].slug == found[0].slug


def test_an_error_of_ours_is_explained():
    with pytest.raises(surefoot.Error) as caught:
        surefoot.Session("no such model.onnx")
    assert surefoot.explain(caught.value)[0].solutions


def test_what_is_not_known_is_not_guessed_at():
    assert surefoot.explain("the cat sat on the mat") == [] and "nothing is known" in str(surefoot.explain("cat"))


def test_the_machine_is_examined(monkeypatch):
    monkeypatch.setenv("VIRTUAL_ENV", str(pathlib.Path(onnxruntime.__file__).parents[4]))
    found = surefoot.doctor()
    assert found.machine["cpus"] >= 1 and found.machine["memory_bytes"] > 1e8
    assert any(each.name == "onnxruntime" and each.version for each in found.packages)
    assert all(each.soname.startswith("lib") for each in found.libraries)
    assert found.is_well == all(each.severity != "error" for each in found.findings)
    assert "<table>" in found._repr_html_() and "cpus" in found._repr_html_() and repr(found).startswith("Diagnosis(")


def test_a_model_that_is_ready_says_so(digits):
    found = surefoot.check(digits)
    assert found.is_ready and found.info.outputs[0].name == "probabilities" and found.first_runtime
    assert any(fit.refuses == "" and fit.path.is_file() for fit in found.runtimes)


def test_everything_that_stands_in_a_models_way_is_listed(tmp_path):
    made = onnx.load_from_string(models.no_such_operator())
    made.opset_import[0].version = 99
    onnx.save(made, tmp_path / "model.onnx")
    found = surefoot.check(tmp_path / "model.onnx")
    assert not found.is_ready and found.findings[0].severity == "error" and found.first_runtime == ""
    assert "99" in str(found) and "99" in found._repr_html_()
    with pytest.raises(surefoot.NotFound):
        surefoot.check(tmp_path / "other.onnx")


def test_the_second_session_opens_from_the_cache(digits, tmp_path):
    where = surefoot.Cache(tmp_path / "cache", wait=True)
    first = surefoot.Session(digits, cache=where, only=["cpu"])
    second = surefoot.Session(digits, cache=tmp_path / "cache", only=["cpu"])
    assert (first.cache.use, second.cache.use) == ("stored", "hit") and second.cache.form in ("onnx", "ort", "in-place")
    assert np.array_equal(second.infer(IMAGE)["probabilities"], first.infer(IMAGE)["probabilities"])
    assert surefoot.Session(digits).cache == surefoot.CacheState("off")
    cached, = surefoot.cache.list(tmp_path / "cache")
    assert pathlib.Path(cached.model).name == "digits.onnx" and cached.bytes > 1000
    assert datetime.datetime.now() - cached.used < datetime.timedelta(minutes=5)
    assert surefoot.cache.clear(tmp_path / "cache") >= cached.bytes and not surefoot.cache.list(tmp_path / "cache")


def test_the_usual_folder_is_that_of_the_user(tmp_path):
    code = "import surefoot; surefoot.Session('models/digits/digits.onnx', cache=surefoot.Cache(wait=True)); " \
           "print(surefoot.cache.path(), len(surefoot.cache.list()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)})
    assert done.stdout.split() == [str(tmp_path / "surefoot/models"), "1"]


def test_data_outside_its_folder_is_opened_when_it_is_allowed(tmp_path):
    weight = onnx.numpy_helper.from_array(np.arange(4, dtype=np.float32), "w")
    made = models.model([onnx.helper.make_node("Add", ["x", "w"], ["y"])], [models.tensor("x", shape=[4])],
                        [models.tensor("y", shape=[4])], [weight])
    (tmp_path / "model").mkdir()
    onnx.save(made, tmp_path / "model/model.onnx", save_as_external_data=True, location="data", size_threshold=0)
    (tmp_path / "model/data").rename(tmp_path / "data")
    made = onnx.load(tmp_path / "model/model.onnx", load_external_data=False)
    made.graph.initializer[0].external_data[0].value = "../data"
    (tmp_path / "model/model.onnx").write_bytes(made.SerializeToString())
    with pytest.raises(surefoot.InvalidModel):
        surefoot.Session(tmp_path / "model/model.onnx")
    session = surefoot.Session(tmp_path / "model/model.onnx", allow_outside_data=True)
    assert session.infer({"x": np.zeros(4, np.float32)})["y"].tolist() == [0, 1, 2, 3]

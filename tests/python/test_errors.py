"""Errors are classes by code, and onnxruntime's own where that is imported."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import models
import surefoot
from surefoot import _core, errors


def test_each_code_of_the_library_has_the_class_of_its_name():
    codes = _core.error_codes()
    assert {each.__name__: code for code, each in errors.CLASSES.items()} == codes and len(codes) >= 14


def test_an_error_tells_what_to_do(digits):
    with pytest.raises(surefoot.InvalidArgument) as caught:
        surefoot.Session(digits, config={"session.disable_prepackin": "1"})
    error = caught.value
    assert isinstance(error, surefoot.Error) and isinstance(error, ValueError)
    assert "session.disable_prepackin" in error.what and "session.disable_prepacking" in error.hint
    assert error.what in str(error) and error.native_code is None


def test_a_failed_run_keeps_the_words_of_onnx_runtime():
    with pytest.raises(surefoot.Error) as caught:
        surefoot.Session(models.gather()).infer({"x": np.zeros(2, np.float32), "i": np.array([9])})
    assert "indices element out of data bounds" in caught.value.native_text and caught.value.native_code is not None


def test_errors_are_pickled_with_all_they_say():
    with pytest.raises(surefoot.NotFound) as caught:
        surefoot.Session("nowhere.onnx")
    came = pickle.loads(pickle.dumps(caught.value))
    assert (str(came), came.what, came.hint) == (str(caught.value), caught.value.what, caught.value.hint)
    assert isinstance(came, surefoot.NotFound)


def test_onnxruntimes_except_clauses_catch_ours_once_it_is_imported(digits):
    code = """if 1:
    import surefoot
    try: surefoot.Session("nowhere.onnx")
    except surefoot.NotFound as error: assert type(error) is surefoot.NotFound
    from onnxruntime.capi.onnxruntime_pybind11_state import NoSuchFile
    try: surefoot.Session("nowhere.onnx")
    except NoSuchFile as error: assert isinstance(error, surefoot.NotFound)
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_missing_name_is_a_key_error_that_reads_as_any_other():
    with pytest.raises(KeyError) as caught:
        surefoot.Session("no such model.onnx")
    assert str(caught.value).startswith("`no such model.onnx` does not exist")

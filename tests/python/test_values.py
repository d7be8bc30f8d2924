"""Every kind of value goes in and comes out as it is."""

import gc

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto

import models
import surefoot

PLAIN = {
    "float32": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8, "uint16": TensorProto.UINT16,
    "int16": TensorProto.INT16, "int32": TensorProto.INT32, "int64": TensorProto.INT64, "bool": TensorProto.BOOL,
    "float16": TensorProto.FLOAT16, "float64": TensorProto.DOUBLE, "uint32": TensorProto.UINT32,
    "uint64": TensorProto.UINT64,
}
SMALL = {
    "bfloat16": TensorProto.BFLOAT16, "float8_e4m3fn": TensorProto.FLOAT8E4M3FN, "float8_e5m2": TensorProto.FLOAT8E5M2,
    "float8_e4m3fnuz": TensorProto.FLOAT8E4M3FNUZ, "float8_e5m2fnuz": TensorProto.FLOAT8E5M2FNUZ,
}


def through(array, element=TensorProto.FLOAT, shape=("N",)):
    return surefoot.Session(models.identity(element, shape)).infer({"x": array})["y"]


@pytest.mark.parametrize("name", PLAIN)
def test_each_type_of_numpy_passes_bit_for_bit(name):
    given = np.arange(5).astype(name)
    came = through(given, PLAIN[name])
    assert came.dtype == given.dtype and came.tobytes() == given.tobytes()


@pytest.mark.parametrize("name", SMALL)
def test_each_type_of_ml_dtypes_passes_bit_for_bit(name):
    given = np.arange(5).astype(getattr(ml_dtypes, name))
    came = through(given, SMALL[name])
    assert came.dtype == given.dtype and came.tobytes() == given.tobytes()


def test_packed_integers_are_unpacked():
    given = np.array([-8, -1, 0, 7, 3]).astype(ml_dtypes.int4)
    came = surefoot.Session(models.cast(TensorProto.INT4, TensorProto.INT8)).infer({"x": given})["y"]
    assert came.tolist() == [-8, -1, 0, 7, 3]


def test_packed_outputs_are_of_ml_dtypes():
    given = np.array([-8, -1, 0, 7, 3], np.int8)
    came = surefoot.Session(models.cast(TensorProto.INT8, TensorProto.INT4)).infer({"x": given})["y"]
    assert came.dtype == ml_dtypes.int4 and came.astype(int).tolist() == given.tolist()


@pytest.mark.parametrize("given", [
    np.array(["a", "bé", ""]), np.array([b"a", "bé".encode(), b""]), np.array(["a", "bé", ""], object),
    np.array(["a", "bé", ""], np.dtypes.StringDType()), ["a", "bé", ""],
], ids=["U", "S", "object", "StringDType", "list"])
def test_text_passes_in_every_form(given):
    came = through(given, TensorProto.STRING)
    assert came.dtype == object and came.tolist() == ["a", "bé", ""]


def test_bytes_that_are_no_utf8_survive_the_way_there_and_back():
    came = through(np.array([b"\xff\x00a"], object), TensorProto.STRING)
    assert through(came, TensorProto.STRING).tolist() == came.tolist() == ["\udcff\x00a"]


@pytest.mark.parametrize("given", [
    np.arange(10, dtype=np.float32)[::2], np.arange(10, dtype=np.float32)[::-1], np.arange(5, dtype=">f4"),
    np.broadcast_to(np.float32(3), (4,)), np.zeros((0,), np.float32),
    np.frombuffer(b"\0" + np.arange(5, dtype=np.float32).tobytes(), np.float32, offset=0, count=4),
    np.ndarray((4,), np.float32, b"\0" + bytes(16), offset=1),
], ids=["strided", "reversed", "big-endian", "broadcast", "empty", "read-only", "unaligned"])
def test_arrays_of_every_layout_pass(given):
    came = through(given)
    assert came.tolist() == given.tolist()


def test_a_column_is_taken_in_row_major_order():
    given = np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert through(given, shape=("N", "M")).tolist() == given.tolist()


def test_a_scalar_is_an_array_without_axes():
    came = through(np.float32(3), shape=())
    assert isinstance(came, np.ndarray) and came.shape == () and came == 3


def test_lists_take_the_type_that_the_model_declares():
    assert through([1, 2]).dtype == np.float32


def test_arrays_keep_theirs_and_the_library_judges_it():
    with pytest.raises(surefoot.InvalidInput, match=r"`x` is float64\[2\], model wants float32\[N\]"):
        through(np.zeros(2))


@pytest.mark.parametrize("given", [np.zeros(2, "M8[s]"), np.zeros(2, np.longdouble), object()],
                         ids=["datetime", "longdouble", "object"])
def test_what_onnx_has_no_type_for_is_named(given):
    with pytest.raises((surefoot.InvalidInput, TypeError), match="x|float"):
        through(given)


def test_sequences_are_lists():
    given = [np.ones(2, np.float32), np.zeros((1, 3), np.float32)]
    came = surefoot.Session(models.sequence_identity()).infer({"x": given})["y"]
    assert [each.tolist() for each in came] == [each.tolist() for each in given]
    assert surefoot.Session(models.sequence_identity()).infer({"x": []})["y"] == []


def test_maps_are_dicts():
    came = surefoot.Session(models.zip_map()).infer({"x": np.array([[1, 2], [3, 4]], np.float32)})["z"]
    assert came == [{10: 1.0, 20: 2.0}, {10: 3.0, 20: 4.0}]
    assert surefoot.Session(models.dict_vectorizer()).infer({"x": {"c": 3.0, "a": 1.0}})["y"].tolist() == [[1.0, 0.0, 3.0]]


def test_none_is_an_absent_optional():
    session = surefoot.Session(models.optional_or_zero())
    assert session.infer({"x": None})["y"] == 0
    assert session.infer({"x": np.float32(7)})["y"] == 7


def test_outputs_share_memory_and_keep_it():
    session = surefoot.Session(models.identity())
    came = session.infer({"x": np.arange(1000, dtype=np.float32)})["y"]
    assert came.base is not None and not came.flags.owndata and came.flags.writeable
    session.close()
    del session
    gc.collect()
    assert came.tolist() == list(range(1000))


def test_tensors_of_other_packages_give_their_array():
    class Foreign:
        def numpy(self):
            return np.ones(2, np.float32)

    assert through(Foreign()).tolist() == [1, 1]

"""Values by onnxruntime's name, in the memory of this process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from surefoot.errors import Unsupported, error

_ELEMENTS = {
    "float32": (1, "float"),
    "uint8": (2, "uint8"),
    "int8": (3, "int8"),
    "uint16": (4, "uint16"),
    "int16": (5, "int16"),
    "int32": (6, "int32"),
    "int64": (7, "int64"),
    "object": (8, "string"),
    "bool": (9, "bool"),
    "float16": (10, "float16"),
    "float64": (11, "double"),
    "uint32": (12, "uint32"),
    "uint64": (13, "uint64"),
    "complex64": (14, "complex64"),
    "complex128": (15, "complex128"),
    "bfloat16": (16, "bfloat16"),
    "float8_e4m3fn": (17, "float8e4m3fn"),
    "float8_e4m3fnuz": (18, "float8e4m3fnuz"),
    "float8_e5m2": (19, "float8e5m2"),
    "float8_e5m2fnuz": (20, "float8e5m2fnuz"),
    "uint4": (21, "uint4"),
    "int4": (22, "int4"),
}


def dtype_of(element_type: Any) -> np.dtype[Any]:
    """numpy's type for an ONNX number or anything that numpy understands."""
    if isinstance(element_type, int):
        name = next((name for name, (number, _) in _ELEMENTS.items() if number == element_type), None)
        if name is None:
            raise error(Unsupported, f"there is no numpy type for ONNX's element type {element_type}")
        element_type = name
    try:
        dtype: np.dtype[Any] = np.dtype(element_type)
    except TypeError:
        import ml_dtypes

        dtype = np.dtype(getattr(ml_dtypes, str(element_type)))
    return dtype


def in_this_memory(device_type: str) -> None:
    """Raises Unsupported for a device whose memory numpy cannot reach."""
    if device_type.lower() != "cpu":
        hint = "use memory of the CPU; the provider copies what it needs"
        raise error(Unsupported, f"memory of the device `{device_type}` cannot be bound", hint)


class OrtValue:
    """A tensor, a sequence or nothing, as ``onnxruntime.OrtValue`` gives it."""

    def __init__(self, value: Any) -> None:
        self._value = value

    @classmethod
    def ortvalue_from_numpy(cls, numpy_obj: Any, device_type: str = "cpu", device_id: int = 0) -> OrtValue:
        in_this_memory(device_type)
        return cls(np.ascontiguousarray(numpy_obj).reshape(np.shape(numpy_obj)))

    @classmethod
    def ortvalue_from_shape_and_type(
        cls, shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0
    ) -> OrtValue:
        in_this_memory(device_type)
        return cls(np.empty(shape, dtype_of(element_type)))

    @classmethod
    def from_dlpack(cls, data: Any) -> OrtValue:
        return cls(np.from_dlpack(data))

    def __dlpack__(self, **options: Any) -> Any:
        return self._value.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._value.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.asarray(self._value, dtype)

    def numpy(self) -> Any:
        """The array itself, not a copy; a list for a sequence."""
        return self._value

    def update_inplace(self, data: Any) -> None:
        np.copyto(self._value, data.numpy() if hasattr(data, "numpy") else data, casting="no")

    def data_ptr(self) -> int:
        return int(self._value.ctypes.data)

    def device_name(self) -> str:
        return "cpu"

    def shape(self) -> list[int]:
        return list(self._value.shape)

    def element_type(self) -> int:
        return _ELEMENTS[self._value.dtype.name][0]

    def data_type(self) -> str:
        if self.is_tensor_sequence():
            inner = OrtValue(self._value[0]).data_type() if self._value else "tensor(float)"
            return f"seq({inner})"
        return f"tensor({_ELEMENTS[self._value.dtype.name][1]})"

    def tensor_size_in_bytes(self) -> int:
        return int(self._value.nbytes)

    def has_value(self) -> bool:
        return self._value is not None

    def is_tensor(self) -> bool:
        return isinstance(self._value, np.ndarray)

    def is_sparse_tensor(self) -> bool:
        return False

    def is_tensor_sequence(self) -> bool:
        return isinstance(self._value, list)

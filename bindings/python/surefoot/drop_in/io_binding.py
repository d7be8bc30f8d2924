"""Inputs and outputs bound once and run many times, by onnxruntime's names, in memory of the CPU."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from surefoot.drop_in.ort_value import OrtValue, dtype_of, in_this_memory

if TYPE_CHECKING:
    from surefoot.drop_in.inference_session import InferenceSession


def _view(pointer: int, shape: Sequence[int], element_type: Any) -> np.ndarray[Any, Any]:
    """An array over memory that the caller keeps alive."""
    dtype = dtype_of(element_type)
    size = math.prod(shape) * dtype.itemsize
    memory = memoryview((ctypes.c_char * size).from_address(pointer)).cast("B") if size else b""
    return np.frombuffer(memory, dtype).reshape(shape)


class IOBinding:
    """As ``onnxruntime.IOBinding``."""

    def __init__(self, session: InferenceSession) -> None:
        self._session = session
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, np.ndarray[Any, Any] | None] = {}
        self._results: list[Any] = []

    def bind_cpu_input(self, name: str, arr_on_cpu: np.ndarray[Any, Any]) -> None:
        self._inputs[name] = arr_on_cpu

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any, shape: Sequence[int], buffer_ptr: int
    ) -> None:
        in_this_memory(device_type)
        self._inputs[name] = _view(buffer_ptr, shape, element_type)

    def bind_ortvalue_input(self, name: str, ortvalue: Any) -> None:
        in_this_memory(ortvalue.device_name())
        self._inputs[name] = ortvalue

    def bind_output(
        self,
        name: str,
        device_type: str = "cpu",
        device_id: int = 0,
        element_type: Any = None,
        shape: Sequence[int] | None = None,
        buffer_ptr: int | None = None,
    ) -> None:
        in_this_memory(device_type)
        self._outputs[name] = _view(buffer_ptr, shape or [], element_type) if buffer_ptr is not None else None

    def bind_ortvalue_output(self, name: str, ortvalue: Any) -> None:
        in_this_memory(ortvalue.device_name())
        self._outputs[name] = _view(ortvalue.data_ptr(), ortvalue.shape(), ortvalue.element_type())

    def synchronize_inputs(self) -> None:
        """Memory of the CPU is always in step."""

    def synchronize_outputs(self) -> None:
        """Memory of the CPU is always in step."""

    def get_outputs(self) -> list[OrtValue]:
        return [OrtValue(value) for value in self._results]

    def copy_outputs_to_cpu(self) -> list[Any]:
        return list(self._results)

    def clear_binding_inputs(self) -> None:
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        self._outputs.clear()
        self._results = []

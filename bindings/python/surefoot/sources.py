"""What a model can be given as."""

from __future__ import annotations

import os
from typing import Protocol, Union, runtime_checkable

from surefoot.errors import InvalidArgument, error


@runtime_checkable
class ModelProto(Protocol):
    """An onnx.ModelProto, or what looks like one."""

    def SerializeToString(self) -> bytes: ...


@runtime_checkable
class OpenFile(Protocol):
    """A file opened for reading bytes."""

    def read(self) -> bytes: ...


Model = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, ModelProto, OpenFile]


def source_of(model: Model) -> str | bytes:
    """The path of the file, or the bytes of the model."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model)
    if isinstance(model, ModelProto):
        return model.SerializeToString()
    if isinstance(model, OpenFile):
        model = model.read()
    if isinstance(model, (bytes, bytearray, memoryview)):
        return bytes(model)
    what = f"a model is a path, bytes, a ModelProto or a file open for bytes, not `{type(model).__name__}`"
    raise TypeError(str(error(InvalidArgument, what)))

"""What a model file says about itself."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from surefoot import _core
from surefoot.sources import Model, source_of


@dataclass(frozen=True)
class Dimension:
    """One axis: a fixed size, a symbolic name, or neither."""

    size: int  #: -1 where it is free
    name: str = ""
    denotation: str = ""


@dataclass(frozen=True)
class ValueType:
    """The declared type of an input or output. Prints like ``float32[1,3,height,?]``."""

    kind: str  #: "tensor", "sequence", "map"
    element: str  #: "float32"; the key's of a map
    shape: list[Dimension] | None  #: None when not even the rank is stated
    inner: list[ValueType]
    optional: bool
    sparse: bool
    text: str

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> ValueType:
        kind, element, shape, inner, optional, sparse, text = parts
        axes = None if shape is None else [Dimension(*axis) for axis in shape]
        return cls(kind, element, axes, [cls._of(each) for each in inner], optional, sparse, text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ValueInfo:
    """A named input or output."""

    name: str
    type: ValueType
    required: bool = True

    def __str__(self) -> str:
        return f"{self.name} {self.type}"


def values_of(parts: list[tuple[str, tuple[Any, ...], bool]]) -> list[ValueInfo]:
    return [ValueInfo(name, ValueType._of(kind), required) for name, kind, required in parts]


@dataclass(frozen=True)
class ModelInfo:
    """A model's facts."""

    format: str
    ir_version: int
    producer_name: str
    producer_version: str
    domain: str
    graph_name: str
    doc_string: str
    model_version: int
    opsets: list[tuple[str, int]]
    metadata: dict[str, str]
    inputs: list[ValueInfo]
    outputs: list[ValueInfo]
    ops: list[tuple[str, str, int]]  #: domain, operator, how often; most frequent first
    node_count: int
    initializer_count: int
    initializer_bytes: int
    external_data: list[tuple[str, str, int, int]]  #: tensor, file, offset, bytes
    file_bytes: int

    @classmethod
    def _of(cls, parts: dict[str, Any]) -> ModelInfo:
        made = {each.name: parts[each.name] for each in fields(cls)}
        return cls(**{**made, "inputs": values_of(parts["inputs"]), "outputs": values_of(parts["outputs"])})


def inspect(model: Model) -> ModelInfo:
    """Reads a model's facts without any ONNX Runtime; weights are skipped, so that gigabytes cost milliseconds.

    >>> import surefoot
    >>> [str(each) for each in surefoot.inspect("models/digits/digits.onnx").inputs]
    ['image float32[batch,1,8,8]']
    """
    return ModelInfo._of(_core.inspect(source_of(model)))

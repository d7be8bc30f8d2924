"""What a model says of its inputs, outputs and itself, by onnxruntime's names."""

from __future__ import annotations

from surefoot.model_info import ModelInfo, ValueInfo, ValueType

_NAMES = {"float32": "float", "float64": "double"}
_NO_VERSION = 2**63 - 1  # what onnxruntime gives for a model without one


def type_text(kind: ValueType) -> str:
    """onnxruntime's name of a type: "tensor(float)", "seq(map(int64,tensor(float)))"."""
    element = _NAMES.get(kind.element, kind.element)
    inner = [type_text(each) for each in kind.inner]
    if kind.kind == "sequence":
        text = f"seq({inner[0]})"
    elif kind.kind == "map":
        text = f"map({element},{inner[0]})"
    else:
        text = f"sparse_tensor({element})" if kind.sparse else f"tensor({element})"
    return f"optional({text})" if kind.optional else text


class NodeArg:
    """An input or output: its name, type and shape."""

    __slots__ = ("name", "shape", "type")

    def __init__(self, info: ValueInfo) -> None:
        self.name = info.name
        self.type = type_text(info.type)
        axes = info.type.shape or []
        self.shape: list[int | str | None] = [axis.name or None if axis.size < 0 else axis.size for axis in axes]

    def __repr__(self) -> str:
        return f"NodeArg(name={self.name!r}, type={self.type!r}, shape={self.shape})"


class ModelMetadata:
    """A model's facts by onnxruntime's names."""

    __slots__ = (
        "custom_metadata_map",
        "description",
        "domain",
        "graph_description",
        "graph_name",
        "producer_name",
        "version",
    )

    def __init__(self, info: ModelInfo) -> None:
        self.custom_metadata_map = dict(info.metadata)
        self.description = info.doc_string
        self.domain = info.domain
        self.graph_description = ""
        self.graph_name = info.graph_name
        self.producer_name = info.producer_name
        self.version = info.model_version or _NO_VERSION

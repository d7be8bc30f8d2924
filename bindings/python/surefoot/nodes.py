"""A model's nodes, as a mapping from names."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from surefoot import _core


@dataclass(frozen=True)
class Encoded:
    """An attribute without a form of its own here (a graph, a list of tensors, …): its whole AttributeProto."""

    kind: str
    data: bytes = field(repr=False)


@dataclass(frozen=True)
class Reference:
    """In a function: the function's attribute that this one stands for."""

    name: str
    kind: str


@dataclass
class Node:
    """An operator with its inputs, outputs and attributes.

    Attributes are numbers, text (bytes where it is no UTF-8), lists of these, arrays, :class:`Encoded`,
    :class:`Reference`.
    """

    op: str
    inputs: list[str] = field(default_factory=list)  #: "" where an optional one is left out
    outputs: list[str] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    domain: str = ""
    name: str = ""  #: as the node states it, without a path
    doc_string: str = ""

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> Node:
        op, inputs, outputs, attributes, *rest = parts
        return cls(op, inputs, outputs, {name: _value_of(*each) for name, *each in attributes}, *rest)

    def _parts(self, kinds: dict[str, str]) -> tuple[Any, ...]:
        attributes = [_attribute(name, value, kinds.get(name, "")) for name, value in self.attributes.items()]
        return (self.op, list(self.inputs), list(self.outputs), attributes, self.domain, self.name, self.doc_string)


@dataclass(frozen=True)
class GraphProblem:
    """Something that makes a graph one that cannot run."""

    node: str
    value: str
    what: str


def _value_of(kind: str, value: Any, reference: str) -> Any:
    if reference:
        return Reference(reference, kind)
    return Encoded(kind, value) if isinstance(value, bytes) and kind != "string" else value


def _kind_of_list(items: list[Any]) -> str:
    if all(isinstance(each, (bool, int, np.integer)) for each in items):
        return "ints"
    return "strings" if all(isinstance(each, (str, bytes)) for each in items) else "floats"


def _kind_of(value: Any) -> str:
    if isinstance(value, (bool, int, np.integer)):
        return "int"
    if isinstance(value, (float, np.floating)):
        return "float"
    if isinstance(value, (str, bytes)):
        return "string"
    return _kind_of_list(list(value)) if isinstance(value, (list, tuple)) else "tensor"


def _attribute(name: str, value: Any, before: str) -> tuple[str, str, Any, str]:
    """What the library takes; a whole number stays a float where the node had one, and so does an empty list."""
    if isinstance(value, Reference):
        return name, value.kind, None, value.name
    if isinstance(value, Encoded):
        return name, value.kind, value.data, ""
    kind = _kind_of(value)
    if (kind, before) == ("int", "float") or (kind, before) == ("ints", "floats") or (kind.endswith("s") and not value and before):
        kind = before
    if kind.startswith("float"):
        value = [float(each) for each in value] if kind == "floats" else float(value)
    elif kind.startswith("int"):
        value = [int(each) for each in value] if kind == "ints" else int(value)
    return name, kind, list(value) if isinstance(value, tuple) else value, ""


class Nodes(MutableMapping[str, Node]):
    """The nodes of one model by name, in the file's order.

    A node without a name, or with one that is taken, is called ``Op#place``; one of a subgraph has its path before it.
    What is taken out is a copy: put it back to change the model.

    >>> import surefoot
    >>> nodes = surefoot.Model("models/digits/digits.onnx").nodes
    >>> nodes[next(iter(nodes))].inputs[0]
    'image'
    """

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    def __getitem__(self, name: str) -> Node:
        return Node._of(self._core.node(name))

    def __setitem__(self, name: str, node: Node) -> None:
        kinds = {each: kind for each, kind, *_ in self._core.node(name)[3]}
        self._core.set_node(name, node._parts(kinds))

    def __delitem__(self, name: str) -> None:
        self._core.remove_node(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.node_names())

    def __len__(self) -> int:
        return len(self._core.node_names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._core.has_node(name)

    def insert(self, node: Node, graph: str = "") -> str:
        """Adds a node to the graph of that path, behind the last one whose output it reads; gives its name."""
        return self._core.insert_node(node._parts({}), graph)

    def rename(self, old: str, new: str) -> None:
        self._core.rename_node(old, new)

    def check(self) -> list[GraphProblem]:
        """What ONNX Runtime would refuse."""
        return [GraphProblem(*each) for each in self._core.check_nodes()]

    def __repr__(self) -> str:
        return f"<surefoot.Nodes: {len(self)}>"

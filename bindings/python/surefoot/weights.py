"""A model's weights, as a mapping from names to arrays."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from surefoot import _core
from surefoot.tables import table


@dataclass(frozen=True)
class WeightInfo:
    """All about a weight but its elements."""

    name: str
    type: str
    shape: tuple[int, ...]
    bytes: int
    storage: str  #: "raw", "typed", "external", "sparse", or "edited": in memory
    location: str = ""  #: of an external one: the file, relative to the model's folder
    offset: int = 0


class Weights(MutableMapping[str, "np.ndarray[Any, Any]"]):
    """The weights of one model by name, in the file's order; one of a subgraph has its path before its name.

    Arrays are views of the mapped file, or of what was set, and may only be read: assign another value to change one.
    Nothing is read that is not asked for, and the file is never written to.

    >>> import numpy, surefoot
    >>> weights = surefoot.Model("models/digits/digits.onnx").weights
    >>> name = max(weights, key=lambda each: weights.info(each).bytes)
    >>> weights[name] = numpy.zeros_like(weights[name])
    >>> weights.info(name).storage
    'edited'
    """

    def __init__(self, core: _core.Model) -> None:
        self._core = core

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        array: np.ndarray[Any, Any] = self._core.weight(name)
        return array

    def __setitem__(self, name: str, value: Any) -> None:
        """Another value of the same type and shape, or a new weight."""
        if name in self:
            self._core.set_weight(name, value)
        else:
            self._core.insert_weight(name, value)

    def __delitem__(self, name: str) -> None:
        """Takes out a weight that no node reads."""
        self._core.erase_weight(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._core.weight_names())

    def __len__(self) -> int:
        return len(self._core.weight_names())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._core.has_weight(name)

    def info(self, name: str) -> WeightInfo:
        return WeightInfo(*self._core.weight_info(name))

    def infos(self) -> list[WeightInfo]:
        """Of all, without reading any."""
        return [WeightInfo(*each) for each in self._core.weight_items()]

    def replace(self, name: str, value: Any) -> None:
        """A value of any type and shape."""
        self._core.replace_weight(name, value)

    def reset(self, name: str) -> None:
        """Back to what the file holds."""
        self._core.reset_weight(name)

    def rename(self, old: str, new: str) -> None:
        """Another name, wherever it is referred to."""
        self._core.rename_weight(old, new)

    def __repr__(self) -> str:
        infos = self.infos()
        return f"<surefoot.Weights: {len(infos)} of {sum(each.bytes for each in infos)} bytes>"

    def _repr_html_(self) -> str:
        rows = [(each.name, each.type, list(each.shape), each.bytes, each.storage) for each in self.infos()]
        return table(("weight", "type", "shape", "bytes", "storage"), rows)

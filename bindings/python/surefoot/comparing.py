"""Whether two ways of running a model give the same, and where they begin to differ."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from surefoot import _core
from surefoot.samples import given_or_made_up
from surefoot.session import Session, Settings, options_of
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Tolerance:
    """An element passes when ``|one - other| <= absolute + relative * |other| + of_largest * L``, where L is the largest
    finite magnitude in ``other``."""

    absolute: float = 0
    relative: float = 0
    of_largest: float = 0


def _parts(tolerance: Tolerance | None) -> tuple[float, float, float] | None:
    return None if tolerance is None else (tolerance.absolute, tolerance.relative, tolerance.of_largest)


@dataclass(frozen=True)
class TensorDifference:
    """How far two tensors are from each other. Prints as one line."""

    mismatch: str  #: types or shapes that differ: nothing else is known then
    type: str
    elements: int
    max_absolute: float
    max_relative: float
    worst: int  #: the element that is farthest beyond the tolerance, …
    worst_one: float  #: … and its values
    worst_other: float
    cosine: float | None  #: of the angle between both
    ulps: dict[str, int] = field(repr=False)  #: elements by steps of the last place
    nan: tuple[int, int]  #: in one, in the other
    infinite: tuple[int, int]
    beyond: int  #: elements that do not pass
    within: bool
    text: str = field(repr=False, compare=False, default="")

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Comparison:
    """The outputs of one session, held against those of another."""

    outputs: dict[str, TensorDifference]

    @classmethod
    def _of(cls, parts: list[tuple[str, dict[str, Any]]]) -> Comparison:
        return cls({name: TensorDifference(**difference) for name, difference in parts})

    @property
    def within(self) -> bool:
        """Whether every output passes."""
        return all(each.within for each in self.outputs.values())

    def __str__(self) -> str:
        return "\n".join(f"{name}: {each}" for name, each in self.outputs.items())

    def _repr_html_(self) -> str:
        rows = [(name, "agrees" if each.within else "differs", str(each)) for name, each in self.outputs.items()]
        return table(("output", "", "difference"), rows)


def compare(
    one: Session, other: Session, inputs: Mapping[str, Any] | None = None, *, tolerance: Tolerance | None = None
) -> Comparison:
    """Runs both on the same inputs, made up where none are given, and holds every output of ``one`` against that of the
    same name of ``other``. Without a tolerance each type has its usual one.

    >>> import surefoot
    >>> one = surefoot.Session("models/digits/digits.onnx")
    >>> other = surefoot.Session("models/digits/digits.onnx", optimization="disabled")
    >>> surefoot.compare(one, other).within
    True
    """
    feed = given_or_made_up(inputs, one)
    return Comparison._of(_core.compare(one._core, other._core, feed, _parts(tolerance)))


@dataclass(frozen=True)
class InputRange:
    """What a node was given."""

    name: str
    type: str
    least: float | None
    most: float | None
    nan_count: int


@dataclass(frozen=True)
class Departure:
    """The first inner value that differs."""

    value: str
    node: str
    op: str
    difference: TensorDifference
    inputs: list[InputRange]  #: of the node, as the other side computes them

    def __str__(self) -> str:
        return f"it begins at `{self.value}`, output of node `{self.node}` ({self.op}): {self.difference}"


@dataclass(frozen=True)
class Location:
    """Where two ways of running a model begin to differ."""

    departure: Departure | None  #: None: no inner value differs once it is an output
    values: int  #: inner values of the main graph
    looked_at: int  #: those that were compared

    def __str__(self) -> str:
        nowhere = f"no inner value differs once it is an output ({self.looked_at} of {self.values} looked at)"
        return str(self.departure) if self.departure else nowhere


def _departure(parts: tuple[Any, ...] | None) -> Departure | None:
    if parts is None:
        return None
    value, node, op, difference, inputs = parts
    return Departure(value, node, op, TensorDifference(**difference), [InputRange(*each) for each in inputs])


def locate(
    model: AnyPath,
    one: Settings,
    other: Settings,
    inputs: Mapping[str, Any] | None = None,
    *,
    tolerance: Tolerance | None = None,
) -> Location:
    """Closes in on the first inner value in which a session opened with the settings ``one`` differs from one opened with
    ``other``; each is a dict of the options of :class:`surefoot.Session`.

    >>> import surefoot
    >>> print(surefoot.locate("models/digits/digits.onnx", {}, {"optimization": "disabled"}).departure)
    None
    """
    feed = given_or_made_up(inputs, model, one.get("dimensions"))
    found, values, looked_at = _core.locate(os.fspath(model), options_of(one), options_of(other), feed, _parts(tolerance))
    return Location(_departure(found), values, looked_at)


@dataclass(frozen=True)
class Bisection:
    """What ONNX Runtime's graph optimizer does to a model."""

    symptom: str  #: "none", "does not open", "does not run", "wrong numbers"
    what: str  #: the error, or the output that differs
    fails_at: str  #: the lowest level that does
    works_at: str  #: the level below it
    rules: list[str]  #: without these the level works
    tried: int  #: sessions that were opened
    entry: tuple[str, str] | None  #: for ``config``: avoids it

    def __str__(self) -> str:
        if self.symptom == "none":
            return f"nothing fails at any level ({self.tried} sessions)"
        rules = f" because of {', '.join(self.rules)}" if self.rules else ""
        return f"{self.symptom} at {self.fails_at}{rules}: {self.what}"


def bisect(
    model: AnyPath, inputs: Mapping[str, Any] | None = None, *, tolerance: Tolerance | None = None, **settings: Any
) -> Bisection:
    """Finds the rule of ONNX Runtime's graph optimizer that breaks a model, and the entry that switches it off; the
    settings are those of :class:`surefoot.Session`.

    >>> import surefoot
    >>> print(surefoot.bisect("models/digits/digits.onnx").symptom)
    none
    """
    wanted = Settings(**settings)  # type: ignore[typeddict-item]
    feed = given_or_made_up(inputs, model, wanted.get("dimensions"))
    return Bisection(*_core.bisect(os.fspath(model), options_of(wanted), feed, _parts(tolerance)))

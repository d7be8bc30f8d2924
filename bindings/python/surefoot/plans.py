"""The plan: which providers a session will try, in which order, and why not the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from surefoot import _core
from surefoot.errors import Error
from surefoot.machine import load_runtime
from surefoot.sources import Model, source_of
from surefoot.tables import table


@dataclass(frozen=True)
class Candidate:
    """One list of providers that stand together in a session, the leading one first."""

    name: str
    providers: list[str]
    viable: bool
    reason: Error | None = field(default=None, compare=False)  #: why it was rejected


@dataclass(frozen=True)
class Plan:
    """An ordered list of candidates, best first, the rejected ones in their place. Prints as the command does."""

    required: bool
    candidates: list[Candidate]
    options: dict[str, dict[str, str]]  #: those that go to each provider
    text: str = field(repr=False, compare=False, default="")

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> Plan:
        required, candidates, options, text = parts
        return cls(required, [Candidate(*each) for each in candidates], options, text)

    @property
    def viable(self) -> list[Candidate]:
        return [each for each in self.candidates if each.viable]

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        rows = [
            (each.name, ", ".join(each.providers), "viable" if each.viable else "rejected", each.reason.what if each.reason else "")
            for each in self.candidates
        ]
        return table(("candidate", "providers", "verdict", "why"), rows)


def selection(
    prefer: Iterable[str] = (),
    only: Iterable[str] = (),
    exclude: Iterable[str] = (),
    provider_options: Mapping[str, Mapping[str, object]] | None = None,
    first_only: bool = False,
) -> _core.Options:
    """What the caller wants of providers, as the library takes it."""
    options = _core.Options()
    options.prefer, options.only, options.exclude = list(prefer), list(only), list(exclude)
    options.first_only = first_only
    options.provider_options = {
        name: {str(key): str(value) for key, value in given.items()} for name, given in (provider_options or {}).items()
    }
    return options


def plan(
    model: Model,
    *,
    prefer: Iterable[str] = (),
    only: Iterable[str] = (),
    exclude: Iterable[str] = (),
    provider_options: Mapping[str, Mapping[str, object]] | None = None,
    first_only: bool = False,
    runtime: _core.Runtime | None = None,
) -> Plan:
    """Makes the plan for a model without opening anything.

    >>> import surefoot
    >>> print(surefoot.plan("models/digits/digits.onnx", only=["cpu"]))
    cpu  viable
    """
    options = selection(prefer, only, exclude, provider_options, first_only)
    options.runtime = runtime or load_runtime()
    return Plan._of(_core.plan(source_of(model), options))

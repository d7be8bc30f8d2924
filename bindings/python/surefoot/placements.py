"""Which of a model's nodes run on which provider."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from surefoot.tables import table


@dataclass(frozen=True)
class PlacedNode:
    """A node where it was placed."""

    name: str
    op: str
    provider: str
    type: str = ""  #: of the first input, where a run told it
    why_not: str = ""  #: why the leading provider did not get it, where ONNX Runtime's log told while it was measured


@dataclass(frozen=True)
class ProviderShare:
    """What one provider got."""

    provider: str
    nodes: int
    partitions: int  #: stretches of nodes between those of others; 0: not measured
    time: float  #: seconds of its nodes in one run; 0: not measured
    share: float  #: of all nodes, from 0 to 1
    time_share: float  #: of all time, from 0 to 1


@dataclass(frozen=True)
class Placement:
    """Where the nodes of a session run. Prints as one line."""

    nodes: list[PlacedNode] = field(repr=False)
    providers: list[ProviderShare]  #: the leading one first
    measured: bool  #: by a profiled run: times, partitions and copies are known
    copies_to_device: int
    copies_from_device: int
    text: str = field(repr=False, compare=False, default="")

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> Placement:
        nodes, providers, *rest = parts
        return cls([PlacedNode(*each) for each in nodes], [ProviderShare(*each) for each in providers], *rest)

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        rows = [
            (each.provider, each.nodes, f"{each.share:.0%}", f"{each.time * 1e6:.0f} µs" if self.measured else "")
            for each in self.providers
        ]
        return table(("provider", "nodes", "share", "time"), rows)

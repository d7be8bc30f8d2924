"""How fast a model runs, and where the time goes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from surefoot import _core
from surefoot.events import FallbackEvents, events_of
from surefoot.samples import given_or_made_up
from surefoot.session import Settings, options_of
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]
Subject = Union[AnyPath, tuple[AnyPath, Settings]]


def _time(microseconds: float) -> str:
    return f"{microseconds:.1f} µs" if microseconds < 1000 else f"{microseconds / 1000:.2f} ms"


@dataclass(frozen=True)
class Latency:
    """Times of single runs, in microseconds; the median lies between ``p50_from`` and ``p50_to`` with 95 % confidence."""

    runs: int
    least: float
    p50: float
    p90: float
    p99: float
    most: float
    mean: float
    p50_from: float
    p50_to: float


@dataclass(frozen=True)
class BenchResult:
    """How one way of running the model did."""

    name: str
    provider: str  #: that led when it was over
    events: FallbackEvents = field(repr=False)
    load: float  #: seconds of opening
    first_run: float  #: seconds
    memory_bytes: int  #: by which opening and the first run raised the peak; 0: not known
    warm_up_runs: int
    stable: bool  #: the times had stopped falling when counting began
    latency: Latency
    throughput: dict[int, float]  #: runs a second, by the number of concurrent callers
    times: list[float] = field(repr=False)  #: of the counted runs, in their order, in microseconds

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> BenchResult:
        name, provider, events, load, first_run, memory, warm_up, stable, latency, throughput, times = parts
        costs = (load, first_run, memory, warm_up, stable)
        return cls(name, provider, events_of(events), *costs, Latency(*latency), dict(throughput), times)

    def __str__(self) -> str:
        if not self.latency.runs:
            return f"{self.name}: not timed"
        return f"{self.name}: p50 {_time(self.latency.p50)}, p99 {_time(self.latency.p99)}, {self.latency.runs} runs"


class BenchResults(list[BenchResult]):
    """One result for each way, in the order in which they were given."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        rows = [
            (each.name, each.provider, _time(each.latency.p50), _time(each.latency.p99), f"{each.load * 1e3:.1f} ms")
            for each in self
        ]
        return table(("name", "provider", "p50", "p99", "load"), rows)


def bench(
    subjects: Union[AnyPath, Mapping[str, Subject]],
    inputs: Mapping[str, Any] | None = None,
    *,
    time: float = 2.0,
    callers: Iterable[int] = (),
    prepared: bool = False,
) -> BenchResults:
    """Times several ways of running a model in turns, so that what drifts hits all alike: a path, or a dict of name to
    path or to ``(path, settings)``, the settings being a dict of those of :class:`surefoot.session.Settings`.

    ``time`` is of counted runs, in seconds for each; ``callers`` adds the throughput of so many at once; ``prepared`` times
    prepared runs, which replay a graph where the settings say ``graph_capture``. Inputs that are not given are made up.

    >>> import surefoot
    >>> model = "models/digits/digits.onnx"
    >>> ways = {"as it is": model, "one thread": (model, {"intra_op_threads": 1})}
    >>> [each.provider for each in surefoot.bench(ways, time=0.05)]
    ['cpu', 'cpu']
    """
    named = subjects if isinstance(subjects, Mapping) else {os.fspath(subjects): subjects}
    ways = {name: each if isinstance(each, tuple) else (each, Settings()) for name, each in named.items()}
    given = [(name, os.fspath(path), options_of(settings)) for name, (path, settings) in ways.items()]
    path, settings = next(iter(ways.values()), ("", Settings()))
    feed = given_or_made_up(inputs, path, settings.get("dimensions")) if given else {}
    return BenchResults(BenchResult._of(each) for each in _core.bench(given, feed, time, list(callers), prepared))


@dataclass(frozen=True)
class NodeTime:
    """One node as it ran, in all counted runs; without the nodes inside it."""

    name: str
    op: str
    provider: str
    input_type: str
    calls: int
    total: float  #: seconds


@dataclass(frozen=True)
class OperatorTime:
    """All nodes of one operator on one provider."""

    op: str
    provider: str
    nodes: int
    calls: int
    total: float  #: seconds


@dataclass(frozen=True)
class ProviderTime:
    """All nodes of one provider."""

    provider: str
    nodes: int
    calls: int
    partitions: int  #: stretches of nodes that ran on it with no other provider between them
    total: float  #: seconds


@dataclass(frozen=True)
class Profile:
    """What a trace of ONNX Runtime's says about where the time went. Times are in seconds."""

    runs: int
    run_time: float
    node_time: float
    nodes: list[NodeTime] = field(repr=False)  #: in the order in which they first ended
    operators: list[OperatorTime] = field(repr=False)  #: longest first
    providers: list[ProviderTime]  #: longest first
    copies_to_device: int
    copies_from_device: int
    copy_time: float
    share_of_copies: float  #: of the nodes' time, from 0 to 1
    unread_events: int  #: lines that are no event that can be read

    @classmethod
    def _of(cls, parts: dict[str, Any]) -> Profile:
        made = {
            "nodes": [NodeTime(*each) for each in parts["nodes"]],
            "operators": [OperatorTime(*each) for each in parts["operators"]],
            "providers": [ProviderTime(*each) for each in parts["providers"]],
        }
        return cls(**{**parts, **made})

    def longest(self, count: int) -> list[NodeTime]:
        """The nodes that took longest, longest first."""
        return sorted(self.nodes, key=lambda each: each.total, reverse=True)[:count]

    def _repr_html_(self) -> str:
        rows = [(each.op, each.provider, each.nodes, each.calls, _time(each.total * 1e6)) for each in self.operators]
        return table(("operator", "provider", "nodes", "calls", "time"), rows)


def read_profile(trace: AnyPath, *, skip_runs: int = 0) -> Profile:
    """Reads the file that :meth:`surefoot.Session.end_profiling` gives, or any other trace of ONNX Runtime's; ``skip_runs``
    leaves out the first ones, which warm up."""
    return Profile._of(_core.read_profile(os.fspath(trace), skip_runs))

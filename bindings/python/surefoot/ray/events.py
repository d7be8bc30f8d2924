"""What the workers' sessions gave up, told to the driver."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ray

from surefoot.events import FallbackEvent
from surefoot.session import Session


@dataclass(frozen=True)
class Origin:
    """The worker that reports."""

    node: str
    process: int

    @classmethod
    def here(cls) -> Origin:
        return cls(ray.get_runtime_context().get_node_id(), os.getpid())


@dataclass(frozen=True)
class Opened:
    """A worker that has opened its model."""

    origin: Origin
    model: str
    provider: str


@dataclass(frozen=True)
class Reported:
    """An event of a worker's session."""

    origin: Origin
    event: FallbackEvent

    def __str__(self) -> str:
        return f"process {self.origin.process}: {self.event}"


class _Reports:
    """The actor that takes reports; it needs no CPU of its own."""

    def __init__(self) -> None:
        self._opened: list[Opened] = []
        self._events: list[Reported] = []

    def add(self, report: Opened | Reported) -> None:
        if isinstance(report, Opened):
            self._opened.append(report)
        else:
            self._events.append(report)

    def opened(self) -> list[Opened]:
        return self._opened

    def events(self) -> list[Reported]:
        return self._events


class EventLog:
    """Made by the driver, given to the workers as ``events=``, and read by the driver: what each worker's session runs on,
    and what it gave up. Lives as long as the driver holds it."""

    def __init__(self) -> None:
        self._actor: Any = ray.remote(num_cpus=0)(_Reports).remote()

    def opened(self) -> list[Opened]:
        """The workers that have opened their model, once each."""
        opened: list[Opened] = ray.get(self._actor.opened.remote())
        return opened

    def events(self) -> list[Reported]:
        events: list[Reported] = ray.get(self._actor.events.remote())
        return events

    def _add(self, report: Opened | Reported) -> None:
        self._actor.add.remote(report)


def open_and_report(model: Any, events: EventLog | None, settings: dict[str, Any]) -> Session:
    """A worker's session, whose events go to the driver too."""
    if events is None:
        return Session(model, **settings)
    origin, also = Origin.here(), settings.pop("on_event", None)
    session = Session(model, on_event=_both(lambda event: events._add(Reported(origin, event)), also), **settings)
    events._add(Opened(origin, session._label(), session.provider))
    return session


def _both(
    first: Callable[[FallbackEvent], object], second: Callable[[FallbackEvent], object] | None
) -> Callable[[FallbackEvent], None]:
    def call(event: FallbackEvent) -> None:
        first(event)
        if second is not None:
            second(event)

    return call

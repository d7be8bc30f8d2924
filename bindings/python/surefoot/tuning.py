"""The settings that run a model fastest here: searched by measuring, and kept."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from surefoot import _core
from surefoot.errors import Error
from surefoot.samples import given_or_made_up
from surefoot.session import Settings, options_of
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class TuneTrial:
    """One value that was tried, in turns with the best found until then. Costs are microseconds: of a run, or, for
    throughput, of all time over all runs."""

    setting: str
    value: str
    before: float
    after: float
    kept: bool
    error: Error | None = field(default=None, compare=False)  #: why it could not be measured

    def __str__(self) -> str:
        tried = f"{self.setting}={self.value}"
        if self.error:
            return f"{tried}: not measured: {self.error.what}"
        return f"{tried}: {self.before:.1f} -> {self.after:.1f} µs" + (", kept" if self.kept else "")


@dataclass(frozen=True)
class TuneReport:
    """What was tried, and what of it is faster than the default."""

    settings: dict[str, str]  #: empty: the default, since nothing was proved to be faster
    trials: list[TuneTrial] = field(repr=False)
    untried: list[str]  #: settings that time did not reach
    before: float  #: the default's cost in the final comparison, and …
    after: float  #: … that of ``settings``
    record: Path | None  #: None: not saved

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> TuneReport:
        settings, trials, *rest = parts
        return cls(settings, [TuneTrial(*each) for each in trials], *rest)

    def __str__(self) -> str:
        found = ", ".join(f"{name}={value}" for name, value in self.settings.items()) or "the default"
        return "\n".join([*map(str, self.trials), f"{found}: {self.before:.1f} -> {self.after:.1f} µs"])

    def _repr_html_(self) -> str:
        rows = [
            (each.setting, each.value, *(("", each.error.what) if each.error else (f"{each.before:.1f} µs", f"{each.after:.1f} µs")),
             "kept" if each.kept else "")
            for each in self.trials
        ]
        return table(("setting", "value", "before", "after", ""), rows)


def tune(
    model: AnyPath,
    inputs: Mapping[str, Any] | None = None,
    *,
    goal: str = "latency",
    callers: int = 2,
    time: float = 20.0,
    save: bool = True,
    **settings: Any,
) -> TuneReport:
    """Tries providers, threads, spinning, optimisation, parallel operators and memory planning, each in turns with the best
    so far, and keeps what also beats the default in a final comparison. Sessions opened with ``prefer=["measured"]`` use it.

    ``goal`` is "latency" or "throughput", that of so many ``callers`` at once; ``time`` is about that of the whole search, in
    seconds; ``save=False`` keeps no record. The settings are those of :class:`surefoot.Session`: one that is given stays as
    it is. Inputs that are not given are made up.

    >>> import surefoot
    >>> found = surefoot.tune("models/digits/digits.onnx", time=0.2, save=False)
    >>> found.after <= found.before, found.record
    (True, None)
    """
    wanted = Settings(**settings)  # type: ignore[typeddict-item]
    options = _core.TuneOptions()
    options.session, options.callers, options.save = options_of(wanted), callers, save
    options.set_goal(goal)
    options.set_time(time)
    feed = given_or_made_up(inputs, model, wanted.get("dimensions"))
    return TuneReport._of(_core.tune(os.fspath(model), feed, options))

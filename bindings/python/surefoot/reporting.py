"""One report of how a model runs on this machine: plan, nodes, times, differences, machine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Union

from surefoot import _core
from surefoot.comparing import Comparison
from surefoot.diagnosis import Diagnosis
from surefoot.events import FallbackEvents, events_of
from surefoot.machine import Provider, Providers
from surefoot.measuring import BenchResult, BenchResults, Profile
from surefoot.model_info import ModelInfo
from surefoot.placements import Placement
from surefoot.plans import Candidate
from surefoot.samples import given_or_made_up
from surefoot.session import Settings, options_of

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class ReportNode:
    """A node of the model's file, or one that ONNX Runtime made out of some of them."""

    name: str
    op: str
    provider: str  #: on which it was placed or ran; empty: ONNX Runtime told of none
    in_model: bool  #: False: ONNX Runtime made it, by fusing or rearranging
    calls: int  #: in all counted runs; 0: it did not run under its own name
    total: float  #: seconds of these calls
    inputs: list[str]  #: values, "" where one is left out; of nodes of the file alone
    outputs: list[str]  #: likewise


@dataclass(frozen=True)
class Report:
    """How a model runs on this machine: everything in it was measured when it was made."""

    path: Path  #: the model's
    made: datetime  #: when it was begun
    model: ModelInfo = field(repr=False)
    inputs: dict[str, str]  #: the type of each, by name
    made_up_inputs: bool
    onnxruntime: str  #: the version of the ONNX Runtime that was used
    library: Path  #: and where it lies
    execution_providers: Providers = field(repr=False)
    candidates: list[Candidate] = field(repr=False)
    provider: str  #: that leads
    providers: list[str]  #: of the candidate in use
    events: FallbackEvents = field(repr=False)
    placement: Placement | None = field(repr=False)  #: None: this ONNX Runtime or provider does not tell without a run
    profile: Profile = field(repr=False)
    nodes: list[ReportNode] = field(repr=False)  #: those of the file in its order, then those that ONNX Runtime made
    latency: BenchResults = field(repr=False)  #: of the provider that leads, then of the CPU where it is another
    comparison: Comparison | None = field(repr=False)  #: with the CPU; None where the CPU leads
    machine: Diagnosis = field(repr=False)  #: its findings are of the machine and the model
    json: str = field(repr=False)  #: one document of the schema ``surefoot.report/1``
    html: str = field(repr=False)  #: one page that holds everything and asks no network

    @classmethod
    def _of(cls, parts: tuple[dict[str, Any], str, str]) -> Report:
        facts, json, html = parts
        placement, comparison = facts["placement"], facts["comparison"]
        made = {
            "made": datetime.fromtimestamp(facts["made"], timezone.utc),
            "model": ModelInfo._of(facts["model"]),
            "inputs": dict(facts["inputs"]),
            "execution_providers": Providers(Provider(*each) for each in facts["execution_providers"]),
            "candidates": [Candidate(*each) for each in facts["candidates"]],
            "events": events_of(facts["events"]),
            "placement": None if placement is None else Placement._of(placement),
            "profile": Profile._of(facts["profile"]),
            "nodes": [ReportNode(*each) for each in facts["nodes"]],
            "latency": BenchResults(BenchResult._of(each) for each in facts["latency"]),
            "comparison": None if comparison is None else Comparison._of(comparison),
            "machine": Diagnosis._of(facts["machine"]),
        }
        return cls(**{**facts, **made}, json=json, html=html)

    def __str__(self) -> str:
        lines = [f"{self.path} on {', '.join(self.providers)}", str(self.placement or ""), str(self.latency), str(self.comparison or "")]
        return "\n".join(line for line in lines if line)

    def _repr_html_(self) -> str:
        shown = (self.placement, self.latency, self.profile, self.comparison, self.machine)
        return "".join(each._repr_html_() for each in shown if each is not None)


def _request(
    model: AnyPath, made_up_inputs: bool, runs: int, time: float, on_step: Callable[[str], object] | None, settings: Settings
) -> _core.ReportRequest:
    request = _core.ReportRequest()
    request.model, request.options = os.fspath(model), options_of(settings)
    request.made_up_inputs = made_up_inputs
    request.set_runs(runs)
    request.set_time(time)
    request.set_on_step(on_step)
    return request


def make_report(
    model: AnyPath,
    inputs: Mapping[str, Any] | None = None,
    *,
    runs: int = 10,
    time: float = 2.0,
    on_step: Callable[[str], object] | None = None,
    **settings: Any,
) -> Report:
    """Opens the model, runs it under ONNX Runtime's profiler, compares it with the CPU, times it and examines the machine.

    ``runs`` are those under the profiler; ``time`` is that of timing, in seconds for each provider, 0 for none; ``on_step`` is
    called with what is done next. The settings are those of :class:`surefoot.Session`. Inputs that are not given are made up.

    >>> import surefoot
    >>> report = surefoot.make_report("models/digits/digits.onnx", only=["cpu"], time=0.05)
    >>> report.provider, report.profile.runs, report.html.startswith("<!doctype html>")
    ('cpu', 10, True)
    """
    wanted = Settings(**settings)  # type: ignore[typeddict-item]
    feed = given_or_made_up(inputs, model, wanted.get("dimensions"))
    return Report._of(_core.make_report(_request(model, inputs is None, runs, time, on_step, wanted), feed))


def write_report(
    model: AnyPath,
    page: AnyPath,
    inputs: Mapping[str, Any] | None = None,
    *,
    replace: bool = False,
    runs: int = 10,
    time: float = 2.0,
    on_step: Callable[[str], object] | None = None,
    **settings: Any,
) -> Report:
    """As :func:`make_report`, and writes the page. The place is looked at before anything is measured, and the page appears
    there when it is whole, or not at all; a file that is there is replaced only with ``replace=True``.

    Raises :class:`surefoot.InvalidArgument` for a file that is to be kept.
    """
    wanted = Settings(**settings)  # type: ignore[typeddict-item]
    feed = given_or_made_up(inputs, model, wanted.get("dimensions"))
    request = _request(model, inputs is None, runs, time, on_step, wanted)
    return Report._of(_core.write_report(request, feed, os.fspath(page), replace))

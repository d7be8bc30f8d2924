"""What this machine has: ONNX Runtimes, and execution providers."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from surefoot import _core, log
from surefoot.errors import Error
from surefoot.tables import table


@dataclass(frozen=True)
class Runtime:
    """One ONNX Runtime library that was found."""

    path: Path
    origin: str  #: where it was looked for
    version: str  #: empty when it could not be read
    api_version: int
    providers: list[str]  #: compiled in, ONNX Runtime's names: not those that work
    chosen: bool
    refused: Error | None = None  #: why it cannot be used


@dataclass(frozen=True)
class ProbeVerdict:
    """What a probe of a provider, in a process of its own, found out."""

    provider: str
    outcome: str  #: "works", "failed", "wrong numbers", "crashed", "exited", "hung"
    is_harmful: bool  #: it would take a process along, or give it wrong numbers
    what: str  #: one clause; empty: it works
    stage: str  #: what it did last
    hint: str
    devices: list[str]  #: that it offers, where it is a plugin
    runtime_version: str
    output: str = field(repr=False)  #: what it printed, the beginning of it
    elapsed: float  #: seconds
    remembered: bool  #: not found out now

    def __str__(self) -> str:
        return f"{self.provider} {self.outcome}" + (f": {self.what}" if self.what else "")


@dataclass(frozen=True)
class SharedThreads:
    """Threads that sessions share, one pool in a process. 0: as many as ONNX Runtime gives one session."""

    intra_op: int = 0  #: for one operator
    inter_op: int = 0  #: for independent operators
    spinning: bool = True  #: idle ones spin for a while


@dataclass(frozen=True)
class Provider:
    """An execution provider, and what can be said of it before any session exists."""

    name: str
    ort_name: str
    known: bool  #: the catalogue has a row
    platform: bool  #: made for this platform
    plugin: bool  #: offered by a registered plugin library
    present: bool  #: this ONNX Runtime lists it and its libraries can be opened
    reason: Error | None = field(default=None, compare=False)  #: why it is not present
    verdict: ProbeVerdict | None = field(default=None, compare=False)  #: of a probe, where one was asked for


class Providers(list[Provider]):
    """A list of providers that notebooks show as a table."""

    def _repr_html_(self) -> str:
        rows = [(each.name, _state(each), _why(each)) for each in self]
        return table(("provider", "state", "why"), rows)


def _state(provider: Provider) -> str:
    return provider.verdict.outcome if provider.verdict else "present" if provider.present else "absent"


def _why(provider: Provider) -> str:
    return provider.verdict.what if provider.verdict else provider.reason.what if provider.reason else ""


def package_folders() -> list[Path]:
    """Where this interpreter's onnxruntime package keeps its library: the imported one, else an installed one."""
    loaded = sys.modules.get("onnxruntime")
    places = list(getattr(loaded, "__path__", []))
    if not places:
        # Not importlib.util.find_spec, which onnxruntime's own import hooks may answer by importing it.
        spec = importlib.machinery.PathFinder.find_spec("onnxruntime")
        places = list(spec.submodule_search_locations or []) if spec else []
    return [Path(place) / "capi" for place in places]


_default: _core.Runtime | None = None


def load_runtime(
    library: str | os.PathLike[str] | None = None, *, allow_telemetry: bool = False, shared_threads: SharedThreads | None = None
) -> _core.Runtime:
    """Loads an ONNX Runtime: the file named, or what ``SUREFOOT_ONNXRUNTIME`` or ``ORT_DYLIB_PATH`` name, or the
    library of the onnxruntime package that is imported, else installed, else any other on the machine.

    ``shared_threads`` are for the sessions that are opened with ``shared_threads=True``; they are asked for when the
    library is loaded for the first time, or not to be had.

    Raises :class:`surefoot.RuntimeUnavailable`, which lists each place with its reason.
    """
    global _default
    shared = None if shared_threads is None else (shared_threads.intra_op, shared_threads.inter_op, shared_threads.spinning)
    if library is not None:
        return _core.load_runtime(os.fspath(library), [], allow_telemetry, shared)
    if _default is None or shared is not None:
        _default = _core.load_runtime("", package_folders(), allow_telemetry, shared)
        log.listen()
    return _default


def runtimes() -> list[Runtime]:
    """Every ONNX Runtime on this machine in the order of the search, the one that is used marked."""
    return [Runtime(*found) for found in _core.discover("", package_folders())]


def probe(
    provider: str,
    *,
    options: Mapping[str, object] | None = None,
    plugin: str | os.PathLike[str] = "",
    fresh: bool = False,
    limit: float = 20.0,
    runtime: _core.Runtime | None = None,
) -> ProbeVerdict:
    """Uses a provider in a process of its own, where a crash, a hang, an exit and wrong numbers are verdicts. A verdict is
    remembered for a state of the machine, and heeded by sessions; ``fresh`` finds out anew.

    ``options`` are the provider's; ``plugin`` is a library to register, under the provider's name, in the probe alone;
    ``limit`` is in seconds.

    >>> import surefoot
    >>> print(surefoot.probe("cpu"))
    cpu works
    """
    given = {key: str(value) for key, value in (options or {}).items()}
    found = (runtime or load_runtime()).probe_apart(provider, given, os.fspath(plugin), fresh, limit)
    return ProbeVerdict(*found)


def providers(runtime: _core.Runtime | None = None, *, probe: bool = False) -> Providers:
    """Every execution provider that is known or registered, with the reason why it is not present; ``probe`` tries those
    that are present, each in a process of its own.

    >>> import surefoot
    >>> [each.name for each in surefoot.providers() if each.name == "cpu" and each.present]
    ['cpu']
    """
    used = runtime or load_runtime()
    found = [Provider(*status) for status in used.statuses()]
    return Providers(_probed(each, used) if probe and each.present else each for each in found)


def _probed(provider: Provider, runtime: _core.Runtime) -> Provider:
    return replace(provider, verdict=probe(provider.name, runtime=runtime))

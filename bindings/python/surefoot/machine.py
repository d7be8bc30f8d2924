"""What this machine has: ONNX Runtimes, and execution providers."""

from __future__ import annotations

import importlib.machinery
import os
import sys
from dataclasses import dataclass, field
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
class Provider:
    """An execution provider, and what can be said of it before any session exists."""

    name: str
    ort_name: str
    known: bool  #: the catalogue has a row
    platform: bool  #: made for this platform
    plugin: bool  #: offered by a registered plugin library
    present: bool  #: this ONNX Runtime lists it and its libraries can be opened
    reason: Error | None = field(default=None, compare=False)  #: why it is not present


class Providers(list[Provider]):
    """A list of providers that notebooks show as a table."""

    def _repr_html_(self) -> str:
        rows = [(each.name, "present" if each.present else "absent", each.reason.what if each.reason else "") for each in self]
        return table(("provider", "state", "why"), rows)


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


def load_runtime(library: str | os.PathLike[str] | None = None, *, allow_telemetry: bool = False) -> _core.Runtime:
    """Loads an ONNX Runtime: the file named, or what ``SUREFOOT_ONNXRUNTIME`` or ``ORT_DYLIB_PATH`` name, or the
    library of the onnxruntime package that is imported, else installed, else any other on the machine.

    Raises :class:`surefoot.RuntimeUnavailable`, which lists each place with its reason.
    """
    global _default
    if library is not None:
        return _core.load_runtime(os.fspath(library), [], allow_telemetry)
    if _default is None:
        _default = _core.load_runtime("", package_folders(), allow_telemetry)
        log.listen()
    return _default


def runtimes() -> list[Runtime]:
    """Every ONNX Runtime on this machine in the order of the search, the one that is used marked."""
    return [Runtime(*found) for found in _core.discover("", package_folders())]


def providers(runtime: _core.Runtime | None = None) -> Providers:
    """Every execution provider that is known or registered, with the reason why it is not present.

    >>> import surefoot
    >>> [each.name for each in surefoot.providers() if each.name == "cpu" and each.present]
    ['cpu']
    """
    return Providers(Provider(*status) for status in (runtime or load_runtime()).statuses())

"""Run options by onnxruntime's names."""

from __future__ import annotations

from typing import Any, NamedTuple

from surefoot import _core


class Stoppable:
    """``terminate`` as a switch that a run under way notices."""

    def __init__(self) -> None:
        super().__init__()
        self._stop = _core.StopSource()
        self._terminate = False

    def _switch(self, on: bool) -> None:
        if on:
            self._stop.stop()
        elif self._terminate:
            self._stop = _core.StopSource()
        self._terminate = bool(on)


class RunOptions(Stoppable):
    """As ``onnxruntime.RunOptions``, without onnxruntime."""

    def __init__(self) -> None:
        super().__init__()
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.logid = ""
        self.only_execute_path_to_fetches = False
        self._entries: dict[str, str] = {}

    @property
    def terminate(self) -> bool:
        return self._terminate

    @terminate.setter
    def terminate(self, on: bool) -> None:
        self._switch(on)

    def add_run_config_entry(self, key: str, value: str) -> None:
        self._entries[str(key)] = str(value)

    def get_run_config_entry(self, key: str) -> str:
        if key not in self._entries:
            raise RuntimeError(f"RunOptions does not have configuration with key: {key}")
        return self._entries[key]


def recording(theirs: type[Any]) -> type[Any]:
    """A class in place of onnxruntime's own, whose ``terminate`` stops our runs too."""

    class RunOptions(Stoppable, theirs):  # type: ignore[misc]
        @property
        def terminate(self) -> bool:
            return self._terminate

        @terminate.setter
        def terminate(self, on: bool) -> None:
            self._switch(on)
            theirs.terminate.__set__(self, on)

    RunOptions.__module__, RunOptions.__doc__ = theirs.__module__, theirs.__doc__
    return RunOptions


class Call(NamedTuple):
    """What a run is to be told."""

    stop: _core.StopSource | None
    config: dict[str, str]
    tag: str


def _entries(options: Any) -> dict[str, str]:
    if isinstance(options, RunOptions):
        return dict(options._entries)
    found = {}
    for key in _core.config_keys(False):
        try:
            found[key] = options.get_run_config_entry(key)
        except RuntimeError:  # it is not set
            continue
    return found


def call_of(options: Any) -> Call:
    """The run options of either package."""
    stop = getattr(options, "_stop", None)
    if stop is None and options.terminate:
        stop = _core.StopSource()
        stop.stop()
    return Call(stop, {f"raw:{key}": value for key, value in _entries(options).items()}, options.logid)

"""``install()``: onnxruntime's session class replaced by ours, for programs that stay as they are."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from surefoot.drop_in import run_options, session_options
from surefoot.drop_in.inference_session import InferenceSession
from surefoot.drop_in.io_binding import IOBinding
from surefoot.drop_in.provider_lists import Listed
from surefoot.events import FallbackEvent

_opened: list[weakref.ref[InferenceSession]] = []
_lines: list[str] = []
_genuine: dict[str, Any] = {}


class InstalledSession(InferenceSession):
    """As :class:`surefoot.InferenceSession`, kept in the report."""

    def _open(self, providers: Listed | None, provider_options: Sequence[dict[Any, Any]] | None) -> None:
        super()._open(providers, provider_options)
        _opened.append(weakref.ref(self, lambda _: None))

    def __del__(self) -> None:
        if hasattr(self, "_core"):
            _lines.append(_line(self))


def _line(session: InferenceSession) -> str:
    label = f"{len(session._source)} bytes" if isinstance(session._source, bytes) else session._source
    events = "".join(f"\n  {_event(each)}" for each in session.events())
    return f"{label}: ran on {', '.join(session._core.providers()) or 'nothing'}{events}"


def _event(event: FallbackEvent) -> str:
    return f"{event.candidate} failed at {event.stage}: {event.error.what}"


def report() -> str:
    """What the sessions opened since ``install()`` ran on, and what was given up, a line each."""
    alive = [session for session in (each() for each in _opened) if session is not None]
    lines = dict.fromkeys([*_lines, *map(_line, dict.fromkeys(alive))])
    return "\n".join(lines)


def install() -> None:
    """Makes ``onnxruntime.InferenceSession`` ours in this process, with the options and bindings that belong to it.

    Programs that took the class from onnxruntime before keep the old one: call this first.
    """
    import onnxruntime

    if _genuine:
        return
    ours = {
        "InferenceSession": InstalledSession,
        "IOBinding": IOBinding,
        "SessionOptions": session_options.recording(onnxruntime.SessionOptions),
        "RunOptions": run_options.recording(onnxruntime.RunOptions),
    }
    for name, replacement in ours.items():
        _genuine[name] = getattr(onnxruntime, name)
        setattr(onnxruntime, name, replacement)


def uninstall() -> None:
    """Gives onnxruntime its own classes back."""
    import onnxruntime

    for name, theirs in _genuine.items():
        setattr(onnxruntime, name, theirs)
    _genuine.clear()

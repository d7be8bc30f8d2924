"""ONNX Runtime's log, and what is given up, through Python's ``logging``.

``surefoot`` gets an event for each candidate that is given up, ``surefoot.onnxruntime`` what ONNX Runtime
says. Both are silent until the program sets logging up.
"""

from __future__ import annotations

import atexit
import logging

from surefoot import _core

logger = logging.getLogger("surefoot")
logger.addHandler(logging.NullHandler())
_native = logging.getLogger("surefoot.onnxruntime")
_LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.CRITICAL)


def _record(level: int, category: str, location: str, message: str) -> None:
    if _native.isEnabledFor(_LEVELS[level]):
        extra = {"category": category, "location": location}
        _native.log(_LEVELS[level], "%s", message, extra=extra)


def listen(level: str = "warning") -> None:
    """Hands ONNX Runtime's log on from this level: "verbose", "info", "warning", "error" or "fatal"."""
    _core.set_log(_record, ("verbose", "info", "warning", "error", "fatal").index(level))


@atexit.register
def _be_silent() -> None:
    """ORT's threads may outlive the interpreter, which they could not call any more."""
    _core.set_log(None, 2)

"""The cache of optimised models, by which the second start is a fast one: ``Session(model, cache=True)``."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Union

from surefoot import _core
from surefoot.errors import Error

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Cache:
    """Where a session keeps what ONNX Runtime makes of its model; ``cache=True`` is ``Cache()``."""

    folder: AnyPath = ""  #: empty: :func:`path`
    limit_bytes: int = 4 << 30  #: beyond it the models not used for longest go
    wait: bool = False  #: store before the session is there, not meanwhile


@dataclass(frozen=True)
class CacheState:
    """What the cache did for a session."""

    use: str  #: "off", "unfit", "hit", "filling", …
    form: str = ""  #: of a hit: "onnx" or "ort"
    reason: Error | None = None


@dataclass(frozen=True)
class CachedModel:
    """A model in the cache."""

    key: str
    model: str  #: the file that it was made from
    form: str
    onnxruntime: str
    bytes: int
    used: datetime.datetime


def _entry(key: str, model: str, form: str, onnxruntime: str, size: int, used: float) -> CachedModel:
    return CachedModel(key, model, form, onnxruntime, size, datetime.datetime.fromtimestamp(used))


def path() -> Path:
    """The folder that is used unless a session names another."""
    return _core.cache_folder("")


def list(folder: AnyPath = "") -> Sequence[CachedModel]:
    """What is cached, last used first."""
    return [_entry(*each) for each in _core.cached_models(os.fspath(folder))]


def clear(folder: AnyPath = "") -> int:
    """Removes every cached model; gives the bytes freed."""
    return _core.clear_cache(os.fspath(folder))


def apply(options: _core.Options, cache: bool | AnyPath | Cache | None) -> None:
    """Sets what a session's ``cache`` setting means: False or None is none, True the usual folder, or a folder."""
    if cache is None or cache is False:
        return
    wanted = cache if isinstance(cache, Cache) else Cache("" if cache is True else cache)
    options.set_cache(os.fspath(wanted.folder), wanted.limit_bytes, wanted.wait)

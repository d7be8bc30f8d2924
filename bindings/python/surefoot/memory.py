"""What a model costs in memory here, and which setting would make it less."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Union

from surefoot import _core
from surefoot.errors import Error
from surefoot.samples import sample_inputs
from surefoot.session import Settings, options_of
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]


def _size(count: int) -> str:
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB"):
        if abs(size) < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.1f} {unit}" if unit != "B" else f"{count} B"


@dataclass(frozen=True)
class MemoryUse:
    """Bytes of this process's own memory, beyond what it held before. Files that are mapped count for the peak alone."""

    opening: int  #: the peak while the session opened, mapped files included
    opened: int  #: what stays of that
    largest: int  #: held after a run on the largest input, its outputs freed
    smallest: int  #: and after a run on the smallest that followed
    further: int  #: by each further session of the model, after the same runs

    def __str__(self) -> str:
        opening, opened, largest, smallest, further = map(_size, astuple(self))
        return f"opening {opening}, opened {opened}, largest {largest}, smallest {smallest}, further {further}"


@dataclass(frozen=True)
class MemoryPolicy:
    """A setting that may make it less, tried."""

    name: str
    library: str  #: how the library is asked for it: "SessionOptions::cpu_arena = false"
    command_line: str  #: "--no-arena"; empty where the command has no such flag
    use: MemoryUse
    saved: MemoryUse  #: the lesser of two comparisons; 0 wherever that is no more than noise
    gains: bool  #: whether anything is saved
    cache_form: str  #: of the cache: :attr:`surefoot.CacheState.form`
    error: Error | None = field(default=None, compare=False)  #: why it could not be measured

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> MemoryPolicy:
        name, library, command_line, use, saved, *rest = parts
        return cls(name, library, command_line, MemoryUse(*use), MemoryUse(*saved), *rest)

    def __str__(self) -> str:
        return f"{self.name}: " + (f"not measured: {self.error.what}" if self.error else str(self.use))


@dataclass(frozen=True)
class MemoryReport:
    """What was measured."""

    provider: str
    file_bytes: int  #: of the model, without external data
    weight_bytes: int  #: as they lie in the file, external ones included
    use: MemoryUse  #: with the settings given: the median of three
    noise: MemoryUse  #: how far three measurements of the same were apart
    policies: list[MemoryPolicy] = field(repr=False)

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> MemoryReport:
        provider, file_bytes, weight_bytes, use, noise, policies = parts
        tried = [MemoryPolicy._of(each) for each in policies]
        return cls(provider, file_bytes, weight_bytes, MemoryUse(*use), MemoryUse(*noise), tried)

    def __str__(self) -> str:
        return "\n".join([f"as asked for: {self.use}", *map(str, self.policies)])

    def _repr_html_(self) -> str:
        heads = ("", "opening", "opened", "largest", "smallest", "further", "saves")
        rows = [
            (each.name, *map(_size, astuple(each.use)), "yes" if each.gains else each.error.what if each.error else "no")
            for each in self.policies
        ]
        return table(heads, [("as asked for", *map(_size, astuple(self.use)), ""), *rows])


def measure_memory(
    model: AnyPath,
    largest: Mapping[str, Any] | None = None,
    smallest: Mapping[str, Any] | None = None,
    *,
    scale: int = 4,
    **settings: Any,
) -> MemoryReport:
    """Opens and runs the model in this process, then once with each setting that may save memory and that ``settings``, those
    of :class:`surefoot.Session`, leave open. Other threads must be idle, since what they take and free is counted.

    ``largest`` and ``smallest`` are the inputs that a session holds most and least for. Without either both are made up,
    the free axes of the largest ``scale`` times longer; without ``smallest`` alone it is the same inputs again.

    >>> import surefoot
    >>> found = surefoot.measure_memory("models/digits/digits.onnx", only=["cpu"])
    >>> found.weight_bytes > 0 and any(each.name == "no arena" for each in found.policies)
    True
    """
    wanted = Settings(**settings)  # type: ignore[typeddict-item]
    sizes = wanted.get("dimensions")
    if largest is None:
        smallest = smallest if smallest is not None else sample_inputs(model, dimensions=sizes)
        largest = sample_inputs(model, dimensions=sizes, scale=scale)
    return MemoryReport._of(_core.measure_memory(os.fspath(model), dict(largest), dict(smallest or {}), options_of(wanted)))

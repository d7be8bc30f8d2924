"""Models that are open for editing: weights, nodes, interface, and sessions of what they are now."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from surefoot import _core
from surefoot.errors import Error, InvalidState, error
from surefoot.events import FallbackEvents, events_of
from surefoot.model_info import ModelInfo, ValueInfo, values_of
from surefoot.nodes import GraphProblem, Nodes
from surefoot.prepared import PreparedRun
from surefoot.session import Session, Settings, options_of
from surefoot.weights import Weights

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class LowRankDelta:
    """What is added to a weight of [m,n]: ``scale`` · ``a`` · ``b``, of [m,r] and [r,n], as in LoRA."""

    a: Any
    b: Any
    scale: float = 1.0


@dataclass(frozen=True)
class ModelEvent:
    """What became of a model's session."""

    kind: str  #: "created", "replaced", "released", "failed"
    reason: str
    error: Error | None = None
    elapsed: float = 0.0  #: seconds


class Patch:
    """Weights that are changed until it is released, or its ``with`` block ends; each then holds what it held before, bit
    for bit, in whatever order patches end."""

    def __init__(self, core: _core.Patch, names: list[str]) -> None:
        self._core = core
        self._names = names

    @property
    def is_active(self) -> bool:
        return self._core.is_active

    def release(self) -> None:
        """Ends it; twice is fine."""
        self._core.release()

    def __enter__(self) -> Patch:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def __repr__(self) -> str:
        return f"<surefoot.Patch of {', '.join(self._names)}: {'in force' if self.is_active else 'released'}>"


def _change(name: str, change: Any) -> tuple[Any, ...]:
    return (name, change.a, change.b, change.scale) if isinstance(change, LowRankDelta) else (name, change)


class Model:
    """An ONNX file, mapped and indexed: gigabytes open in milliseconds. Edits live in memory; the file is never written to.

    :meth:`create_session` makes a session of the model as it is now: what changed goes to ONNX Runtime from memory,
    nothing is serialised. With ``auto_create`` the first use makes it, in a child process after a fork too. May be used
    from several threads, one at a time.

    >>> import numpy, surefoot
    >>> model = surefoot.Model("models/digits/digits.onnx")
    >>> model.create_session()
    >>> model.infer({"image": numpy.zeros((1, 1, 8, 8), numpy.float32)})["probabilities"].shape
    (1, 10)
    >>> model.release_session()
    >>> try:
    ...     model.infer({})
    ... except surefoot.SessionNotCreated as error:
    ...     print(error.hint)
    call `create_session()` again
    """

    def __init__(
        self,
        path: AnyPath,
        *,
        check_external_data: bool = True,
        auto_create: bool = False,
        exclude_engine_builders: bool = True,
        _copied_by: str = "",
        **settings: Any,
    ) -> None:
        """``settings`` are those of :class:`surefoot.session.Settings`, for its sessions."""
        self.path = Path(path)
        self._how: dict[str, Any] = dict(
            check_external_data=check_external_data,
            auto_create=auto_create,
            exclude_engine_builders=exclude_engine_builders,
        )
        self._settings = settings
        self._core = _core.Model(os.fspath(path), options_of(Settings(**settings)), copied_by=_copied_by, **self._how)  # type: ignore[typeddict-item]
        self._had_session = bool(_copied_by)
        self.weights = Weights(self._core)
        self.nodes = Nodes(self._core)

    @classmethod
    def from_pretrained(
        cls,
        id_or_folder: AnyPath,
        *,
        subfolder: AnyPath = "",
        file_name: AnyPath = "model.onnx",
        revision: str = "main",
        cache_folder: AnyPath = "",
        **options: Any,
    ) -> Model:
        """Opens a model of a local folder, or one that the Hugging Face hub's client has downloaded: ``org/name``. Nothing
        is downloaded here.

        Raises :class:`surefoot.NotFound` with the path tried, and the hub's own command to get the model.
        """
        places = (os.fspath(subfolder), os.fspath(file_name), revision, os.fspath(cache_folder))
        return cls(_core.find_pretrained(os.fspath(id_or_folder), *places), **options)

    @property
    def info(self) -> ModelInfo:
        """What the file says of itself, as it was opened."""
        return ModelInfo._of(self._core.info())

    @property
    def is_edited(self) -> bool:
        return self._core.is_edited()

    @property
    def inputs(self) -> list[ValueInfo]:
        """As they are now."""
        return values_of(self._core.inputs())

    @property
    def outputs(self) -> list[ValueInfo]:
        return values_of(self._core.outputs())

    def rename(self, old: str, new: str) -> None:
        """Gives a value another name everywhere: an input, an output, a weight or an inner one."""
        self._core.rename_value(old, new)

    def fix(self, **sizes: int) -> None:
        """Gives every axis of these symbolic names a fixed size: ``model.fix(batch=1)``."""
        for name, size in sizes.items():
            self._core.fix(name, size)

    def fix_denotation(self, denotation: str, size: int) -> None:
        self._core.fix_denotation(denotation, size)

    def set_axis(self, port: str, axis: int, to: int | str | None) -> None:
        """Gives one axis of an input or output a size, a symbolic name, or neither."""
        size, name = (to, "") if isinstance(to, int) else (-1, to or "")
        self._core.set_axis(port, axis, size, name)

    def add_output(self, value: str) -> None:
        """Makes an inner value an output."""
        self._core.add_output(value)

    def remove_output(self, name: str) -> None:
        self._core.remove_output(name)

    def check(self) -> list[GraphProblem]:
        """What makes its graphs ones that cannot run."""
        return self.nodes.check()

    def patch(self, changes: Mapping[str, Any]) -> Patch:
        """Changes weights for a while: another value of the same type and shape, or a :class:`LowRankDelta`, by name; all
        of them, or none. Create the session inside the block.

        >>> import surefoot
        >>> model = surefoot.Model("models/digits/digits.onnx")
        >>> name = next(each.name for each in model.weights.infos() if len(each.shape) == 2)
        >>> with model.patch({name: model.weights[name] * 0}):
        ...     print(float(abs(model.weights[name]).max()))
        0.0
        >>> model.is_edited
        False
        """
        return Patch(self._core.patch([_change(*each) for each in changes.items()]), list(changes))

    def save(
        self, path: AnyPath, *, placement: str = "keep", external_from_bytes: int = 1024, one_file: bool = True
    ) -> None:
        """Writes the model as it is now; each file appears under its name only when it is complete.

        ``placement`` of the weights: "keep", "inside" the model's file, or "external" from a size on: in one file beside
        the model, or a file each.
        """
        self._core.save(os.fspath(path), placement, external_from_bytes, one_file)

    def create_session(self, *, dims: Mapping[str, int] | None = None, **settings: Any) -> None:
        """Makes a session of the model as it is now, with these settings or else the last ones; ``dims`` are sizes of free
        dimensions. Where neither the model nor anything asked for differs, the one that is there stays."""
        options = options_of(Settings(**{**self._settings, **settings})) if settings else None  # type: ignore[typeddict-item]
        self._core.create_session(options, dict(dims or {}))
        self._settings = {**self._settings, **settings}

    def release_session(self) -> None:
        """Gives the session's memory back, as soon as nothing else uses it. Twice is fine."""
        self._core.release_session()

    @property
    def has_session(self) -> bool:
        return self._core.has_session()

    def session(self) -> Session:
        """The session; editing the model does not replace it.

        Raises :class:`surefoot.SessionNotCreated` with what to do.
        """
        return Session._over(self._core.session(), f"`{self.path}`")

    def infer(self, inputs: Mapping[str, Any], **options: Any) -> dict[str, Any]:
        """As :meth:`surefoot.Session.infer`, on the session."""
        return self.session().infer(inputs, **options)

    def prepare(self, **options: Any) -> PreparedRun:
        """As :meth:`surefoot.Session.prepare`, on the session."""
        return self.session().prepare(**options)

    @property
    def events(self) -> FallbackEvents:
        """What the session gave up, in order; empty without one."""
        return events_of(self._core.events())

    @property
    def session_events(self) -> list[ModelEvent]:
        """What became of the model's sessions, in order."""
        return [ModelEvent(*each) for each in self._core.session_events()]

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.release_session()

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_edited:
            raise error(InvalidState, f"`{self.path}` was edited, and edits are not pickled", "call `save()`, and open that file")
        left = {"_copied_by": "pickling"} if self.has_session or self._had_session else {}
        return _reopened, (type(self), str(self.path), {**self._how, **self._settings, **left})

    def __repr__(self) -> str:
        state = ("edited, " if self.is_edited else "") + ("with a session" if self.has_session else "without a session")
        inputs, outputs = (", ".join(map(str, each)) for each in (self.inputs, self.outputs))
        return f"<surefoot.{type(self).__name__} of `{self.path}`, {state}: {inputs} -> {outputs}>"


def _reopened(kind: type[Model], path: str, options: dict[str, Any]) -> Model:
    """What a pickled model becomes on the other side: it makes its session there anew when it is asked to."""
    return kind(path, **options)

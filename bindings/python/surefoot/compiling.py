"""Compiling a model for one provider ahead of time, into a file that opens faster."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from surefoot import _core
from surefoot.events import FallbackEvents, events_of
from surefoot.session import Settings, options_of
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class CompileValidation:
    """How the artifact was compared with the source."""

    made_up_inputs: bool
    reference: str  #: what ran the source
    outputs: int
    difference: float  #: the greatest, as a fraction of the largest magnitude in its output
    tolerance: float
    output: str  #: which one that was; empty where nothing differs


@dataclass(frozen=True)
class CompileReport:
    """What was written, and how it did. Times are in seconds."""

    files: list[Path]  #: the model first
    form: str  #: "onnx", "ort", "ep-context"
    provider: str
    onnxruntime: str  #: version
    source_bytes: int
    compiled_bytes: int
    compiled_parts: int  #: EPContext nodes
    compile_time: float
    load_before: float  #: of a session on the source, …
    load_after: float  #: … and on the artifact
    validation: CompileValidation
    compatibility: str  #: what the provider left in the artifact to know it by
    notes: FallbackEvents = field(repr=False)

    def __str__(self) -> str:
        loads = f"opens in {self.load_after * 1e3:.1f} ms, the source in {self.load_before * 1e3:.1f} ms"
        return f"{self.files[0]}: {self.form} for {self.provider}, {self.compiled_bytes} bytes; {loads}"

    def _repr_html_(self) -> str:
        names = ("form", "provider", "onnxruntime", "compiled_bytes", "compiled_parts", "load_before", "load_after")
        return table(("compiled", str(self.files[0])), [(name, getattr(self, name)) for name in names])


def compile(
    source: AnyPath,
    destination: AnyPath,
    target: str,
    *,
    inputs: Mapping[str, Any] | None = None,
    form: str | None = None,
    embed: bool = False,
    external_weights: bool | None = None,
    tolerance: float | None = None,
    on_step: Callable[[str], object] | None = None,
    **settings: Any,
) -> CompileReport:
    """Compiles a model file for the provider ``target``. The destination appears only when it has been opened again, run,
    and compared with the source; a file that is there is never replaced.

    ``form`` is "onnx", "ort" or "ep-context", where the target's own is not wanted. ``inputs`` are what the model is
    compared on, made up where they are not given. ``on_step`` is called with what is done next. The settings are those of
    :class:`surefoot.Session`.

    Raises :class:`surefoot.ProviderFailed` where the target compiles nothing: there is no fallback to another one.

    >>> import pathlib, surefoot, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = surefoot.compile("models/digits/digits.onnx", pathlib.Path(folder, "digits.ort"), "cpu")
    >>> report.form, report.validation.difference <= report.validation.tolerance
    ('ort', True)
    """
    options = _core.CompileOptions()
    options.session = options_of(Settings(**settings))  # type: ignore[typeddict-item]
    options.embed, options.external_weights, options.tolerance = embed, external_weights, tolerance
    options.set_form(form)
    options.set_on_step(on_step)
    made = _core.compile(os.fspath(source), os.fspath(destination), target, dict(inputs or {}), options)
    validation = CompileValidation(**made.pop("validation"))
    notes = events_of(made.pop("notes"))
    return CompileReport(**made, validation=validation, notes=notes)

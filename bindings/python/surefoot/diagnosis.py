"""What is wrong on this machine, or with a model, before anything is opened."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from surefoot import _core
from surefoot.machine import package_folders
from surefoot.model_info import ModelInfo
from surefoot.tables import table

AnyPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Finding:
    """One thing to mend, or good to know."""

    severity: str  #: "error", "warning", "note"
    topic: str
    what: str
    action: str = ""
    slug: str = ""  #: for :func:`surefoot.explain`
    details: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.severity}: {self.topic}: {self.what}", *(f"  {each}" for each in self.details)]
        return "\n".join([*lines, *([f"  do: {self.action}"] if self.action else [])])


def _rows(findings: list[Finding]) -> list[tuple[str, str, str, str]]:
    return [(each.severity, each.topic, each.what, each.action) for each in findings]


@dataclass(frozen=True)
class Gpu:
    """A graphics or neural processor that the system lists."""

    vendor: str
    id: str
    node: Path  #: the device file; "." where there is none
    can_open: bool
    address: str  #: on the PCI bus
    name: str = ""  #: this and what follows of NVIDIA's, where their management library opens
    memory_bytes: int = 0
    compute_capability: tuple[int, int] = (0, 0)  #: zeros: not known


@dataclass(frozen=True)
class Package:
    """A package of ONNX Runtime's in a Python environment."""

    name: str
    version: str
    folder: Path


@dataclass(frozen=True)
class Library:
    """A library that accelerators need, as it was found."""

    soname: str
    path: Path
    loader_finds_it: bool  #: False: it lies where the loader does not look
    version: str = ""
    wanted_by: list[str] = field(default_factory=list)  #: providers of the chosen ONNX Runtime


@dataclass(frozen=True)
class Diagnosis:
    """What this machine is, and what is to be mended on it, worst first."""

    machine: dict[str, object] = field(repr=False)
    gpus: list[Gpu] = field(repr=False)
    packages: list[Package] = field(repr=False)
    libraries: list[Library] = field(repr=False)
    findings: list[Finding]

    @classmethod
    def _of(cls, parts: tuple[Any, ...]) -> Diagnosis:
        machine, gpus, packages, libraries, findings = parts
        return cls(
            machine,
            [Gpu(*each) for each in gpus],
            [Package(*each) for each in packages],
            [Library(*each) for each in libraries],
            [Finding(*each) for each in findings],
        )

    @property
    def is_well(self) -> bool:
        """Whether nothing is an error."""
        return all(each.severity != "error" for each in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "nothing to mend"

    def _repr_html_(self) -> str:
        facts = table(("machine", ""), [(name, value) for name, value in self.machine.items() if value])
        return table(("severity", "topic", "what", "do"), _rows(self.findings)) + facts


@dataclass(frozen=True)
class RuntimeFit:
    """Whether one ONNX Runtime of this machine reads a model's format and opsets."""

    version: str
    path: Path
    refuses: str  #: why it does not; empty when it does


@dataclass(frozen=True)
class ModelCheck:
    """What stands in a model's way, worst first."""

    info: ModelInfo = field(repr=False)
    first_runtime: str  #: the oldest ONNX Runtime that accepts it; empty when none does
    runtimes: list[RuntimeFit]
    findings: list[Finding]

    @property
    def is_ready(self) -> bool:
        """Whether nothing is an error."""
        return all(each.severity != "error" for each in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "nothing stands in its way"

    def _repr_html_(self) -> str:
        return table(("severity", "topic", "what", "do"), _rows(self.findings))


def doctor() -> Diagnosis:
    """Looks at this machine, files and libraries alone, and says what is wrong and what mends it.

    >>> import surefoot
    >>> surefoot.doctor().machine["platform"]
    'linux'
    """
    return Diagnosis._of(_core.examine("", package_folders()))


def check(model: AnyPath) -> ModelCheck:
    """Says at once everything that stands in a model file's way, read from the file before any ONNX Runtime sees it.

    >>> import surefoot
    >>> surefoot.check("models/digits/digits.onnx").is_ready
    True
    """
    info, first, runtimes, findings = _core.check(os.fspath(model), "", package_folders())
    made = [Finding(severity, topic, what, hint, slug, details) for severity, topic, what, details, hint, slug in findings]
    return ModelCheck(ModelInfo._of(info), first, [RuntimeFit(*each) for each in runtimes], made)

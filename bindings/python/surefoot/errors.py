"""Errors: one class for each code of the library, all derived from :class:`Error`.

Once onnxruntime is imported, an error also derives from the classes that onnxruntime would have raised, so
that the same ``except`` clauses catch it.

>>> import surefoot
>>> try:
...     surefoot.Session("no such file.onnx")
... except surefoot.NotFound as error:
...     print(error.what)
`no such file.onnx` does not exist
"""

from __future__ import annotations

import sys
from typing import Any, ClassVar, cast


class Error(Exception):
    """What went wrong, in a form that a person can act on and a program can switch over."""

    code: ClassVar[int] = 0
    what: str  #: one clause, with the values in it
    doing: list[str]  #: what was being done, innermost first
    hint: str  #: one action, or empty
    native_code: int | None  #: ONNX Runtime's own code, where it was ONNX Runtime that failed
    native_text: str  #: its own words

    def __init__(
        self,
        text: str,
        *,
        what: str = "",
        doing: list[str] | None = None,
        hint: str = "",
        native_code: int | None = None,
        native_text: str = "",
    ) -> None:
        super().__init__(text)
        self.what = what or text
        self.doing = doing or []
        self.hint = hint
        self.native_code = native_code
        self.native_text = native_text

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would quote it

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (self.what, self.doing, self.hint, self.native_code, self.native_text)
        maker = not_created if isinstance(self, SessionNotCreated) else exception_of
        return maker, (self.code, str(self.args[0]), *fields)


class InvalidArgument(Error, ValueError):
    """An argument, option or configuration key is wrong: mend the call."""

    code = 1


class InvalidInput(Error, ValueError):
    """The inputs of a call do not fit the model: mend the data."""

    code = 2


class NotFound(Error, KeyError):
    """A file, an input or a name does not exist."""

    code = 3


class InvalidModel(Error, ValueError):
    """The file is not a model that can be used: mend the file."""

    code = 4


class RuntimeUnavailable(Error, RuntimeError):
    """No ONNX Runtime library could be used: install one."""

    code = 5


class Unsupported(Error, NotImplementedError):
    """This ONNX Runtime, provider or platform lacks it: upgrade or do without."""

    code = 6


class ProviderFailed(Error, RuntimeError):
    """No candidate provider could do the work: see the events."""

    code = 7


class RunFailed(Error, RuntimeError):
    """The model itself failed on these inputs."""

    code = 8


class OutOfMemory(Error, MemoryError):
    """Memory ran out: use less."""

    code = 9


class IoFailed(Error, OSError):
    """Reading or writing failed: permissions, space, device."""

    code = 10


class InvalidState(Error, RuntimeError):
    """The object cannot do this now: the order of calls is wrong."""

    code = 11


class SessionNotCreated(InvalidState):
    """A model has no session: none was created, it was released, or it did not come along
    through a fork or into a pickled copy."""


class Cancelled(Error, RuntimeError):
    """The caller asked for it to stop."""

    code = 12


class TimedOut(Error, TimeoutError):
    """A limit set by the caller ran out."""

    code = 13


class Internal(Error, RuntimeError):
    """A fault in Surefoot itself."""

    code = 14


#: What onnxruntime raises in the same case, by our code: its own classes, and Python's where it raises those.
_ALIKE: dict[type[Error], tuple[str, ...]] = {
    InvalidArgument: ("InvalidArgument",),
    InvalidInput: ("InvalidArgument", "Fail", "RuntimeError"),
    NotFound: ("NoSuchFile",),
    InvalidModel: ("InvalidProtobuf", "InvalidGraph", "InvalidArgument", "Fail"),
    Unsupported: ("NotImplemented",),
    ProviderFailed: ("Fail", "EPFail"),
    RunFailed: ("Fail", "RuntimeException"),
    OutOfMemory: ("RuntimeException",),
    IoFailed: ("Fail",),
    Cancelled: ("Fail",),
}
CLASSES: dict[int, type[Error]] = {
    each.code: each for each in Error.__subclasses__()
}

#: onnxruntime's class for each of its own codes.
_NATIVE = {
    1: "Fail",
    2: "InvalidArgument",
    3: "NoSuchFile",
    4: "NoModel",
    5: "EngineError",
    6: "RuntimeException",
    7: "InvalidProtobuf",
    8: "ModelLoaded",
    9: "NotImplemented",
    10: "InvalidGraph",
    11: "EPFail",
    12: "ModelLoadCanceled",
    13: "ModelRequiresCompilation",
    14: "NotFound",
}


_beside: dict[tuple[int, int | None], type[Error]] = {}


def _class_beside(onnxruntime: Any, ours: type[Error], native_code: int | None) -> type[Error]:
    names = dict.fromkeys([_NATIVE.get(native_code or 0, ""), *_ALIKE.get(ours, ())])
    theirs = [getattr(onnxruntime, name, None) for name in names if name and name != "RuntimeError"]
    bases: list[type] = [ours, *(each for each in theirs if each is not None)]
    if "RuntimeError" in names:
        bases.append(RuntimeError)
    made = type(ours.__name__, tuple(bases), {"__module__": ours.__module__, "__doc__": ours.__doc__})
    return cast("type[Error]", made)


def class_of(code: int, native_code: int | None = None) -> type[Error]:
    """The class of an error as it is raised now: beside onnxruntime's own, where that is imported."""
    ours = CLASSES.get(code, Internal)
    onnxruntime = sys.modules.get("onnxruntime.capi.onnxruntime_pybind11_state")
    if onnxruntime is None:
        return ours
    key = (code, native_code)
    if key not in _beside:
        _beside[key] = _class_beside(onnxruntime, ours, native_code)
    return _beside[key]


def exception_of(
    code: int, text: str, what: str, doing: list[str], hint: str, native_code: int | None, native_text: str
) -> Error:
    """The exception for an error of the library; the extension module calls it."""
    made = class_of(code, native_code)
    return made(text, what=what, doing=doing, hint=hint, native_code=native_code, native_text=native_text)


def not_created(
    code: int, text: str, what: str, doing: list[str], hint: str, native_code: int | None, native_text: str
) -> Error:
    """The same for a model without a session."""
    return SessionNotCreated(text, what=what, doing=doing, hint=hint, native_code=native_code, native_text=native_text)


def error(of: type[Error], what: str, hint: str = "") -> Error:
    """The exception for an error that is found here."""
    text = f"{what}\nhint: {hint}" if hint else what
    return exception_of(of.code, text, what, [], hint, None, "")

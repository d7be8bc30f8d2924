"""What an error means and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from surefoot import _core
from surefoot.errors import Error
from surefoot.tables import table


@dataclass(frozen=True)
class Explanation:
    """A known failure that a text is about, with the paths and names of the text filled in."""

    slug: str
    topic: str
    severity: str  #: "error", "warning", "note"
    versions: str  #: of ONNX Runtime
    meaning: str
    triggers: list[str]
    solutions: list[str]  #: in the order in which to try them
    examples: list[tuple[str, str]]  #: language, lines
    check: str  #: a command or a call that shows it beforehand
    prevention: list[str]
    line: int  #: of the text, from 1
    excerpt: str  #: what was recognised
    found: dict[str, str]

    def __str__(self) -> str:
        steps = [f"  {number}. {each}" for number, each in enumerate(self.solutions, 1)]
        return "\n".join([f"{self.slug}: {self.meaning}", *steps])


class Explanations(list[Explanation]):
    """What a text is about, the best first. Prints as text; empty when nothing is recognised."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self)) or "nothing is known of this text"

    def _repr_html_(self) -> str:
        return table(("error", "means", "do"), [(each.slug, each.meaning, "; ".join(each.solutions)) for each in self])


def explain(what: Union[str, BaseException]) -> Explanations:
    """What a message, a log, a traceback, an exception, or the name of an entry is about. Text that is not known is never
    guessed at.

    >>> import surefoot
    >>> surefoot.explain("libcublasLt.so.12: cannot open shared object file: No such file or directory")[0].slug
    'cuda-library-missing'
    """
    text = str(what)
    if isinstance(what, Error) and what.native_text and what.native_text not in text:
        text = f"{text}\n{what.native_text}"
    made: list[tuple[Any, ...]] = _core.explain(text)
    return Explanations(Explanation(*each) for each in made)

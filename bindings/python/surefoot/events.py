"""What was given up, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from surefoot.errors import Error
from surefoot.tables import table


@dataclass(frozen=True)
class FallbackEvent:
    """A candidate that was given up, or a step down that was taken, and why."""

    candidate: str
    stage: str  #: "register", "create", "run", "placement", …
    error: Error
    elapsed: float  #: seconds
    kept: bool = False  #: the candidate is used all the same

    def __str__(self) -> str:
        what_became = "kept" if self.kept else "given up"
        return f"{self.candidate} {what_became} at {self.stage}: {self.error.what}"


class FallbackEvents(list[FallbackEvent]):
    """What was given up so far, in order. Notebooks show it as a table."""

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        rows = [(each.candidate, each.stage, "kept" if each.kept else "given up", each.error.what) for each in self]
        return table(("candidate", "at", "what became of it", "why"), rows)


def events_of(parts: Iterable[tuple[str, str, Error, float, bool]]) -> FallbackEvents:
    return FallbackEvents(FallbackEvent(*each) for each in parts)

"""What was given up, and why."""

from __future__ import annotations

from dataclasses import dataclass

from surefoot.errors import Error


@dataclass(frozen=True)
class FallbackEvent:
    """A candidate that was given up, or a step down that was taken, and why."""

    candidate: str
    stage: str  #: "register", "create", "run", "placement", …
    error: Error
    elapsed: float  #: seconds

    def __str__(self) -> str:
        return f"{self.candidate} given up at {self.stage}: {self.error.what}"

"""Scale-out by Ray: batches of a Ray Data dataset and requests to Ray Serve, each worker with a session of its own.

``pip install 'surefoot[ray]'`` brings Ray along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from surefoot.ray.data import SurefootPredictor
from surefoot.ray.events import EventLog, Opened, Origin, Reported

if TYPE_CHECKING:
    from surefoot.ray.serve import SurefootDeployment

__all__ = ["EventLog", "Opened", "Origin", "Reported", "SurefootDeployment", "SurefootPredictor"]


def __getattr__(name: str) -> Any:
    """Ray Serve is imported by those alone who use it."""
    if name != "SurefootDeployment":
        raise AttributeError(f"module `{__name__}` has no attribute `{name}`")
    from surefoot.ray.serve import SurefootDeployment

    return SurefootDeployment

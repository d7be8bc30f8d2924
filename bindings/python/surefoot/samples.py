"""Inputs made up for a model, for trying it without data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

from surefoot import _core
from surefoot.session import Session
from surefoot.sources import Model, source_of


def sample_inputs(
    model: Union[Model, Session], *, seed: int = 0, dimensions: Mapping[str, int] | None = None, scale: int = 1
) -> dict[str, Any]:
    """One array for each required input, with numbers that suit its type and name; the same seed gives the same ones.
    ``dimensions`` are sizes of free axes by name; others are small, and ``scale`` times longer.

    >>> import surefoot
    >>> surefoot.sample_inputs("models/digits/digits.onnx", dimensions={"batch": 3})["image"].shape
    (3, 1, 8, 8)
    """
    of = model._core if isinstance(model, Session) else source_of(model)
    return _core.sample_inputs(of, seed, dict(dimensions or {}), scale)


def given_or_made_up(
    inputs: Mapping[str, Any] | None, model: Union[Model, Session], dimensions: Mapping[str, int] | None = None
) -> dict[str, Any]:
    return sample_inputs(model, dimensions=dimensions) if inputs is None else dict(inputs)

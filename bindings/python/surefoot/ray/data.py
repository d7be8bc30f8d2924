"""Inference on the batches of a Ray Data dataset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from surefoot.errors import InvalidInput, error
from surefoot.model_info import ValueInfo
from surefoot.ray.columns import Columns, columns_of, with_columns
from surefoot.ray.events import EventLog, open_and_report
from surefoot.sources import Model

_NUMPY_NAMES = {"string": "object"}


def _fixed_rows(inputs: list[ValueInfo]) -> int | None:
    """How many rows the model takes at once, where it states a number."""
    stated = {each.type.shape[0].size for each in inputs if each.type.shape}
    return max(stated) if stated and max(stated) > 0 else None


class SurefootPredictor:
    """A class for ``Dataset.map_batches``: each actor opens the model once, and adds the model's outputs to every batch.

    ``ds.map_batches(SurefootPredictor, fn_constructor_kwargs={"model": "model.onnx"}, concurrency=2)``

    Each input is the column of its name, or the one that ``inputs={"image": "pixels"}`` names, in the type that the model
    declares, where the column's fits it without loss of kind (float64 to float32, uint8 to float32). Outputs become columns
    of their names, or of those in ``outputs={"probabilities": "scores"}``, which also chooses among them. A model for a fixed
    number of rows gets the batch in pieces, the last one filled up. Batches of numpy and of Arrow are taken, and
    given back in kind. ``events`` is an :class:`surefoot.ray.EventLog`; all other options are those of
    :class:`surefoot.Session`. An actor that dies is started anew by Ray, and its batch done again: nothing is lost.
    """

    def __init__(
        self,
        model: Model,
        *,
        inputs: Mapping[str, str] | None = None,
        outputs: Mapping[str, str] | None = None,
        events: EventLog | None = None,
        **settings: Any,
    ) -> None:
        self.session = open_and_report(model, events, settings)
        self._inputs = [each for each in self.session.info.inputs if each.required or each.name in (inputs or {})]
        self._columns = {each.name: each.name for each in self._inputs} | dict(inputs or {})
        self._outputs = dict(outputs) if outputs else {each.name: each.name for each in self.session.info.outputs}
        self._rows = _fixed_rows(self._inputs)

    def __call__(self, batch: Any) -> Any:
        given = columns_of(batch, list(self._columns.values()))
        feed = {each.name: self._fitted(given, each) for each in self._inputs}
        outputs = self._run(feed)
        return with_columns(batch, {self._outputs[name]: array for name, array in outputs.items()})

    def _fitted(self, given: Columns, wanted: ValueInfo) -> np.ndarray[Any, Any]:
        column = self._columns[wanted.name]
        array = given[column]
        kind = _NUMPY_NAMES.get(wanted.type.element, wanted.type.element)
        if str(array.dtype) == kind or wanted.type.element == "string":
            return array
        try:
            return array.astype(kind, casting="same_kind")
        except TypeError:
            raise error(InvalidInput, f"column `{column}` is {array.dtype}, input `{wanted.name}` wants {kind}") from None

    def _run(self, feed: Columns) -> Columns:
        rows = len(next(iter(feed.values()))) if feed else 0
        if self._rows is None or self._rows == rows:
            return self._infer(feed)
        parts = [self._part(feed, start, min(start + self._rows, rows)) for start in range(0, rows, self._rows)]
        return {name: np.concatenate([part[name] for part in parts]) for name in self._outputs}

    def _part(self, feed: Columns, start: int, end: int) -> Columns:
        """These rows, filled up with the last one to as many as the model takes."""
        assert self._rows is not None
        places = np.minimum(np.arange(start, start + self._rows), end - 1)
        outputs = self._infer({name: array[places] for name, array in feed.items()})
        return {name: array[: end - start] for name, array in outputs.items()}

    def _infer(self, feed: Columns) -> Columns:
        return self.session.infer(feed, outputs=list(self._outputs))

"""Columns of batches as arrays, and arrays as columns."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np
import pyarrow

from surefoot.errors import NotFound, error

Columns = dict[str, "np.ndarray[Any, Any]"]


def _names(batch: Any) -> list[str]:
    return list(batch.column_names) if isinstance(batch, pyarrow.Table) else list(batch)


def _array_of(column: pyarrow.ChunkedArray) -> np.ndarray[Any, Any]:
    whole = column.combine_chunks()
    if isinstance(whole, pyarrow.ChunkedArray):  # of an extension type, or without rows
        parts = [_whole_array(chunk) for chunk in whole.chunks]
        return np.concatenate(parts) if parts else np.empty(0)
    return _whole_array(whole)


def _whole_array(array: Any) -> np.ndarray[Any, Any]:
    if hasattr(array, "to_numpy_ndarray"):  # tensors, Arrow's own
        return np.asarray(array.to_numpy_ndarray())
    return np.asarray(array.to_numpy(zero_copy_only=False))


def _stacked(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Lists of one length, however deep, as one array; text and None stay objects."""
    if array.dtype != object or not len(array) or not isinstance(array[0], (list, np.ndarray)):
        return array
    return np.stack([_stacked(np.asarray(row)) for row in array])


def columns_of(batch: Any, wanted: list[str]) -> Columns:
    """These columns of a dict of arrays or an Arrow table. Raises NotFound with the nearest name."""
    names = _names(batch)
    for name in wanted:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            what = f"the batch has no column `{name}`; it has {', '.join(f'`{each}`' for each in names)}"
            raise error(NotFound, what, f"did you mean `{near[0]}`?" if near else "name the columns by `inputs=`")
    if isinstance(batch, pyarrow.Table):
        return {name: _stacked(_array_of(batch[name])) for name in wanted}
    return {name: _stacked(np.asarray(batch[name])) for name in wanted}


def _column_of(array: np.ndarray[Any, Any]) -> Any:
    if array.ndim == 1:
        return pyarrow.array(array)
    return pyarrow.FixedShapeTensorArray.from_numpy_ndarray(np.ascontiguousarray(array))


def with_columns(batch: Any, added: Columns) -> Any:
    """The batch with these columns added, or in place of those of the same names."""
    if not isinstance(batch, pyarrow.Table):
        return {**batch, **added}
    for name, array in added.items():
        if name in batch.column_names:
            batch = batch.drop_columns([name])
        batch = batch.append_column(name, _column_of(array))
    return batch

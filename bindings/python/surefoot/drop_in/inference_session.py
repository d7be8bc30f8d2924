"""``surefoot.InferenceSession``: onnxruntime's class of the same name, on a session that keeps its footing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from surefoot import _core
from surefoot.drop_in.io_binding import IOBinding
from surefoot.drop_in.node_arg import ModelMetadata, NodeArg
from surefoot.drop_in.ort_value import OrtValue
from surefoot.drop_in.provider_lists import Listed, names_of_ort, selection_of
from surefoot.drop_in.session_options import SessionOptions, settings_of
from surefoot.events import FallbackEvents, events_of
from surefoot.model_info import ModelInfo
from surefoot.plans import Plan
from surefoot.session import Settings, options_of


class InferenceSession:
    """Takes what ``onnxruntime.InferenceSession`` takes, gives what it gives, and raises what it raises; a provider
    that fails to open or to run is replaced, and :meth:`events` says why.

    >>> import numpy, surefoot
    >>> session = surefoot.InferenceSession("models/digits/digits.onnx", providers=["CPUExecutionProvider"])
    >>> [each.name for each in session.get_inputs()]
    ['image']
    >>> session.run(None, {"image": numpy.zeros((1, 1, 8, 8), numpy.float32)})[0].shape
    (1, 10)
    """

    def __init__(
        self,
        path_or_bytes: str | bytes | os.PathLike[str],
        sess_options: Any = None,
        providers: Listed | None = None,
        provider_options: Sequence[dict[Any, Any]] | None = None,
        **kwargs: Any,
    ) -> None:
        if not isinstance(path_or_bytes, (str, bytes, os.PathLike)):
            raise TypeError(f"Unable to load from type '{type(path_or_bytes)}'")
        self._source = path_or_bytes if isinstance(path_or_bytes, bytes) else os.fspath(path_or_bytes)
        self._sess_options = sess_options
        self._fallback = int(kwargs.get("enable_fallback", 1)) == 1
        self._disabled_optimizers = kwargs.get("disabled_optimizers")
        self._wishes: Settings | None = None
        self._open(providers, provider_options)

    @classmethod
    def _with_wishes(cls, source: str | bytes, wishes: Settings, kwargs: dict[str, Any]) -> InferenceSession:
        """Opens by a plan's own words instead of a list of providers."""
        self = cls.__new__(cls)
        self._source = source
        self._sess_options = kwargs.pop("sess_options", None)
        self._disabled_optimizers = kwargs.pop("disabled_optimizers", None)
        if kwargs:
            raise TypeError(f"create_session() got an unexpected keyword argument '{next(iter(kwargs))}'")
        self._fallback = not wishes.get("first_only", False)
        self._wishes = wishes
        self._open(None, None)
        return self

    def _open(self, providers: Listed | None, provider_options: Sequence[dict[Any, Any]] | None) -> None:
        self._asked = (providers, provider_options)
        chosen = self._wishes if self._wishes is not None else selection_of(providers, provider_options)
        self._settings: Settings = {**settings_of(self._sess_options), **chosen}
        self._settings["first_only"] = not self._fallback
        if self._disabled_optimizers:
            listed = {"raw:optimization.disable_specified_optimizers": ";".join(self._disabled_optimizers)}
            self._settings["config"] = {**self._settings.get("config", {}), **listed}
        self._core = _core.Session(self._source, options_of(self._settings))
        if type(self).run is InferenceSession.run:
            self.run = self._core.run  # type: ignore[method-assign, assignment]  # a step less: a tenth of a µs
        self._info = ModelInfo._of(self._core.info())
        inputs = [each for each in self._info.inputs if each.required or each.type.optional]
        self._inputs_meta = [NodeArg(each) for each in inputs]
        self._outputs_meta = [NodeArg(each) for each in self._info.outputs]

    # ---- running -----------------------------------------------------------------------------------

    def run(self, output_names: Sequence[str] | None, input_feed: Mapping[str, Any], run_options: Any = None) -> list[Any]:
        """The outputs named, or all, as a list of arrays, lists or dicts."""
        return self._core.run(output_names, input_feed, run_options)  # type: ignore[arg-type]

    def run_async(
        self,
        output_names: Sequence[str] | None,
        input_feed: Mapping[str, Any],
        callback: Callable[[list[Any], Any, str], object],
        user_data: Any,
        run_options: Any = None,
    ) -> None:
        """Runs in a thread of its own, which calls ``callback(results, user_data, error)``; the error is empty when
        the run was well."""

        def work() -> None:
            try:
                results, failure = self.run(output_names, input_feed, run_options), ""
            except Exception as raised:
                results, failure = [], str(raised)
            callback(results, user_data, failure)

        threading.Thread(target=work, name="surefoot run_async", daemon=True).start()

    def run_with_ort_values(
        self, output_names: Sequence[str] | None, input_dict_ort_values: Mapping[str, Any], run_options: Any = None
    ) -> list[OrtValue]:
        """As :meth:`run`, with values of either package in and ours out."""
        return [OrtValue(value) for value in self.run(output_names, dict(input_dict_ort_values), run_options)]

    def io_binding(self) -> IOBinding:
        return IOBinding(self)

    def run_with_iobinding(self, iobinding: IOBinding, run_options: Any = None) -> None:
        """Runs on what is bound. Outputs bound to memory are written there."""
        if iobinding._session is not self:
            raise ValueError("IOBinding must be used with the session that created it.")
        bound = {name: place for name, place in iobinding._outputs.items() if place is not None}
        if bound and len(bound) == len(iobinding._outputs) and run_options is None:
            self._core.run_into(iobinding._inputs, bound)
            iobinding._results = list(bound.values())
            return
        values = self.run(list(iobinding._outputs), iobinding._inputs, run_options)
        for position, (name, value) in enumerate(zip(iobinding._outputs, values)):
            if name in bound:
                np.copyto(bound[name], value, casting="no")
                values[position] = bound[name]
        iobinding._results = values

    # ---- what is known -----------------------------------------------------------------------------

    def get_inputs(self) -> list[NodeArg]:
        return self._inputs_meta

    def get_outputs(self) -> list[NodeArg]:
        return self._outputs_meta

    def get_overridable_initializers(self) -> list[NodeArg]:
        return [NodeArg(each) for each in self._info.inputs if not each.required and not each.type.optional]

    def get_modelmeta(self) -> ModelMetadata:
        return ModelMetadata(self._info)

    def get_session_options(self) -> Any:
        return self._sess_options if self._sess_options is not None else SessionOptions()

    def get_providers(self) -> list[str]:
        """ONNX Runtime's names of the providers in use now."""
        return names_of_ort(self._core.providers())

    def get_provider_options(self) -> dict[str, dict[str, str]]:
        """The options that were given to each provider in use."""
        given = self.plan().options
        names = self._core.providers()
        return {ort_name: given.get(name, {}) for name, ort_name in zip(names, names_of_ort(names))}

    def plan(self) -> Plan:
        """The candidates with their reasons."""
        return Plan._of(self._core.plan())

    def events(self) -> FallbackEvents:
        """Everything that was given up so far, in order."""
        return events_of(self._core.events())

    # ---- changing ----------------------------------------------------------------------------------

    def set_providers(self, providers: Listed | None = None, provider_options: Sequence[dict[Any, Any]] | None = None) -> None:
        """Opens the model again with these."""
        self._wishes = None
        self._open(providers, provider_options)

    def disable_fallback(self) -> None:
        """From now on what is in use is kept: its failures are raised."""
        self._set_fallback(False)

    def enable_fallback(self) -> None:
        """From now on a provider that fails is replaced."""
        self._set_fallback(True)

    def _set_fallback(self, wanted: bool) -> None:
        changed, self._fallback = self._fallback != wanted, wanted
        # The plan is made when the model is opened; one with a single candidate is the same either way.
        if changed and (wanted or len(self.plan().viable) > 1):
            self._open(*self._asked)

    def end_profiling(self) -> str:
        """The file that was written; empty when no profile was asked for."""
        if not self._settings.get("profile_prefix"):
            return ""
        return str(Path(self._core.end_profiling()))

    # ---- as an object ------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        wishes = {**(self._wishes or {}), "first_only": not self._fallback}
        if self._wishes is not None:
            kwargs = {"sess_options": self._sess_options, "disabled_optimizers": self._disabled_optimizers}
            return type(self)._with_wishes, (self._source, wishes, kwargs)
        return _reopened, (type(self), self._source, self._sess_options, *self._asked, self._fallback)

    def __repr__(self) -> str:
        label = f"{len(self._source)} bytes" if isinstance(self._source, bytes) else f"`{self._source}`"
        return f"<surefoot.InferenceSession of {label} on {self._core.provider()}>"

    def _repr_html_(self) -> str:
        return self.plan()._repr_html_()


def _reopened(
    kind: type[InferenceSession], source: str | bytes, options: Any, providers: Any, given: Any, fallback: bool
) -> InferenceSession:
    """What a pickled session becomes on the other side."""
    return kind(source, options, providers, given, enable_fallback=int(fallback))

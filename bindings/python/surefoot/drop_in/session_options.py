"""Session options by onnxruntime's names, and their translation to ours."""

from __future__ import annotations

import logging
from enum import IntEnum
from typing import Any

from surefoot import _core
from surefoot.errors import Unsupported, error
from surefoot.session import Settings

_log = logging.getLogger("surefoot")


class GraphOptimizationLevel(IntEnum):
    """onnxruntime's levels."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(IntEnum):
    """Whether independent operators run at once."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class Recorded:
    """What onnxruntime's options take but do not give back: kept beside them."""

    def __init__(self) -> None:
        super().__init__()
        self._dimensions: dict[str, int] = {}
        self._denotations: dict[str, int] = {}
        self._libraries: list[str] = []
        self._beyond_us: list[str] = []  #: calls that only onnxruntime's own session can honour


class SessionOptions(Recorded):
    """As ``onnxruntime.SessionOptions``, without onnxruntime."""

    def __init__(self) -> None:
        super().__init__()
        self.enable_cpu_mem_arena = True
        self.enable_mem_pattern = True
        self.enable_mem_reuse = True
        self.enable_profiling = False
        self.execution_mode: Any = ExecutionMode.ORT_SEQUENTIAL
        self.execution_order: Any = 0
        self.graph_optimization_level: Any = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.inter_op_num_threads = 0
        self.intra_op_num_threads = 0
        self.log_severity_level = -1
        self.log_verbosity_level = 0
        self.logid = ""
        self.optimized_model_filepath = ""
        self.profile_file_prefix = "onnxruntime_profile_"
        self.use_deterministic_compute = False
        self.use_per_session_threads = True
        self._entries: dict[str, str] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        self._entries[str(key)] = str(value)

    def get_session_config_entry(self, key: str) -> str:
        if key not in self._entries:
            raise RuntimeError(f"SessionOptions does not have configuration with key: {key}")
        return self._entries[key]

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        self._dimensions[name] = size

    def add_free_dimension_override_by_denotation(self, denotation: str, size: int) -> None:
        self._denotations[denotation] = size

    def register_custom_ops_library(self, path: str) -> None:
        self._libraries.append(str(path))

    def has_providers(self) -> bool:
        return False


def recording(theirs: type[Any]) -> type[Any]:
    """A class in place of onnxruntime's own, whose sessions take it too, that remembers what cannot be read back."""

    class SessionOptions(Recorded, theirs):  # type: ignore[misc]
        def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
            self._dimensions[name] = size
            super().add_free_dimension_override_by_name(name, size)

        def add_free_dimension_override_by_denotation(self, denotation: str, size: int) -> None:
            self._denotations[denotation] = size
            super().add_free_dimension_override_by_denotation(denotation, size)

        def register_custom_ops_library(self, path: str) -> None:
            self._libraries.append(str(path))
            super().register_custom_ops_library(path)

        def add_initializer(self, name: str, value: Any) -> None:
            self._beyond_us.append("add_initializer")
            super().add_initializer(name, value)

        def add_external_initializers(self, names: Any, values: Any) -> None:
            self._beyond_us.append("add_external_initializers")
            super().add_external_initializers(names, values)

    SessionOptions.__module__, SessionOptions.__doc__ = theirs.__module__, theirs.__doc__
    return SessionOptions


def _entries(options: Any) -> dict[str, str]:
    if isinstance(options, SessionOptions):
        return dict(options._entries)
    found = {}
    for key in _core.config_keys(True):
        try:
            found[key] = options.get_session_config_entry(key)
        except RuntimeError:  # it is not set
            continue
    return found


def _refuse_the_rest(options: Any) -> None:
    beyond: list[str] = getattr(options, "_beyond_us", [])
    if beyond:
        hint = "open this model with `onnxruntime.InferenceSession`, or by `surefoot.create_ort_session`"
        raise error(Unsupported, f"surefoot's session does not take `SessionOptions.{beyond[0]}`", hint)
    if options.has_providers():
        _log.warning("providers set on SessionOptions are not used: name them in `providers`")


_LEVELS = {0: "disabled", 1: "basic", 2: "extended", 3: "layout"}
_LOG_LEVELS = ("verbose", "info", "warning", "error", "fatal")


def settings_of(options: Any) -> Settings:
    """The settings that a ``SessionOptions`` of either package stands for."""
    if options is None:
        return {}
    _refuse_the_rest(options)
    settings: Settings = {
        "intra_op_threads": options.intra_op_num_threads or None,
        "inter_op_threads": options.inter_op_num_threads or None,
        "parallel": int(options.execution_mode) == 1,
        "optimization": _LEVELS.get(int(options.graph_optimization_level)),
        "memory_pattern": options.enable_mem_pattern,
        "cpu_arena": options.enable_cpu_mem_arena,
        "optimized_model": options.optimized_model_filepath,
        "config": {f"raw:{key}": value for key, value in _entries(options).items()},
        "dimensions": getattr(options, "_dimensions", {}),
        "dimensions_by_denotation": getattr(options, "_denotations", {}),
        "custom_op_libraries": getattr(options, "_libraries", []),
    }
    if options.enable_profiling:
        settings["profile_prefix"] = options.profile_file_prefix
    if options.log_severity_level >= 0:
        settings["log_level"] = _LOG_LEVELS[min(options.log_severity_level, 4)]
    return settings

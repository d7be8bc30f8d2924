"""ONNX sessions that keep their footing: a model opens on the best execution provider that works on this machine,
each better one is refused with its reason, and a provider that fails in the middle of the work is replaced.

>>> import numpy, surefoot
>>> session = surefoot.Session("models/digits/digits.onnx")
>>> outputs = session.infer({"image": numpy.zeros((1, 1, 8, 8), numpy.float32)})
>>> outputs["probabilities"].dtype
dtype('float32')
"""

import importlib
from typing import TYPE_CHECKING, Any

from surefoot import cache
from surefoot._core import Runtime as LoadedRuntime
from surefoot._core import StopSource, __version__
from surefoot.cache import Cache, CachedModel, CacheState
from surefoot.drop_in.creation import create_ort_session, create_session
from surefoot.drop_in.inference_session import InferenceSession
from surefoot.drop_in.io_binding import IOBinding
from surefoot.drop_in.node_arg import ModelMetadata, NodeArg
from surefoot.drop_in.ort_value import OrtValue
from surefoot.drop_in.run_options import RunOptions
from surefoot.drop_in.session_options import ExecutionMode, GraphOptimizationLevel, SessionOptions
from surefoot.errors import (
    Cancelled,
    Error,
    Internal,
    InvalidArgument,
    InvalidInput,
    InvalidModel,
    InvalidState,
    IoFailed,
    NotFound,
    OutOfMemory,
    ProviderFailed,
    RunFailed,
    RuntimeUnavailable,
    SessionNotCreated,
    TimedOut,
    Unsupported,
)
from surefoot.events import FallbackEvent, FallbackEvents
from surefoot.machine import ProbeVerdict, Provider, Runtime, SharedThreads, load_runtime, probe, providers, runtimes
from surefoot.model import LowRankDelta, Model, ModelEvent, Patch
from surefoot.model_info import Dimension, ModelInfo, ValueInfo, ValueType, inspect
from surefoot.nodes import Encoded, GraphProblem, Node, Nodes, Reference
from surefoot.patching import install, report, uninstall
from surefoot.pipeline_model import OnnxRuntimeModel
from surefoot.plans import Candidate, Plan, plan
from surefoot.prepared import GraphState, PreparedRun
from surefoot.samples import sample_inputs
from surefoot.session import Session
from surefoot.weights import WeightInfo, Weights

if TYPE_CHECKING:
    from surefoot.comparing import (
        Bisection,
        Comparison,
        Departure,
        InputRange,
        Location,
        TensorDifference,
        Tolerance,
        bisect,
        compare,
        locate,
    )
    from surefoot.compiling import CompileReport, CompileValidation, compile
    from surefoot.diagnosis import Diagnosis, Finding, ModelCheck, check, doctor
    from surefoot.explanations import Explanation, Explanations, explain
    from surefoot.measuring import (
        BenchResult,
        BenchResults,
        Latency,
        NodeTime,
        OperatorTime,
        Profile,
        ProviderTime,
        bench,
        read_profile,
    )
    from surefoot.memory import MemoryPolicy, MemoryReport, MemoryUse, measure_memory
    from surefoot.placements import PlacedNode, Placement, ProviderShare
    from surefoot.reporting import Report, ReportNode, make_report, write_report
    from surefoot.tuning import TuneReport, TuneTrial, tune

# Read when they are first used: half of what importing this package would cost.
_MODULES = {
    "comparing": "Bisection Comparison Departure InputRange Location TensorDifference Tolerance bisect compare locate",
    "compiling": "CompileReport CompileValidation compile",
    "diagnosis": "Diagnosis Finding ModelCheck check doctor",
    "explanations": "Explanation Explanations explain",
    "measuring": "BenchResult BenchResults Latency NodeTime OperatorTime Profile ProviderTime bench read_profile",
    "memory": "MemoryPolicy MemoryReport MemoryUse measure_memory",
    "placements": "PlacedNode Placement ProviderShare",
    "reporting": "Report ReportNode make_report write_report",
    "tuning": "TuneReport TuneTrial tune",
}
_LATER = {name: f"surefoot.{module}" for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'surefoot' has no attribute '{name}'")
    value = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


__all__ = [
    "BenchResult",
    "BenchResults",
    "Bisection",
    "Cache",
    "CacheState",
    "CachedModel",
    "Cancelled",
    "Candidate",
    "Comparison",
    "CompileReport",
    "CompileValidation",
    "Departure",
    "Diagnosis",
    "Dimension",
    "Encoded",
    "Error",
    "ExecutionMode",
    "Explanation",
    "Explanations",
    "FallbackEvent",
    "FallbackEvents",
    "Finding",
    "GraphOptimizationLevel",
    "GraphProblem",
    "GraphState",
    "IOBinding",
    "InferenceSession",
    "InputRange",
    "Internal",
    "InvalidArgument",
    "InvalidInput",
    "InvalidModel",
    "InvalidState",
    "IoFailed",
    "Latency",
    "LoadedRuntime",
    "Location",
    "LowRankDelta",
    "MemoryPolicy",
    "MemoryReport",
    "MemoryUse",
    "Model",
    "ModelCheck",
    "ModelEvent",
    "ModelInfo",
    "ModelMetadata",
    "Node",
    "NodeArg",
    "NodeTime",
    "Nodes",
    "NotFound",
    "OnnxRuntimeModel",
    "OperatorTime",
    "OrtValue",
    "OutOfMemory",
    "Patch",
    "PlacedNode",
    "Placement",
    "Plan",
    "PreparedRun",
    "ProbeVerdict",
    "Profile",
    "Provider",
    "ProviderFailed",
    "ProviderShare",
    "ProviderTime",
    "Reference",
    "Report",
    "ReportNode",
    "RunFailed",
    "RunOptions",
    "Runtime",
    "RuntimeUnavailable",
    "Session",
    "SessionNotCreated",
    "SessionOptions",
    "SharedThreads",
    "StopSource",
    "TensorDifference",
    "TimedOut",
    "Tolerance",
    "TuneReport",
    "TuneTrial",
    "Unsupported",
    "ValueInfo",
    "ValueType",
    "WeightInfo",
    "Weights",
    "__version__",
    "bench",
    "bisect",
    "cache",
    "check",
    "compare",
    "compile",
    "create_ort_session",
    "create_session",
    "doctor",
    "explain",
    "inspect",
    "install",
    "load_runtime",
    "locate",
    "make_report",
    "measure_memory",
    "plan",
    "probe",
    "providers",
    "read_profile",
    "report",
    "runtimes",
    "sample_inputs",
    "tune",
    "uninstall",
    "write_report",
]

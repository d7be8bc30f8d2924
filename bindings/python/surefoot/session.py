"""Sessions: a model, open on the best provider that works, and inference on it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from surefoot import _core
from surefoot import cache as caching
from surefoot.errors import Error, InvalidState, error
from surefoot.events import FallbackEvent, FallbackEvents, events_of
from surefoot.log import logger
from surefoot.machine import load_runtime
from surefoot.model_info import ModelInfo
from surefoot.plans import Plan, selection
from surefoot.prepared import PreparedRun
from surefoot.sources import Model, source_of
from surefoot.tables import table

if TYPE_CHECKING:
    from surefoot.placements import Placement


class Settings(TypedDict, total=False):
    """The options of a session, all of them optional."""

    prefer: Iterable[str]  #: providers tried first, in this order
    only: Iterable[str]  #: required providers: no other, CPU included, unless named
    exclude: Iterable[str]  #: providers never used
    provider_options: Mapping[str, Mapping[str, object]]  #: by provider
    first_only: bool  #: the best viable candidate or the error
    dimensions: Mapping[str, int]  #: free dimensions, by symbolic name
    dimensions_by_denotation: Mapping[str, int]
    intra_op_threads: int | None
    inter_op_threads: int | None
    parallel: bool
    spinning: bool | None
    shared_threads: bool  #: run on the threads that :func:`surefoot.load_runtime` was asked for, with all that do
    optimization: str | None  #: "disabled", "basic", "extended", "layout", "all"
    memory_pattern: bool
    cpu_arena: bool
    shared_arena: bool  #: take memory from one arena with all sessions that do
    graph_capture: str  #: "off", "try", "require": what prepared runs will want of their provider
    plugin_graph_option: str  #: the option that turns capture on in a plugin provider
    profile_prefix: str | os.PathLike[str]
    optimized_model: str | os.PathLike[str]  #: where ONNX Runtime writes the model as it rewrote it
    custom_op_libraries: Iterable[str | os.PathLike[str]]
    config: Mapping[str, str]  #: raw session entries of ONNX Runtime
    external_data_folder: str | os.PathLike[str]  #: for a model in memory
    allow_outside_data: bool  #: the model may name external data outside its folder
    cache: bool | str | os.PathLike[str] | caching.Cache | None  #: keep what ONNX Runtime makes of the model
    min_placement: float  #: the least part of the nodes that a candidate before the CPU must take
    verify: bool  #: compare a provider's first answer with the CPU's, and give up one that computes wrong numbers
    probes: str  #: "ignore", "remember", "probe": what is made of :func:`surefoot.probe`'s verdicts
    log_level: str | None
    on_event: Callable[[FallbackEvent], object] | None
    library: str | os.PathLike[str] | None  #: the ONNX Runtime to use


_SELECTION = ("prefer", "only", "exclude", "provider_options", "first_only")


def _event_call(call: Callable[[FallbackEvent], object] | None) -> Callable[[str, str, Error, float, bool], None]:
    def record(candidate: str, stage: str, error: Error, elapsed: float, kept: bool) -> None:
        event = FallbackEvent(candidate, stage, error, elapsed, kept)
        logger.warning("%s", event)
        if call is not None:
            call(event)

    return record


def _apply_settings(options: _core.Options, settings: Settings) -> None:
    options.dimensions = dict(settings.get("dimensions", {}))
    options.dimensions_by_denotation = dict(settings.get("dimensions_by_denotation", {}))
    options.intra_op = settings.get("intra_op_threads")
    options.inter_op = settings.get("inter_op_threads")
    options.parallel = settings.get("parallel", False)
    options.spinning = settings.get("spinning")
    options.memory_pattern = settings.get("memory_pattern", True)
    options.cpu_arena = settings.get("cpu_arena", True)
    options.profile_prefix = os.fspath(settings.get("profile_prefix", ""))
    options.optimized_model = os.fspath(settings.get("optimized_model", ""))
    options.custom_op_libraries = [os.fspath(each) for each in settings.get("custom_op_libraries", ())]
    options.config = dict(settings.get("config", {}))
    options.external_data_folder = os.fspath(settings.get("external_data_folder", ""))
    options.allow_outside_data = settings.get("allow_outside_data", False)
    _apply_care(options, settings)
    caching.apply(options, settings.get("cache"))
    options.set_optimization(settings.get("optimization"))
    options.set_log_level(settings.get("log_level"))


def _apply_care(options: _core.Options, settings: Settings) -> None:
    options.shared_threads = settings.get("shared_threads", False)
    options.shared_arena = settings.get("shared_arena", False)
    options.set_graph_capture(settings.get("graph_capture", "off"))
    options.plugin_graph_option = settings.get("plugin_graph_option", "")
    options.min_placement = settings.get("min_placement", 0)
    options.verify = settings.get("verify", False)
    options.set_probes(settings.get("probes", "remember"))


def options_of(settings: Settings) -> _core.Options:
    """The options as the library takes them. Raises TypeError for a name that is no option."""
    unknown = set(settings) - set(Settings.__annotations__)
    if unknown:
        raise TypeError(f"a session has no option `{sorted(unknown)[0]}`")
    options = selection(**{name: settings[name] for name in _SELECTION if name in settings})  # type: ignore[literal-required]
    _apply_settings(options, settings)
    options.runtime = load_runtime(settings.get("library"))
    options.set_on_event(_event_call(settings.get("on_event")))
    return options


class Session:
    """A model that is open and can be run.

    In automatic mode a provider that fails to open or to run is replaced by the next one, with the same inputs; with
    ``only`` it falls back among those alone. May be used from several threads at once; after a fork, a child process
    opens its own.

    >>> import numpy, surefoot
    >>> with surefoot.Session("models/digits/digits.onnx") as session:
    ...     outputs = session.infer({"image": numpy.zeros((1, 1, 8, 8), numpy.float32)})
    >>> outputs["probabilities"].shape
    (1, 10)
    """

    def __init__(self, model: Model, **settings: Any) -> None:
        """Opens a path, bytes, a ModelProto or an open file; the options are those of :class:`Settings`."""
        self._source: str | bytes | None = source_of(model)
        self._settings: Settings = settings  # type: ignore[assignment]
        self._name = ""
        self._core = _core.Session(self._source, options_of(self._settings))
        self._keep_facts()

    @classmethod
    def _over(cls, core: _core.Session, label: str) -> Session:
        """A session that a model made."""
        made = cls.__new__(cls)
        made._source, made._settings, made._core, made._name = None, Settings(), core, label
        made._keep_facts()
        return made

    def _keep_facts(self) -> None:
        if type(self).infer is Session.infer:
            self.infer = self._core.infer  # type: ignore[method-assign]  # a step less: a tenth of a µs
        self.info = ModelInfo._of(self._core.info())
        self.plan = Plan._of(self._core.plan())

    def infer(
        self,
        inputs: Mapping[str, Any],
        *,
        outputs: list[str] | None = None,
        stop: _core.StopSource | None = None,
        config: Mapping[str, str] | None = None,
        tag: str = "",
    ) -> dict[str, Any]:
        """Runs on inputs given by name and gives the outputs by name.

        Arrays are read where they lie, and outputs are arrays over the memory in which ONNX Runtime placed them.
        Sequences are lists, maps dicts, an absent optional is None. ``outputs`` computes only these; ``stop.stop()``
        ends the run from another thread.

        Raises :class:`surefoot.InvalidInput` with every problem of the call.
        """
        return self._core.infer(inputs, outputs=outputs, stop=stop, config=config, tag=tag)

    def infer_into(self, inputs: Mapping[str, Any], outputs: Mapping[str, np.ndarray[Any, Any]]) -> None:
        """Runs into the arrays given by name, which have exactly the outputs' types and shapes; only these are
        computed. After a failure they hold anything."""
        self._core.run_into(dict(inputs), dict(outputs))

    def prepare(
        self,
        *,
        shapes: Mapping[str, Sequence[int]] | None = None,
        dims: Mapping[str, int] | None = None,
        outputs: Iterable[str] = (),
        feed_back: Mapping[str, str] | None = None,
        config: Mapping[str, str] | None = None,
        graph: str | None = None,
    ) -> PreparedRun:
        """Binds inputs and outputs to arrays once, for runs without allocation.

        ``shapes`` are those of inputs, ``dims`` sizes of free dimensions by name; ``outputs`` computes only these.
        ``feed_back={"state_out": "state_in"}`` makes each run read what the one before gave, without a copy.
        ``graph`` is "off", "try" or "require", as the session's ``graph_capture`` where it is not given.

        Raises :class:`surefoot.InvalidArgument` with every size that is wrong or not known.
        """
        return PreparedRun(self, shapes=shapes, dims=dims, outputs=outputs, feed_back=feed_back, config=config, graph=graph)

    @property
    def provider(self) -> str:
        """The provider that leads now, such as "cuda" or "cpu"; empty when all have failed."""
        return self._core.provider()

    @property
    def providers(self) -> list[str]:
        """All providers of the candidate in use, the leading one first."""
        return self._core.providers()

    @property
    def events(self) -> FallbackEvents:
        """Everything that was given up so far, in order."""
        return events_of(self._core.events())

    @property
    def runtime(self) -> _core.Runtime:
        """The ONNX Runtime in use."""
        return self._core.runtime()

    @property
    def cache(self) -> caching.CacheState:
        """What the cache did for this session."""
        return caching.CacheState(*self._core.cache())

    def placement(self) -> Placement:
        """Which node runs on which provider, as ONNX Runtime reported when the model was opened.

        Raises :class:`surefoot.Unsupported` where it does not tell: :meth:`measure_placement` does there.
        """
        return _placement(self._core.placement())

    def measure_placement(self, inputs: Mapping[str, Any]) -> Placement:
        """The same with times, partitions and copies: opens the model once more and runs it a few times on these inputs."""
        return _placement(self._core.measure_placement(dict(inputs)))

    def retry(self) -> None:
        """Opens the plan's candidates again from the first."""
        self._core.retry()

    def end_profiling(self) -> Path:
        """Ends profiling and gives the file that was written."""
        return Path(self._core.end_profiling())

    @property
    def profiles(self) -> list[Path]:
        """Every profile written so far, oldest first, those of candidates that were given up included."""
        return self._core.profiles()

    def close(self) -> None:
        """Frees the model; runs that are under way finish first. Closing twice does nothing."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if self._source is None:
            raise error(InvalidState, f"the session of {self._name} belongs to a model", "pickle the model")
        return _reopened, (self._source, dict(self._settings))

    def _label(self) -> str:
        if self._source is None:
            return self._name
        return f"{len(self._source)} bytes" if isinstance(self._source, bytes) else f"`{self._source}`"

    def _state(self) -> str:
        if not self._core.is_open:
            return "closed"
        return f"on {self.provider}" if self.provider else "without a provider that works"

    def __repr__(self) -> str:
        inputs, outputs = (", ".join(map(str, each)) for each in (self.info.inputs, self.info.outputs))
        return f"<surefoot.Session of {self._label()} {self._state()}: {inputs} -> {outputs}>"

    def _repr_html_(self) -> str:
        events = self.events._repr_html_() if self._core.is_open and self.events else ""
        return table(("session", "state"), [(self._label(), self._state())]) + self.plan._repr_html_() + events


def _placement(parts: tuple[Any, ...]) -> Placement:
    from surefoot.placements import Placement  # read when it is first used

    return Placement._of(parts)


def _reopened(source: str | bytes, settings: dict[str, Any]) -> Session:
    """What a pickled session becomes on the other side."""
    return Session(source, **settings)

"""Prepared runs: a session's inputs and outputs, bound once to the memory of arrays."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from surefoot import _core
from surefoot.errors import Error
from surefoot.events import FallbackEvents, events_of

if TYPE_CHECKING:
    from surefoot.session import Session

Array = np.ndarray[Any, Any]


class Arrays(Mapping[str, Array]):
    """The arrays of a prepared run by name, in the model's order."""

    def __init__(self, names: list[str], get: Callable[[str], Array]) -> None:
        self._names = names
        self._get = get

    def __getitem__(self, name: str) -> Array:
        return self._get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names


class Inputs(Arrays):
    """The same for inputs, which can be assigned to."""

    def __init__(self, names: list[str], get: Callable[[str], Array], write: Callable[[str, Any], None]) -> None:
        super().__init__(names, get)
        self._write = write

    def __setitem__(self, name: str, value: Any) -> None:
        self._write(name, value)


@dataclass(frozen=True)
class GraphState:
    """What became of graph capture in a prepared run."""

    wanted: str  #: "off", "try", "require"
    captured: bool  #: runs replay a graph
    reason: Error | None = None  #: why they do not, where one was wanted


class PreparedRun(_core.PreparedRun):
    """Runs a session over and over on arrays that stay where they are; made by :meth:`surefoot.Session.prepare`.

    ``inputs`` and ``outputs`` are numpy arrays over the memory that ONNX Runtime reads and writes: take them once,
    write, run, read. They may outlive the run. An output whose shape no size tells is a copy, to be taken after each
    run. A provider that fails is replaced, and the same inputs run on the next one. One run at a time, ``cancel()``
    apart; ``clone()`` gives another thread arrays of its own.

    >>> import surefoot
    >>> run = surefoot.Session("models/digits/digits.onnx").prepare(dims={"batch": 2})
    >>> image, probabilities = run.inputs["image"], run.outputs["probabilities"]
    >>> image[:] = 0.5
    >>> run.run()
    >>> probabilities.shape
    (2, 10)
    """

    def __init__(
        self,
        session: Session,
        *,
        shapes: Mapping[str, Sequence[int]] | None = None,
        dims: Mapping[str, int] | None = None,
        outputs: Iterable[str] = (),
        feed_back: Mapping[str, str] | None = None,
        config: Mapping[str, str] | None = None,
        graph: str | None = None,
    ) -> None:
        sizes = {name: [int(size) for size in shape] for name, shape in (shapes or {}).items()}
        wanted = (sizes, dict(dims or {}), list(outputs), dict(config or {}), graph, dict(feed_back or {}))
        super().__init__(session._core, *wanted)
        self._session, self._wanted = session, wanted

    @property
    def session(self) -> Session:
        return self._session

    @property
    def inputs(self) -> Inputs:
        """What the next run reads. ``run.inputs["x"] = value`` copies an array of exactly that type and shape."""
        return Inputs(self.input_names(), self.input, self.write)

    @property
    def outputs(self) -> Arrays:
        """What the last run gave; after one that failed, anything.

        Raises :class:`surefoot.InvalidState` for an output without an array of its own before the first run.
        """
        return Arrays(self.output_names(), self.output)

    @property
    def events(self) -> FallbackEvents:
        """Everything that the session gave up so far, in order."""
        return events_of(self.raw_events())

    @property
    def graph(self) -> GraphState:
        """What became of graph capture."""
        return GraphState(*self.graph_state())

    def run_async(self) -> Future[None]:
        """Runs in a thread of its own; the future raises what :meth:`run` would. From ``asyncio``:
        ``await asyncio.wrap_future(run.run_async())``."""
        future: Future[None] = Future()

        def work() -> None:
            try:
                self.run()
            except BaseException as raised:
                future.set_exception(raised)
            else:
                future.set_result(None)

        future.set_running_or_notify_cancel()
        threading.Thread(target=work, name="surefoot run_async", daemon=True).start()
        return future

    def clone(self) -> PreparedRun:
        """The same with arrays of its own, as if just prepared; arrays bound by the caller are not bound there."""
        shapes, dims, outputs, config, graph, feed_back = self._wanted
        return PreparedRun(
            self._session, shapes=shapes, dims=dims, outputs=outputs, config=config, graph=graph, feed_back=feed_back
        )

    def __repr__(self) -> str:
        inputs, outputs = (", ".join(names) for names in (self.input_names(), self.output_names()))
        return f"<surefoot.PreparedRun on {self.provider or 'no provider that works'}: {inputs} -> {outputs}>"

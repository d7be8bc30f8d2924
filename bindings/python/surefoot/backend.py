"""Surefoot as a backend of the onnx package's own conformance suite (``onnx.backend``).

>>> import onnx, numpy, surefoot.backend
>>> model = onnx.load("models/digits/digits.onnx")
>>> rep = surefoot.backend.prepare(model, "CPU")
>>> rep.run([numpy.zeros((1, 1, 8, 8), numpy.float32)])[0].shape
(1, 10)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from onnx.backend.base import Backend, BackendRep

from surefoot.session import Session


class SurefootRep(BackendRep):  # type: ignore[misc, unused-ignore]
    """A model that is ready to run."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def run(self, inputs: Any, **_: Any) -> tuple[Any, ...]:
        """Inputs in the model's order, or by name; outputs in the model's order."""
        if not isinstance(inputs, Mapping):
            given: Sequence[Any] = inputs if isinstance(inputs, (list, tuple)) else [inputs]
            inputs = {info.name: value for info, value in zip(self.session.info.inputs, given)}
        return tuple(self.session.infer(inputs).values())


class SurefootBackend(Backend):  # type: ignore[misc, unused-ignore]
    """Opens models on the CPU."""

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **_: Any) -> bool:
        return cls.supports_device(device)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.upper() == "CPU"

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **settings: Any) -> SurefootRep:
        settings.setdefault("only", ["cpu"])
        return SurefootRep(Session(model, **settings))

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **settings: Any) -> tuple[Any, ...]:
        return cls.prepare(model, device, **settings).run(inputs)


is_compatible = SurefootBackend.is_compatible
prepare = SurefootBackend.prepare
run_model = SurefootBackend.run_model
supports_device = SurefootBackend.supports_device

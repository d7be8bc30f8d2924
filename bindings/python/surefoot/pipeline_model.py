"""Models as pipelines of diffusers' kind hold them: called by keyword, moved by name, found by a repository's name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from surefoot import _core
from surefoot.drop_in.node_arg import NodeArg
from surefoot.drop_in.provider_lists import selection_of
from surefoot.drop_in.session_options import settings_of
from surefoot.model import AnyPath, Model
from surefoot.model_info import ModelInfo
from surefoot.session import Settings
from surefoot.weights import Weights

_SELECTION = ("prefer", "only", "exclude", "provider_options")


class CalledSession:
    """What pipelines ask of an ``onnxruntime.InferenceSession`` beside calling it."""

    def __init__(self, core: _core.Session) -> None:
        self._core = core
        self._info = ModelInfo._of(core.info())

    def get_inputs(self) -> list[NodeArg]:
        return [NodeArg(each) for each in self._info.inputs if each.required]

    def get_outputs(self) -> list[NodeArg]:
        return [NodeArg(each) for each in self._info.outputs]

    def get_providers(self) -> list[str]:
        return self._core.providers()

    def run(self, output_names: Sequence[str] | None, input_feed: dict[str, Any], run_options: Any = None) -> list[Any]:
        return self._core.run(output_names, input_feed, run_options)


def _device_settings(device: object, options: Mapping[str, object]) -> Settings:
    """"cuda", "cuda:1", "CUDAExecutionProvider", or what prints so, such as a torch.device."""
    name, _, number = str(device).partition(":")
    if number:
        options = {"device_id": number, **options}
    if _core.short_name(name) == "cpu":
        return {"only": [name]}
    chosen: Settings = {"prefer": [name]}
    if options:
        chosen["provider_options"] = {name: options}
    return chosen


class OnnxRuntimeModel(Model):
    """A :class:`surefoot.Model` in place of diffusers' class of this name: called with inputs by keyword, it gives a list of
    outputs; editing and patching it between calls needs no file. Nothing is opened before :meth:`create_session`.

    >>> import numpy, surefoot
    >>> unet = surefoot.OnnxRuntimeModel.from_pretrained("models/digits", file_name="digits.onnx").to("cpu")
    >>> try:
    ...     unet(image=numpy.zeros((1, 1, 8, 8), numpy.float32))
    ... except surefoot.SessionNotCreated as error:
    ...     print(error.hint)
    call `create_session()` first
    >>> unet.create_session(dims={"batch": 1})
    >>> unet(image=numpy.zeros((1, 1, 8, 8), numpy.float32))[0].shape
    (1, 10)
    """

    @classmethod
    def from_pretrained(
        cls,
        id_or_folder: AnyPath,
        *,
        subfolder: AnyPath = "",
        file_name: AnyPath | None = None,
        revision: str | None = None,
        cache_folder: AnyPath = "",
        cache_dir: AnyPath | None = None,
        provider: Any = None,
        provider_options: Any = None,
        sess_options: Any = None,
        **options: Any,
    ) -> OnnxRuntimeModel:
        """As :meth:`surefoot.Model.from_pretrained`, with diffusers' words beside it: ``cache_dir``, ``provider`` (a name or
        a list, as for onnxruntime), ``sess_options``."""
        settings: dict[str, Any] = {**settings_of(sess_options)}
        if provider is not None:
            settings.update(selection_of([provider] if isinstance(provider, str) else provider, provider_options))
        found = super().from_pretrained(
            id_or_folder,
            subfolder=subfolder,
            file_name=file_name or "model.onnx",
            revision=revision or "main",
            cache_folder=cache_dir or cache_folder,
            **settings,
            **options,
        )
        assert isinstance(found, cls)
        return found

    def create_session(self, *, dims: Mapping[str, int] | None = None, **settings: Any) -> None:
        super().create_session(dims=dims, **{**self._settings, **settings})

    def to(self, device: object, **options: object) -> OnnxRuntimeModel:
        """Prefers a provider, or keeps to the CPU: "cuda", "cuda:1", a provider's name of either kind, a torch.device. A
        session that is there is replaced, else the next one is made so. ``options`` go to that provider."""
        kept = {name: value for name, value in self._settings.items() if name not in _SELECTION}
        self._settings = {**kept, **_device_settings(device, options)}
        if self.has_session:
            self.create_session()
        return self

    @property
    def tensors(self) -> Weights:
        """The weights."""
        return self.weights

    @property
    def model(self) -> CalledSession:
        """The session, as pipelines ask it for its inputs."""
        return CalledSession(self._core.session())

    def __call__(self, **inputs: Any) -> list[Any]:
        """All outputs, in the model's order. Raises :class:`surefoot.SessionNotCreated` without a session."""
        return self._core.session().run(None, inputs)

    def save_pretrained(self, folder: AnyPath, file_name: str | None = None, **options: Any) -> None:
        """Saves the model as it is now to a folder, which is made."""
        os.makedirs(folder, exist_ok=True)
        self.save(Path(folder) / (file_name or "model.onnx"), **options)

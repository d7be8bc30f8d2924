"""A Ray Serve deployment."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import numpy as np
from ray import serve

from surefoot.errors import Error, InvalidInput, ProviderFailed, error
from surefoot.ray.events import EventLog, open_and_report
from surefoot.sources import Model


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


class Replica:
    """One replica: opens the model once, and runs requests side by side.

    By a handle: ``await handle.remote({"image": array})`` gives the outputs by name, as :meth:`surefoot.Session.infer` does.
    By HTTP: a POST of ``{"inputs": {"image": [[…]]}}`` gives ``{"outputs": {…}}``; what is wrong with the inputs is
    answered with 400 and the error's words.
    """

    def __init__(self, model: Model, *, events: EventLog | None = None, **settings: Any) -> None:
        self.session = open_and_report(model, events, settings)

    async def __call__(self, request: Any) -> Any:
        if isinstance(request, dict):
            return await self._infer(request)
        from starlette.responses import JSONResponse

        try:
            outputs = await self._infer(_inputs_in(await request.body()))
            return JSONResponse({"outputs": {name: _plain(value) for name, value in outputs.items()}})
        except Error as failed:
            status = 400 if isinstance(failed, ValueError) else 500
            return JSONResponse({"error": {"what": failed.what, "hint": failed.hint}}, status_code=status)

    async def _infer(self, inputs: dict[str, Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.session.infer, inputs)

    def check_health(self) -> None:
        """Ray replaces a replica without any provider that works."""
        if not self.session.provider:
            raise error(ProviderFailed, "no provider of this replica works any more")


def _inputs_in(body: bytes) -> dict[str, Any]:
    wanted = '{"inputs": {"name": values, …}}'
    try:
        inputs = json.loads(body)["inputs"]
    except (ValueError, KeyError, TypeError):
        raise error(InvalidInput, f"the request is not of the form {wanted}") from None
    if not isinstance(inputs, dict):
        raise error(InvalidInput, f"`inputs` is a {type(inputs).__name__}; {wanted} is wanted")
    return inputs


#: ``serve.run(SurefootDeployment.options(num_replicas=2).bind("model.onnx", prefer=["cuda"]))``
SurefootDeployment: Any = serve.deployment(name="surefoot")(Replica)

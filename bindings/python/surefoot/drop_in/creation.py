"""``create_session``: one line in place of a list of providers and the handling of its failures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from surefoot import _core
from surefoot.drop_in.inference_session import InferenceSession
from surefoot.drop_in.provider_lists import names_of_ort
from surefoot.errors import ProviderFailed, error
from surefoot.machine import load_runtime
from surefoot.plans import Candidate, Plan, plan
from surefoot.session import Settings
from surefoot.sources import Model, source_of

ProviderOptions = Mapping[str, Mapping[str, object]]


def _display(providers: list[str]) -> str:
    """ "CUDA+CPU": ONNX Runtime's names without what they share."""
    return "+".join(name.removesuffix("ExecutionProvider") for name in names_of_ort(providers))


def _wishes(prefer: Iterable[str] | None, options: ProviderOptions | None, allow_fallback: bool) -> Settings:
    """The plan's arguments: the catalogue's order, or those that are preferred, and the CPU after them."""
    wishes: Settings = {"provider_options": options or {}, "first_only": not allow_fallback}
    if prefer is not None:
        names = [_core.short_name(name) or name for name in prefer]
        host = _core.short_name("CPUExecutionProvider") or ""
        order = [name for name in dict.fromkeys(names) if name != host]
        wishes["prefer"], wishes["only"] = order, [*order, host]
    return wishes


def _refused(made: Plan) -> Iterator[tuple[Candidate, str]]:
    """Candidates that this ONNX Runtime offers, and that were given up before they were opened."""
    offered = set(load_runtime().providers)
    for candidate in made.candidates:
        if candidate.reason is not None and names_of_ort([candidate.name])[0] in offered:
            yield candidate, candidate.reason.what


def _dropped(session: InferenceSession) -> list[tuple[list[str], str]]:
    made = session.plan()
    providers = {each.name: each.providers for each in made.candidates}
    planned = [(each.providers, why) for each, why in _refused(made)]
    return planned + [(providers.get(each.candidate, [each.candidate]), each.error.what) for each in session.events()]


def _report(dropped: list[tuple[list[str], str]], used: list[str]) -> None:
    for providers, why in dropped:
        print(f"{_display(providers)} cannot run this model: {why}")
    if dropped:
        print(f"using {_display(used)}")


def create_session(
    model: Model,
    prefer: Iterable[str] | None = None,
    provider_options: ProviderOptions | None = None,
    quiet: bool = False,
    allow_fallback: bool = True,
    **kwargs: Any,
) -> InferenceSession:
    """Opens a model on the best provider that works, and says what could not run it.

    ``prefer`` names the providers to try, best first (all that are known, by default); each stands with what belongs
    behind it, TensorRT with CUDA and CPU, and CPU comes last in any case. Those that this ONNX Runtime lacks are skipped.
    ``provider_options`` go only to their provider. With ``allow_fallback=False`` just the first candidate is tried.
    The rest goes to :class:`surefoot.InferenceSession`. Raises the error of the last candidate when none works.

    >>> import surefoot
    >>> session = surefoot.create_session("models/digits/digits.onnx", prefer=["cuda", "cpu"])
    >>> session.get_providers()
    ['CPUExecutionProvider']
    """
    wishes = _wishes(prefer, provider_options, allow_fallback)
    session = InferenceSession._with_wishes(source_of(model), wishes, kwargs)
    if not quiet:
        _report(_dropped(session), session._core.providers())
    return session


def _open_with_onnxruntime(source: str | bytes, candidate: Candidate, made: Plan, kwargs: dict[str, Any]) -> Any:
    """One candidate. Raises when it fails, and when onnxruntime leaves its leading provider out in silence."""
    import onnxruntime

    ort_names = names_of_ort(candidate.providers)
    listed = [(ort, made.options.get(name, {})) for ort, name in zip(ort_names, candidate.providers)]
    session = onnxruntime.InferenceSession(source, providers=listed, enable_fallback=0, **kwargs)
    if ort_names[0] not in session.get_providers():
        raise error(ProviderFailed, f"onnxruntime left `{ort_names[0]}` out, and said why in its log")
    return session


def create_ort_session(
    model: Model,
    prefer: Iterable[str] | None = None,
    provider_options: ProviderOptions | None = None,
    quiet: bool = False,
    allow_fallback: bool = True,
    **kwargs: Any,
) -> Any:
    """As :func:`create_session`, for code that checks the class: a genuine ``onnxruntime.InferenceSession``, which does
    not replace a provider that fails while running."""
    import onnxruntime  # noqa: F401  # before a runtime is chosen, so that it is this one's

    source = source_of(model)
    made = plan(source, **_wishes(prefer, provider_options, allow_fallback))  # type: ignore[misc]
    dropped = [(each.providers, why) for each, why in _refused(made)]
    last: Exception = error(ProviderFailed, "no candidate is viable", "see `surefoot.plan()`")
    for candidate in made.viable:
        try:
            session = _open_with_onnxruntime(source, candidate, made, kwargs)
        except Exception as failure:  # any class: an engine that cannot be built raises onnxruntime's own
            last = failure
            dropped.append((candidate.providers, str(failure)))
            continue
        if not quiet:
            _report(dropped, candidate.providers)
        return session
    if not quiet:
        for providers, why in dropped:
            print(f"{_display(providers)} cannot run this model: {why}")
    raise last

"""The ``providers`` argument: onnxruntime's forms of it, and what they ask of a plan."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from surefoot import _core
from surefoot.machine import load_runtime
from surefoot.machine import providers as survey
from surefoot.session import Settings

Listed = Sequence[Any]


def _pairs(providers: Listed, provider_options: Sequence[dict[Any, Any]] | None) -> list[tuple[str, dict[Any, Any]]]:
    """Names with their options. The refusals and their words are onnxruntime's."""
    if not isinstance(providers, Sequence):
        raise ValueError("'providers' should be a sequence.")
    if provider_options is None:
        pairs = [(each, {}) if isinstance(each, str) else each for each in providers]
        for pair in pairs:
            fits = isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], dict)
            if not fits:
                raise ValueError("'providers' values must be either strings or (string, dict) tuples.")
        return pairs
    if not isinstance(provider_options, Sequence):
        raise ValueError("'provider_options' should be a sequence.")
    if len(providers) != len(provider_options):
        raise ValueError("'providers' and 'provider_options' should be the same length if both are given.")
    if not all(isinstance(each, str) for each in providers):
        raise ValueError("Only string values for 'providers' are supported if 'provider_options' is given.")
    if not all(isinstance(each, dict) for each in provider_options):
        raise ValueError("'provider_options' values must be dicts.")
    return list(zip(providers, provider_options))


def names_of_ort(names: list[str]) -> list[str]:
    """ONNX Runtime's names of providers given by short ones."""
    ort_names = {each.name: each.ort_name for each in survey()}
    return [ort_names.get(name, name) for name in names]


def _known(name: str) -> str | None:
    """The provider's short name; None where nobody knows it."""
    plugins = {spelling: each.name for each in survey() if each.plugin for spelling in (each.name, each.ort_name)}
    return plugins.get(name) or _core.short_name(name)


def selection_of(providers: Listed | None, provider_options: Sequence[dict[Any, Any]] | None) -> Settings:
    """What a plan is asked for. None, or an empty list, leaves the choice to the plan.

    As with onnxruntime, a name that is not there costs a warning, the order is that of the list, the CPU takes what is
    left, and what stands behind the CPU is never reached.
    """
    if not providers:
        return {}
    available = load_runtime().providers
    wanted: dict[str, dict[str, object]] = {}
    for name, options in _pairs(providers, provider_options):
        short = _known(name)
        if short is None:
            text = "Specified provider '{}' is not in available provider names.Available providers: '{}'"
            warnings.warn(text.format(name, ", ".join(available)), stacklevel=4)
        elif short in wanted:
            warnings.warn(f"Duplicate provider '{name}' encountered, ignoring.", stacklevel=4)
        else:
            wanted[short] = {f"raw:{key}": value for key, value in options.items()}
    host = _core.short_name("CPUExecutionProvider") or ""
    order = [name for name in wanted if name != host]
    if host in wanted:
        order = order[: list(wanted).index(host)]
    given = {name: wanted[name] for name in order if wanted[name]}
    return {"prefer": order, "only": [*order, host], "provider_options": given}

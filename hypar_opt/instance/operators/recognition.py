"""Which instances are of operators, told by what stands in them: all else is layers that are split in halves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.choices import CHOICES
from hypar_opt.instance.network_schema import KIND_SPECS, LayerSpec
from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.instance.operators.words import NONE
from hypar_opt.instance.overrides import OVERRIDES, value_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.overrides import Overrides

DIMENSIONS = frozenset(
    ("batch", "sequence", "features", "in", "out", "heads", "vocabulary", "channels", "groups", "height", "width",
     "depth", "length", "experts", "classes", NONE)
)  # fmt: skip
"""Names of dimensions that layers have, as choices."""


def is_of_operators(data: Mapping[str, Any], overrides: Overrides | None = None) -> bool:
    """Return whether an instance is one of operators.

    Parameters
    ----------
    data
        The fields of its file, everything inline, right or wrong.
    overrides
        Replace some.
    """
    array, network, cost = data.get("array"), data.get("network"), data.get("cost")
    choices = cost.get("choices") if isinstance(cost, dict) else None
    if overrides is not None:
        if overrides.axes is not None:
            return True
        array = array if overrides.array is None else value_of(OVERRIDES["array"], overrides.array)
        choices = choices if overrides.choices is None else value_of(OVERRIDES["choices"], overrides.choices)
    return _has_axes(array) or _has_dimensions(choices) or (isinstance(network, dict) and _is_new(network))


def _has_axes(array: object) -> bool:
    return isinstance(array, dict) and "axes" in array


def _has_dimensions(choices: object) -> bool:
    if not isinstance(choices, list | tuple):
        return False
    names = {name for name in choices if isinstance(name, str)}
    return bool(names & DIMENSIONS) and not names & CHOICES.keys()


def _is_new(network: Mapping[str, Any]) -> bool:
    """Return whether a network says what only one of operators can."""
    layers = network.get("layers")
    if isinstance(network.get("input"), dict) or "inputs" in network or "repeat" in network:
        return True
    return isinstance(layers, list | tuple) and any(
        name in _NEW or (isinstance(said, dict) and said.keys() & _NEW_FIELDS.get(name, frozenset()))
        for layer in layers
        if isinstance(layer, dict)
        for name, said in layer.items()
    )


_NEW = frozenset((*KINDS, "repeat", "shared")) - frozenset(LayerSpec.model_fields)
_NEW_FIELDS = {
    name: frozenset(KINDS[name].spec.model_fields) - frozenset(spec.model_fields)
    for name, spec in KIND_SPECS.items()
    if name in KINDS
}
"""Kinds of layers, and fields of kinds that there are otherwise as well."""

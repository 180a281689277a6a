"""Which instances are of operators, told by what stands in them: all else is layers that are split in halves."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.choices import ANYWHERE
from hypar_opt.instance.network_schema import KIND_SPECS, LayerSpec
from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.instance.operators.words import NONE
from hypar_opt.instance.overrides import OVERRIDES, value_of

if TYPE_CHECKING:
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
    if _has_axes(array) or (_has_dimensions(choices) and not _has_kinds(array)):
        return True
    in_halves = isinstance(array, dict) and "topology" in array
    return isinstance(network, dict) and (_is_new(network) or (not in_halves and _has_new_counts(network)))


def _has_axes(array: object) -> bool:
    return isinstance(array, dict) and "axes" in array


def _has_kinds(array: object) -> bool:
    """Return whether an array lists kinds of accelerators, between which `none` is a choice of layers in halves."""
    return isinstance(array, dict) and isinstance(array.get("accelerators"), list | tuple)


def _has_dimensions(choices: object) -> bool:
    if not isinstance(choices, list | tuple):
        return False
    names = {name for name in choices if isinstance(name, str)}
    return bool(names & DIMENSIONS) and names.isdisjoint(ANYWHERE)


def _is_new(network: Mapping[str, Any]) -> bool:
    """Return whether a network says what only one of operators can."""
    if isinstance(network.get("input"), dict) or "inputs" in network or "repeat" in network:
        return True
    return any(
        name in _NEW or (isinstance(said, dict) and said.keys() & _NEW_FIELDS.get(name, frozenset()))
        for name, said in _said(network)
    )


def _has_new_counts(network: Mapping[str, Any]) -> bool:
    """Return whether shapes and windows are of other than three and two dimensions: else faults of networks in halves.

    An array that says its topology is split in halves, and what has other counts there is told so.
    """
    return _is_listed(network.get("input"), _NEW_RANKS) or any(
        isinstance(said, dict) and _is_listed(said.get(field), counts)
        for name, said in _said(network)
        for field, counts in _NEW_COUNTS.get(name, {}).items()
    )


def _said(network: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of all layers that are any."""
    layers = network.get("layers")
    for layer in layers if isinstance(layers, list | tuple) else ():
        if isinstance(layer, dict):
            yield from layer.items()


def _is_listed(value: object, counts: Container[int]) -> bool:
    """Return whether a value is a list of integers, of one of some lengths."""
    return isinstance(value, list | tuple) and len(value) in counts and all(type(one) is int for one in value)


_NEW = frozenset((*KINDS, "repeat", "shared")) - frozenset(LayerSpec.model_fields)
_NEW_FIELDS = {
    name: frozenset(KINDS[name].spec.model_fields) - frozenset(spec.model_fields)
    for name, spec in KIND_SPECS.items()
    if name in KINDS
}
"""Kinds of layers, and fields of kinds that there are otherwise as well."""
_NEW_RANKS: Final = (2, 4)
"""How many sizes a list has that is the shape of an input of operators alone."""
_NEW_COUNTS: Final[Mapping[str, Mapping[str, Container[int]]]] = {
    kind: {"kernel": (1, 3), "stride": (1, 3), "dilation": (1, 3), "pad": (1, 3, 4, 6)} for kind in ("conv", "pool")
}
"""How many numbers a list has that says something of windows along one or three dimensions, or of four sides."""

"""What stays in the memory of the leaves of every class."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed.boxes import Division, HalfCut, Number, left_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.network import WorkLayer, Workload


def resident(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> tuple[Mapping[str, Number], ...]:
    """Return the bytes of every layer, by class of leaves: W, dW, what the optimiser keeps, and F[l] until backward.

    Joins keep nothing; what only passes through (errors, partial sums, chunks) is not counted.
    """
    division = Division(setting, shares)
    return tuple(
        {layer.name: kept(layer, strategies[layer.name], division.cuts(one.path), setting) for layer in work.layers}
        for one in setting.array.classes
    )


def kept(layer: WorkLayer, word: str, cuts: Sequence[HalfCut], setting: MixedSetting) -> Number:
    """Return the bytes of one layer that the halves of a path leave to one leaf."""
    if layer.is_join:
        return Fraction(0)
    weights = left_of(layer, word, "weight", cuts) * layer.weight * (2 + setting.optimiser.states)
    read = left_of(layer, word, "read", cuts) * layer.feature_in * setting.batch
    return (weights + read) * setting.bytes_per_element

"""What stays in the memory of the leaves of every class."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.mixed.boxes import Number
from hypar_opt.evaluation.mixed.division import Division

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Path
    from hypar_opt.instance.network import WorkLayer, Workload


def resident(
    work: Workload, strategies: Mapping[str, str], shares: Mapping[str, Number], setting: MixedSetting
) -> tuple[Mapping[str, Number], ...]:
    """Return the bytes of every layer, by class of leaves: W, dW, what the optimiser keeps, and F[l] until backward.

    Joins keep nothing; what only passes through (errors, partial sums, chunks) is not counted.
    """
    division = Division(setting, shares)
    return tuple(
        {layer.name: kept(layer, strategies[layer.name], one.path, division) for layer in work.layers}
        for one in setting.array.classes
    )


def kept(layer: WorkLayer, word: str, path: Path, division: Division) -> Number:
    """Return the bytes of one layer that the halves of a path leave to the last of them."""
    if layer.is_join:
        return Fraction(0)
    setting = division.setting
    weights = division.left(layer, word, "weight")[path] * layer.weight * (2 + setting.optimiser.states)
    read = division.left(layer, word, "read")[path] * layer.feature_in * setting.batch
    return (weights + read) * setting.bytes_per_element

"""Shares that every layer has of its own, on a grid: whether a plan has those that it may have."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.mixed.boxes import NONE
from hypar_opt.instance.shares import own_share
from hypar_opt.util.errors import did_you_mean
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.mixed.boxes import Number
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.network import WorkLayer, Workload


def too_fine(layer: WorkLayer, letter: str, setting: MixedSetting, grid: int) -> str | None:
    """Return why a letter cannot cut a layer at shares of a grid, as the rest of a sentence about it, or None."""
    split = halving_of(layer, letter).splits
    if split is None:
        return None
    size = {
        "batch": setting.batch,
        "input": min(layer.in_sizes),
        "output": min(layer.out_sizes),
        "groups": layer.groups,
    }[split]
    if size >= grid:
        return None
    return f"'{letter}' splits its {split}, {size:,} at most, and so not into {grid:,} parts"


def own_share_fault(
    work: Workload,
    strategies: Mapping[str, str],
    shares: Mapping[str, Number],
    setting: MixedSetting,
    grid: int,
) -> str | None:
    """Return which layer lacks a share, or has one that it may not have, or None.

    A layer has one of every split of a level at which it is cut, and no other.

    Parameters
    ----------
    strategies
        By layer, a word with a letter for every level.
    shares
        By layer and split, as `own_share` calls them, what the first half gets.
    """
    levels = dict(zip(setting.array.splits, setting.array.split_levels, strict=True))
    cut = {
        own_share(layer.name, split): (layer, strategies[layer.name][level])
        for layer in work.layers
        for split, level in levels.items()
        if strategies[layer.name][level] != NONE
    }
    unknown = next((name for name in shares if name not in cut), None)
    if unknown is not None:
        return f"the plan has a share '{unknown}', and no layer is cut by it{did_you_mean(unknown, cut)}"
    for name, (layer, letter) in cut.items():
        if name not in shares:
            return f"the plan has no share '{name}'"
        if not 0 < shares[name] < 1:
            return f"'{name}' has share {in_full(shares[name])}, expected a number between 0 and 1, both left out"
        if Fraction(shares[name] * grid).denominator != 1:
            return f"'{name}' has share {in_full(shares[name])}, expected so many of {grid:,} equal parts"
        why = too_fine(layer, letter, setting, grid)
        if why is not None:
            return f"layer '{layer.name}' has '{strategies[layer.name]}', and {why}"
    return None

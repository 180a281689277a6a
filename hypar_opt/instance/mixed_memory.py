"""Whether the weights of every layer fit into the memories of several kinds of accelerators, at the least."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.instance.choices import IDLING, LayerTensor, choices_of, letters_of
from hypar_opt.instance.mixed_shares import shares_of
from hypar_opt.instance.shares import ExactShares, GridShares, WholeShares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware.mixed import Half, LeafClass, MixedArray
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.shares import Shares
    from hypar_opt.instance.text import FieldPath


def mixed_capacity_fault(
    spec: InstanceSpec, mixed: MixedArray, layers: Sequence[WorkLayer]
) -> tuple[FieldPath, str] | None:
    """Return which kind cannot hold what it has of a layer's weights however they are split, or None.

    That is a bound: of every level it takes the letter that leaves the least, and of a share to be decided the least.
    """
    shares = shares_of(spec.cost.shares, mixed.splits)
    for one in mixed.classes:
        capacity = mixed.kinds[one.kind].accelerator.capacity
        kept = {layer.name: _least(layer, one, spec, mixed, shares) for layer in layers}
        worst = max(kept, key=lambda name: kept[name])
        if capacity is not None and kept[worst] > capacity:
            message = (
                f"expected at least {float(kept[worst]):,.0f} bytes, which the weights of '{worst}' alone take on "
                f"{one.name} however they are split, got {float(capacity):,.0f}"
            )
            return ("array", "accelerators", one.kind, "accelerator", "memory", "capacity"), message
    return _together(spec, mixed, layers)


def _together(spec: InstanceSpec, mixed: MixedArray, layers: Sequence[WorkLayer]) -> tuple[FieldPath, str] | None:
    """Return that all memories together do not hold a layer's weights once, or None."""
    capacities = [(mixed.kinds[one.kind].accelerator.capacity, one.count) for one in mixed.classes]
    room = sum((each * count for each, count in capacities if each is not None), start=Fraction(0))
    worst = max(layers, key=lambda layer: layer.weight)
    needed = worst.weight * spec.cost.bytes_per_element
    if needed <= room or any(each is None for each, _ in capacities):
        return None
    alone = f"expected memory for {needed:,} bytes, the weights of '{worst.name}' alone"
    message = f"{alone}, got {float(room):,.0f} in all"
    return ("array", "accelerators"), message


def _least(layer: WorkLayer, one: LeafClass, spec: InstanceSpec, mixed: MixedArray, shares: Shares) -> Fraction:
    """Return the bytes of a layer's weights on an accelerator at the least."""
    found = Fraction(layer.weight * spec.cost.bytes_per_element)
    for level, half in enumerate(one.path):
        letters = [one for one in letters_of(layer, spec.cost.letters) if one not in IDLING or mixed.may_idle[level]]
        found *= min((_part(layer, letter, half, mixed, shares) for letter in letters), default=Fraction(1))
    return found


def _part(layer: WorkLayer, letter: str, half: Half, mixed: MixedArray, shares: Shares) -> Fraction:
    """Return what a half has of its group's weights where a level has a letter."""
    if letter in IDLING:
        busy = half.split is not None and mixed.busy_side(half.split) == half.side
        return Fraction(int(busy))
    if not choices_of(layer)[letter].halves(LayerTensor.WEIGHT):
        return Fraction(1)
    if half.split is None:
        return Fraction(1, 2)
    if isinstance(shares, ExactShares):
        return Fraction(0)
    if isinstance(shares, WholeShares):
        return Fraction(1, shares.parts)
    if isinstance(shares, GridShares):
        return Fraction(1, shares.grid)
    first = shares.first[half.split]
    return 1 - first if half.side else first

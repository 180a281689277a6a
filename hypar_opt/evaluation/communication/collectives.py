"""What a program's collectives bring to the leaves at a boundary, piece by piece: who has what, and who is sent what.

A leaf has a bit for every level. Where a level splits a tensor's batch, or its channels, the leaf holds the elements
whose index has its own bit there: its part is a set of such demands, and of two parts what is in both meets the demands
of both, if no two contradict each other. A conversion goes from placement to placement: slices, which a leaf cuts from
what it holds; a reduce-scatter, in which each adds up its own part of what the others summed; one all-to-all; an
all-gather. In each a leaf is sent what it shall hold and another one does, by each leaf that differs from it on no
other levels than those that change.

Leaves are alike, since flipping a bit of all of them and of the indices changes nothing: what is sent to the first one
stands for all.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.choices import Box, Halving, Operand

Placed: TypeAlias = Literal["batch", "channel", "whole", "partial"]
"""How a tensor lies on both sides of a level: the dimension that is cut, or all of it on each, perhaps to be summed."""
Leaf: TypeAlias = "Sequence[int]"
"""A bit a level."""
SHARDS: Final[Mapping[Box, Placed]] = MappingProxyType({(1, 0): "batch", (0, 1): "channel"})
"""By how a level halves a tensor along batch and channels."""


def placed(halvings: Sequence[Halving], operand: Literal["read", "written"]) -> tuple[Placed, ...]:
    """Return how a layer leaves a tensor: E[l] of what it reads, F[l+1] of what it writes."""
    rest: dict[bool, Placed] = {True: "partial", False: "whole"}
    return tuple(SHARDS.get(getattr(one, operand), rest[one.summed == operand]) for one in halvings)


def needed(halvings: Sequence[Halving], operand: Operand) -> tuple[Placed, ...]:
    """Return how a layer needs a tensor: F[l] of what it reads, E[l+1] of what it writes."""
    return tuple(SHARDS.get(getattr(one, operand), "whole") for one in halvings)


def received(left: Sequence[Placed], needs: Sequence[Placed]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the shares of a tensor that all leaves together are sent, by stage and level.

    Parameters
    ----------
    left, needs
        By level.

    Returns
    -------
    tuple
        Of the reduce-scatter, the all-to-all and the all-gather: what comes from leaves that first differ at a level.
    """
    pairs = list(zip(left, needs, strict=True))
    sliced = [need if has == "whole" else has for has, need in pairs]
    scattered: list[Placed] = [
        ("batch" if need == "whole" else need) if has == "partial" else has
        for has, need in zip(sliced, needs, strict=True)
    ]
    exchanged = [has if need == "whole" else need for has, need in zip(scattered, needs, strict=True)]
    return tuple(_sent(before, after) for before, after in pairwise((sliced, scattered, exchanged, list(needs))))


def _sent(before: Sequence[Placed], after: Sequence[Placed]) -> tuple[Fraction, ...]:
    """Return what all leaves are sent when the placement changes, by the topmost level where sender and leaf differ."""
    levels = len(before)
    found = [Fraction(0)] * levels
    own = _part(after, (0,) * levels)
    sides = [(0, 1) if was != becomes else (0,) for was, becomes in zip(before, after, strict=True)]
    for other in product(*sides):
        if any(other):
            found[other.index(1)] += 2**levels * _in_both(_part(before, other), own)
    return tuple(found)


def _part(placement: Sequence[Placed], leaf: Leaf) -> dict[tuple[Placed, int], int]:
    """Return what an element's index has to be for a leaf to hold it: by dimension and level, a bit."""
    return {(one, h): leaf[h] for h, one in enumerate(placement) if one in ("batch", "channel")}


def _in_both(one: Mapping[tuple[Placed, int], int], other: Mapping[tuple[Placed, int], int]) -> Fraction:
    """Return the share of the tensor that two parts have in common."""
    if any(other.get(demand, bit) != bit for demand, bit in one.items()):
        return Fraction(0)
    return Fraction(1, 2 ** len(one.keys() | other.keys()))

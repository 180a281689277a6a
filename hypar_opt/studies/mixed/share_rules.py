"""Rules that give every split a share: none of them looks for the least time, or only for that of some words."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.mixed import quadratics
from hypar_opt.instance.shares import EQUAL, GivenShares, WholeShares
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.evaluation.mixed import MixedSetting, Quadratics
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import Workload
    from hypar_opt.instance.shares import Shares


@dataclass(frozen=True, eq=False)
class OpenShare:
    """The share of one split, of words and the other shares.

    Parameters
    ----------
    work, words, shares, setting
        Of the plan.
    split
        Whose share is looked for.
    allowed
        What it may be.
    """

    work: Workload
    words: Mapping[str, str]
    shares: Mapping[str, Fraction]
    setting: MixedSetting
    split: str
    allowed: Sequence[Fraction]

    def least(self, cost: Callable[[Quadratics, Fraction], Fraction]) -> Fraction:
        """Return the allowed share at which a cost is least, told how waits depend on the share."""
        if len(self.allowed) == 1:
            return self.allowed[0]
        rows = quadratics(self.work, self.words, self.shares, self.setting, self.split)
        return min(self.allowed, key=lambda share: cost(rows, share))


ShareRule: TypeAlias = "Callable[[OpenShare], Fraction]"
"""Returns an allowed share."""


def allowed_shares(told: Shares, splits: Sequence[str]) -> dict[str, tuple[Fraction, ...]]:
    """Return the shares that every split may have, in rising order.

    Raises
    ------
    Refusal
        If they may be any numbers.
    """
    if isinstance(told, GivenShares):
        return {name: (share,) for name, share in zip(splits, told.first, strict=True)}
    if isinstance(told, WholeShares):
        each = tuple(Fraction(k, told.parts) for k in range(1, told.parts))
        return dict.fromkeys(splits, each)
    raise Refusal("shares are compared as so many of equal parts; try --shares parts=512")


def nearest(share: Fraction, allowed: Sequence[Fraction]) -> Fraction:
    """Return the allowed share nearest to one; of two the smaller."""
    return min(allowed, key=lambda one: abs(one - share))


def equal_shares(array: MixedArray, allowed: Mapping[str, Sequence[Fraction]]) -> dict[str, Fraction]:
    """Return halves, or what is next to these."""
    return {name: nearest(EQUAL, allowed[name]) for name in array.splits}


def shares_by_rate(array: MixedArray, allowed: Mapping[str, Sequence[Fraction]]) -> dict[str, Fraction]:
    """Return shares in proportion to how fast the halves of every split compute."""
    found = {}
    for name, level in zip(array.splits, array.split_levels, strict=True):
        size = array.partition.leaves // array.partition.groups(level)
        first = int(name, 2) * size if level else 0
        paces = [array.kinds[array.partition.accelerator(leaf)].accelerator.pace for leaf in range(first, first + size)]
        share = sum(paces[: size // 2], start=Fraction(0)) / sum(paces, start=Fraction(0))
        found[name] = nearest(share, allowed[name])
    return found


def balanced(one: OpenShare) -> Fraction:
    """Return the share at which both halves of a split need as long, or most nearly so; whoever waits elsewhere."""
    sides = _sides(one.setting.array, one.split)

    def apart(rows: Quadratics, share: Fraction) -> Fraction:
        total = [sum((row[place].at(share) for row in rows), start=Fraction(0)) for place in range(len(rows[0]))]
        first, second = (max(total[place] for place in side) for side in sides)
        return abs(first - second)

    return one.least(apart)


def least(one: OpenShare) -> Fraction:
    """Return the share at which a step of these words takes least."""
    return one.least(step_at)


def step_at(rows: Quadratics, share: Fraction) -> Fraction:
    """Return what a step takes at a share."""
    return sum((max(one.at(share) for one in row) for row in rows), start=Fraction(0))


def _sides(array: MixedArray, split: str) -> tuple[list[int], list[int]]:
    """Return the classes in the first half of a split, and in the second."""
    position = array.splits.index(split)
    sides: tuple[list[int], list[int]] = ([], [])
    for place, one in enumerate(array.classes):
        for half in one.path:
            if half.split == position:
                sides[half.side].append(place)
    return sides

"""Boxes of shares: what is left to be searched, split by split."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from hypar_opt.instance.shares import ExactShares, GivenShares, GridShares, WholeShares

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.cost.mixed.model import Shares
    from hypar_opt.instance.hardware.mixed import LeafClass
    from hypar_opt.instance.shares import Shares as FirstShares


@dataclass(frozen=True)
class ShareBox:
    """Shares between two ends: each a multiple of one over so many parts, or any.

    Parameters
    ----------
    low, high
        By split.
    parts
        None where shares are given, so that the ends are the same, or may be any.
    """

    low: Shares
    high: Shares
    parts: int | None = None

    @classmethod
    def of(cls, shares: FirstShares, splits: int, batch: int) -> ShareBox:
        """Return the box of all shares that an instance allows."""
        match shares:
            case GivenShares(first):
                return cls(first, first)
            case WholeShares(parts):
                step = Fraction(1, parts)
                return cls((step,) * splits, (1 - step,) * splits, parts)
            case ExactShares():
                low, high = shares.ends(batch)
                return cls((low,) * splits, (high,) * splits)
            case GridShares():  # they are decided with the words
                return cls((), ())

    @property
    def width(self) -> Fraction:
        """How far its ends are apart, where it is widest."""
        return max((high - low for low, high in zip(self.low, self.high, strict=True)), default=Fraction(0))

    @property
    def is_point(self) -> bool:
        """Whether there is one vector of shares in it."""
        return self.low == self.high

    @cached_property
    def corners(self) -> tuple[Shares, ...]:
        """The vectors of ends."""
        ends = (dict.fromkeys(pair) for pair in zip(self.low, self.high, strict=True))
        return tuple(product(*ends))

    def halves(self) -> Iterator[ShareBox]:
        """Yield two boxes that have all its shares between them, cut where it is widest."""
        widths = [high - low for low, high in zip(self.low, self.high, strict=True)]
        widest = widths.index(max(widths))
        if self.parts is None:
            middle = _short((self.low[widest] + self.high[widest]) / 2, widths[widest] / 8)
            after = middle
        else:
            middle = Fraction(int((self.low[widest] + self.high[widest]) * self.parts) // 2, self.parts)
            after = middle + Fraction(1, self.parts)
        yield ShareBox(self.low, _with(self.high, widest, middle), self.parts)
        yield ShareBox(_with(self.low, widest, after), self.high, self.parts)

    def least_of(self, one: LeafClass) -> Shares:
        """Return the corner at which a class of leaves gets least of everything."""
        sides = {half.split: half.side for half in one.path if half.split is not None}
        return tuple(
            high if sides.get(split) == 1 else low
            for split, (low, high) in enumerate(zip(self.low, self.high, strict=True))
        )


def _short(share: Fraction, near: Fraction) -> Fraction:
    """Return a number with few binary digits that is near a share: what costs are multiplied by grows with them."""
    parts = 2
    while Fraction(1, parts) > near:
        parts *= 2
    return Fraction(round(share * parts), parts)


def _with(shares: Shares, split: int, share: Fraction) -> Shares:
    return (*shares[:split], share, *shares[split + 1 :])

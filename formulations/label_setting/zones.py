"""What known points of a front leave open, and how much better than they are anything there can be.

Zone u is what is below u in every criterion. Points split the whole space into zones, which together hold what no
point is at or below (Klamroth, Lacour and Vanderpooten, EJOR 245, 2015). Where w . v >= b is proven for all plans v,
with w >= 0 and b > 0, a plan in zone u that is still there if multiplied by 1 + e has b <= w . v < w . u / (1 + e). So

    e = max over zones u of (min over the proven sums of w . u / b) - 1,

or 0 if that is larger, is a share such that for every plan some point is by no criterion more than 1 + e times as
much: what is proven of a front that was cut short.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Corner: TypeAlias = "tuple[int | float, ...]"
"""By criterion: what is below it is in the zone; infinite where there is no such limit."""


@dataclass(frozen=True)
class LeastSum:
    """A weighted sum of criteria that no plan is below.

    Parameters
    ----------
    weights
        By criterion, none negative.
    least
        The bound.
    """

    weights: tuple[int, ...]
    least: int

    def ratio(self, corner: Corner) -> Fraction | None:
        """Return how many times as much the sum is at a corner: 1 if the zone is empty, None if nothing is known."""
        if any(weight and bound == inf for weight, bound in zip(self.weights, corner, strict=True)):
            return None
        total = sum(weight * int(bound) for weight, bound in zip(self.weights, corner, strict=True) if weight)
        if total <= self.least:
            return Fraction(1)
        return Fraction(total, self.least) if self.least > 0 else None


def everywhere(criteria: int) -> Corner:
    """Return the zone of everything."""
    return (inf,) * criteria


def open_zones(points: Iterable[Corner], criteria: int) -> list[Corner]:
    """Return the zones that points leave."""
    zones = [everywhere(criteria)]
    for point in points:
        zones = split(zones, point, [])
    return zones


def excess_of(corner: Corner, sums: Sequence[LeastSum]) -> Fraction | None:
    """Return by which share the points may be worse than what is in a zone; None where nothing is proven."""
    ratios = [ratio for one in sums if (ratio := one.ratio(corner)) is not None]
    return max(min(ratios) - 1, Fraction(0)) if ratios else None


def most_excess(zones: Iterable[Corner], sums: Sequence[LeastSum]) -> Fraction | None:
    """Return the largest share of several zones, 0 of none; None where nothing is proven of one."""
    found = [excess_of(zone, sums) for zone in zones]
    known = [one for one in found if one is not None]
    return max(known, default=Fraction(0)) if len(known) == len(found) else None


def split(zones: Sequence[Corner], point: Corner, empty: Sequence[Corner]) -> list[Corner]:
    """Return the zones without what is at or above a point, those within others or within empty ones left out."""
    kept = [corner for corner in zones if not _inside(point, corner)]
    parts = [
        (*corner[:j], value, *corner[j + 1 :])
        for corner in zones
        if _inside(point, corner)
        for j, value in enumerate(point)
    ]
    for i, part in enumerate(parts):
        others = [*kept, *empty, *parts[i + 1 :]]
        if not any(all(a <= b for a, b in zip(part, other, strict=True)) for other in others):
            kept.append(part)
    return kept


def _inside(point: Corner, corner: Corner) -> bool:
    return all(value < bound for value, bound in zip(point, corner, strict=True))

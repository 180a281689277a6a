"""Boxes below local upper bounds, searched and split until all are empty.

Zone u is what is below u in every criterion. The least sum of the criteria over a zone is a point of the front: what
dominates it would be in the zone too, with a smaller sum. A new point z splits each zone u that it lies in, into one
part a criterion j, u with z_j for u_j, so that the zones go on to hold all that no point is at or below (Klamroth,
Lacour and Vanderpooten, EJOR 245, 2015). A part within another zone, or within one that was found empty, is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.formulation.solution import FrontPoint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.fronts.model import FrontModel
    from hypar_opt.formulation.run import Run

Corner: TypeAlias = tuple[int, ...]
"""By criterion, in its own unit: what is below it is in the zone."""


@dataclass(frozen=True)
class Zone:
    """The sum of the criteria, each in its own unit, over one zone."""

    model: FrontModel
    corner: Corner

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether an assignment is allowed and in the zone."""
        inside = zip(self.model.scaled_values(choices), self.corner, strict=True)
        return self.model.graphs[0].feasible(choices) and all(value < bound for value, bound in inside)

    def value(self, choices: Sequence[int], /) -> int:
        """Return the sum."""
        return sum(self.model.scaled_values(choices))


def points(model: FrontModel, run: Run) -> Iterator[FrontPoint]:
    """Yield every point of the front, in no order.

    Raises
    ------
    Stopped
        If a limit is hit.
    """
    zones: list[Corner] = [tuple(sum(one.numbers) + 1 for one in model.criteria)]
    empty: list[Corner] = []
    while zones:
        corner = zones.pop()
        choices = _least_sum(model, corner, run)
        if choices is None:
            empty.append(corner)
            continue
        yield FrontPoint(model.values(choices), choices)
        zones = split([*zones, corner], model.scaled_values(choices), empty)


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


def _least_sum(model: FrontModel, corner: Corner, run: Run) -> tuple[int, ...] | None:
    copy = model.copy()
    for total, bound in zip(model.sums, corner, strict=True):
        copy.built.model.add(total <= bound - 1)
    copy.built.model.minimize(sum(model.sums))
    return copy.searched(Zone(model, corner), run).choices

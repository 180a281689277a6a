"""Zones below local upper bounds, searched and split until all are empty.

The least sum of the criteria over a zone is a point of the front: what dominates it would be in the zone too, with a
smaller sum. A new point z splits each zone u that it lies in, into one part a criterion j, u with z_j for u_j, so that
the zones go on to hold all that no point is at or below (`formulations.label_setting.zones`). A part within another
zone, or within one that was found empty, is not needed. The points that weighted sums find before split the whole
space first; then the zone is searched in which the most is still possible.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

from formulations.fronts.asking import Zone, ZoneAnswers
from formulations.label_setting.zones import Corner, everywhere, excess_of, most_excess, split
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import FrontPoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from fractions import Fraction

    from formulations.fronts.asking import Found
    from formulations.fronts.model import FrontModel
    from formulations.label_setting.zones import LeastSum


@dataclass
class ZoneSearch:
    """The zones that are left.

    Parameters
    ----------
    model
        The criteria.
    sums
        What is proven of weighted sums.
    zones, empty
        Those to be searched, and those without a plan; in the criteria's own units.
    """

    model: FrontModel
    sums: Sequence[LeastSum] = ()
    zones: list[Corner] = field(init=False)
    empty: list[Corner] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.zones = [everywhere(len(self.model.graphs))]

    def add(self, choices: Sequence[int]) -> None:
        """Split the zones at a point of the front."""
        self.zones = split(self.zones, self.model.scaled_values(choices), self.empty)

    def points(self, run: Run) -> Iterator[FrontPoint]:
        """Yield every further point of the front, in no order.

        Raises
        ------
        Stopped
            If a limit is hit; the zones that are left are then those that may have further points.
        """
        answers = ZoneAnswers(self.model, run, self._next)
        try:
            while (corner := self._next()) is not None:
                yield from self._take(corner, answers.of(corner))
        except Stopped:  # what others have found by now is not lost
            for corner, choices in answers.known.items():
                yield from self._take(corner, choices)
            raise
        else:
            answers.end()
        finally:
            answers.leave()

    def _take(self, corner: Corner, choices: Found) -> Iterator[FrontPoint]:
        """Go on with what is found in a zone; yield it if no point was known that is as good."""
        if choices is None:
            self.zones = [zone for zone in self.zones if zone != corner]
            self.empty.append(corner)
        elif any(Zone(self.model, zone).feasible(choices) for zone in self.zones):
            yield FrontPoint(self.model.values(choices), choices)
            self.add(choices)

    def _next(self, but: Collection[Corner] = ()) -> Corner | None:
        """Return the zone in which the most is still possible, of those that are not left out."""
        return max((corner for corner in self.zones if corner not in but), key=self._open, default=None)

    def _open(self, corner: Corner) -> Fraction | float:
        excess = excess_of(self._in_values(corner), self.sums)
        return inf if excess is None else excess

    @property
    def excess(self) -> Fraction | None:
        """By which share the points may be worse than any plan; None if nothing is proven."""
        return most_excess(map(self._in_values, self.zones), self.sums)

    def _in_values(self, corner: Corner) -> Corner:
        """Return a corner in the units of the criteria's values."""
        return tuple(
            bound if bound == inf else one.unit * int(bound) + one.constant
            for one, bound in zip(self.model.criteria, corner, strict=True)
        )

"""f(C): the best sites for the bytes of every level, asked of an exact formulation of placements."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import gcd
from typing import TYPE_CHECKING

from formulations.placement.symmetry import descending, exchanged, inverse
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.formulation.run import Limits


@dataclass(frozen=True)
class Placed:
    """What is known of the best sites for some volumes.

    Parameters
    ----------
    bound
        No placement costs less.
    placed
        The best one found, or None.
    proven
        Whether it costs the bound.
    """

    bound: int
    placed: tuple[int, ...] | None
    proven: bool


@dataclass(frozen=True)
class Placements:
    """A function from volumes to sites, which remembers.

    The levels of f's argument can be exchanged and f(t C) = t f(C), so that volumes are asked for in descending
    order, without their common divisor.

    Parameters
    ----------
    graph
        The problem.
    limits
        Of the run.
    formulation
        An exact one of placements.
    """

    graph: JointGraph
    limits: Limits
    formulation: Formulation
    _known: dict[tuple[int, ...], Placed] = field(default_factory=dict, repr=False)

    @property
    def known(self) -> Mapping[tuple[int, ...], Placed]:
        """What was asked so far, by volumes in descending order."""
        return self._known

    def best(self, volumes: Sequence[int]) -> Placed:
        """Return the best sites for volumes, or what a limit left of the search."""
        order = descending(volumes)
        divisor = gcd(*volumes) or 1
        key = tuple(volumes[h] // divisor for h in order)
        if key not in self._known:
            self._known[key] = self._solved(key)
        found = self._known[key]
        if found.placed is None:
            return Placed(found.bound * divisor, None, False)
        return Placed(found.bound * divisor, exchanged(found.placed, inverse(order)), found.proven)

    def _solved(self, volumes: tuple[int, ...]) -> Placed:
        run = Run(self.formulation.name, self.limits)
        solution = self.formulation.solve(self.graph.placing(volumes), run)
        return Placed(max(0, solution.bound or 0), solution.choices, solution.status is Status.OPTIMAL)

"""Rows of ones for what a solver's tolerances cannot tell: values that together exceed a room, or were all seen.

A solver that computes in floating point is given rows of a capacity in small numbers, rounded down, so that every plan
within the capacity keeps them (`relaxed`). A plan that keeps the small row and exceeds the room is found out in
exact integers, and cut off by a cover (Balas, Facets of the knapsack polytope, 1975), in which all numbers are 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ROOM = 2**20
"""What the rows that solvers are given sum up to; times a tolerance of 1e-9 that is far below 1/2."""


@dataclass(frozen=True)
class CapacityRow:
    """A capacity: the sum of usages of the chosen values is at most a limit.

    Parameters
    ----------
    name
        The capacity's.
    usages
        By variable and position among its allowed values; the variable's least usage is taken off.
    limit
        What is then left of the limit, in the usages' common unit.
    """

    name: str
    usages: Mapping[tuple[int, int], int]
    limit: int

    def used(self, positions: Sequence[int]) -> int:
        """Return the sum of what the values at one position of every variable use."""
        return sum(self.usages.get(pair, 0) for pair in enumerate(positions))

    def relaxed(self) -> CapacityRow:
        """Return a row of numbers up to ROOM + 1 that all choices within the limit keep; the same where it is as small.

        A usage beyond the limit stays beyond it; the others are rounded down.
        """
        if self.limit <= ROOM:
            usages = {pair: min(use, self.limit + 1) for pair, use in self.usages.items()}
            return CapacityRow(self.name, usages, self.limit)
        usages = {
            pair: use * ROOM // self.limit if use <= self.limit else ROOM + 1 for pair, use in self.usages.items()
        }
        return CapacityRow(self.name, {pair: use for pair, use in usages.items() if use}, ROOM)

    def cover(self, positions: Sequence[int]) -> CapacityRow:
        """Return a row of ones that choices beyond the limit break: not all of their largest usages, or larger ones."""
        own = [self.usages.get(pair, 0) for pair in enumerate(positions)]
        least = {variable: own[variable] for variable in beyond(own, self.limit)}
        ones = {(v, i): 1 for (v, i), use in self.usages.items() if v in least and use >= least[v]}
        return CapacityRow(self.name, ones, len(least) - 1)


def beyond(uses: Sequence[int], limit: int) -> list[int]:
    """Return where the largest of some numbers stand, so many that together they just exceed a limit."""
    found, total = [], 0
    for place in sorted(range(len(uses)), key=lambda one: -uses[one]):
        if total > limit:
            break
        found.append(place)
        total += uses[place]
    return found


def all_but(positions: Sequence[int]) -> CapacityRow:
    """Return the row that all choices keep but these."""
    return CapacityRow("seen", dict.fromkeys(enumerate(positions), 1), len(positions) - 1)

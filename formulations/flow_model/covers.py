"""Rows of ones for what a solver's tolerances cannot tell: values that together exceed a room, or were all seen.

A solver that computes in floating point is given rows of a capacity in small numbers, rounded down, so that every plan
within the capacity keeps them (`relaxed`). A plan that keeps the small row and exceeds the room is found out in
exact integers, and cut off by a cover (Balas, Facets of the knapsack polytope, 1975), in which all numbers are 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import EdgeCost

Pair: TypeAlias = tuple[int, int]
"""The two variables of an edge."""
K = TypeVar("K")
V = TypeVar("V")

ROOM = 2**20
"""What the rows that solvers are given sum up to; times a tolerance of 1e-9 that is far below 1/2."""


@dataclass(frozen=True)
class PairUsages:
    """What pairs of chosen values use of a capacity.

    Parameters
    ----------
    pairs
        By two variables.
    values
        By variable: its allowed values.
    unit
        Of the row.
    """

    pairs: Mapping[Pair, EdgeCost]
    values: Sequence[Sequence[int]]
    unit: int

    def of(self, positions: Sequence[int]) -> dict[Pair, int]:
        """Return what every pair uses at one position of every variable."""
        chosen = [values[i] for values, i in zip(self.values, positions, strict=True)]
        return {(a, b): use.value(chosen[a], chosen[b]) // self.unit for (a, b), use in self.pairs.items()}


@dataclass(frozen=True)
class CapacityRow:
    """A capacity: the sum of usages of the chosen values, and of the arcs between them, is at most a limit.

    Parameters
    ----------
    name
        The capacity's.
    usages
        By variable and position among its allowed values; the variable's least usage is taken off.
    limit
        What is then left of the limit, in the usages' common unit.
    arcs
        By pair of variables and arc of its network.
    between
        What the arcs of a path come to; None for a row without arcs, and for a relaxed one.
    """

    name: str
    usages: Mapping[tuple[int, int], int]
    limit: int
    arcs: Mapping[tuple[Pair, int], int] = field(default_factory=dict)
    between: PairUsages | None = None

    @property
    def most(self) -> int:
        """A number that no sum of its usages exceeds."""
        return sum(self.usages.values()) + sum(self.arcs.values())

    def used(self, positions: Sequence[int]) -> int:
        """Return the sum of what the values at one position of every variable use."""
        own = sum(self.usages.get(pair, 0) for pair in enumerate(positions))
        return own + (sum(self.between.of(positions).values()) if self.between is not None else 0)

    def terms(self, x: Sequence[Sequence[V]], flows: Mapping[Pair, Sequence[V]]) -> list[tuple[V, int]]:
        """Return a solver's variables, each with what it uses."""
        own = [(x[variable][position], use) for (variable, position), use in self.usages.items()]
        return own + [(flows[pair][arc], use) for (pair, arc), use in self.arcs.items()]

    def relaxed(self) -> CapacityRow:
        """Return a row of numbers up to ROOM + 1 that all choices within the limit keep; the same where it is as small.

        A usage beyond the limit stays beyond it; the others are rounded down.
        """
        room, limit = min(self.limit, ROOM), self.limit

        def small(uses: Mapping[K, int]) -> dict[K, int]:
            rounded = {key: use * room // limit if use <= limit else room + 1 for key, use in uses.items() if use}
            return {key: use for key, use in rounded.items() if use}

        return CapacityRow(self.name, small(self.usages), room, small(self.arcs))

    def cover(self, positions: Sequence[int]) -> CapacityRow:
        """Return a row of ones that choices beyond the limit break: not all of their largest usages, or larger ones."""
        own = [self.usages.get(pair, 0) for pair in enumerate(positions)]
        if self.arcs:
            return self._cover_of_pairs(positions, own)
        least = {variable: own[variable] for variable in beyond(own, self.limit)}
        ones = {(v, i): 1 for (v, i), use in self.usages.items() if v in least and use >= least[v]}
        return CapacityRow(self.name, ones, len(least) - 1)

    def _cover_of_pairs(self, positions: Sequence[int], own: Sequence[int]) -> CapacityRow:
        """Return a row of ones for some of the values, so few that without any one of them they keep the limit."""
        assert self.between is not None  # a relaxed row has no covers
        pairs, kept = self.between.of(positions), set(range(len(own)))

        def used(variables: set[int]) -> int:
            inside = (use for (a, b), use in pairs.items() if a in variables and b in variables)
            return sum(own[variable] for variable in variables) + sum(inside)

        for variable in sorted(kept, key=lambda one: own[one]):
            if used(kept - {variable}) > self.limit:
                kept.remove(variable)
        return CapacityRow(self.name, {(v, positions[v]): 1 for v in sorted(kept)}, len(kept) - 1)


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

"""A box of one open share closed where groups wait for every layer, so that maxima over classes stand in its tables.

A cell of a table is the maximum of what classes need, each of degree two in the share. Between two shares next to each
other at which some cell goes from one class to another, a step's time is one sum of degree two, whatever the plan: of
every such piece the plans are found than which none is at least as good at every share.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, gcd, lcm
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hypar_opt.solver.mixed.box_sums import BoxSums, TableSums, ThreeSums, coefficients, combined, least
from hypar_opt.util.errors import Refusal
from hypar_opt.util.surd import fraction_near, roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.mixed.model import WaitWeights
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Limits

MOST_SHARES: Final = 12
"""At which cells change where a box is closed at once: one with more is cut first."""
MOST_CELLS: Final = 200
"""Different cells that may change."""
Triple: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class BoxMaxima(BoxSums):
    """A box whose tables have maxima."""

    def plans(self, weights: WaitWeights, bar: Fraction | None, limits: Limits) -> list[dict[str, str]]:
        """Return plans of which one is at least as good as any better one of the box, at every share of it.

        Parameters
        ----------
        weights
            Not needed.
        bar
            What better plans take less than; None where any plan is better than none.

        Raises
        ------
        Refusal
            If there are too many, or too many shares at which cells change.
        """
        nodes, unit = self._nodes()
        places = sorted({Fraction(0), Fraction(1), *_changes(nodes)})
        if len(places) > MOST_SHARES:
            raise Refusal(f"cells change at {len(places):,} shares")
        lowest = _cell_by_cell([least(low, high) for low, _, high in nodes])
        below = [] if bar is None else [self.capacity("the best step", lowest, ceil(bar * unit) - 1)]
        found = []
        for pair in pairwise(places):
            middle = (fraction_near(pair[0]) + fraction_near(pair[1])) / 2
            if not pair[0] < middle < pair[1]:
                raise Refusal("two shares at which cells change are too close to each other")
            found += self.front([coefficients(_piece(nodes, middle))], below, limits)
        return found

    def _nodes(self) -> tuple[list[ThreeSums], int]:
        """Return by class the cells at the ends and in the middle: a layer's costs stand beside what it reads first."""
        compiled, classes = self.problem.compiled, range(len(self.problem.array.classes))
        graphs = [[compiled.class_graph(shares, one) for shares in self.nodes] for one in classes]
        unit = lcm(*(graph.objective.denominator for row in graphs for graph in row))
        made = (self.three(row, unit) for row in graphs)
        return [(self._cells(low), self._cells(middle), self._cells(high)) for low, middle, high in made], unit

    def _cells(self, sums: TableSums) -> TableSums:
        unary, edges = list(sums.unary), list(sums.edges)
        for place, edge in enumerate(self.graph.edges):
            own = unary[edge.second]
            edges[place] = edges[place] + own[None, :]
            unary[edge.second] = np.zeros_like(own)  # at the first edge alone
        return TableSums(tuple(unary), tuple(edges))


def _changes(each: Sequence[ThreeSums]) -> Iterator[Fraction]:
    """Yield the places, from 0 to 1 in the box, at which cells of two classes are the same.

    Raises
    ------
    Refusal
        If too many cells are.
    """
    apart = {triple for one, other in combinations(each, 2) for triple in _apart(one, other)}
    if len(apart) > MOST_CELLS:
        raise Refusal(f"{len(apart):,} cells change")
    for low, inner, high in apart:
        for root in roots(Fraction(low), Fraction(inner - 2 * low), Fraction(low - inner + high)):
            if 0 < root < 1:
                yield root


def _apart(one: ThreeSums, other: ThreeSums) -> Iterator[Triple]:
    """Yield the coefficients of the differences that may change their sign, without common factors."""
    rows = [combined((1, -1), pair).tables for pair in zip(coefficients(one), coefficients(other), strict=True)]
    for three in zip(*rows, strict=True):
        may = np.any([row > 0 for row in three], axis=0) & np.any([row < 0 for row in three], axis=0)
        for found in zip(*(row[may] for row in three), strict=True):
            low, inner, high = (int(one) // gcd(*map(int, found)) for one in found)
            yield low, inner, high


def _piece(each: Sequence[ThreeSums], place: Fraction) -> ThreeSums:
    """Return the sums of the classes whose cells are the largest at a place."""
    # (1 - u)^2 low + 2 u (1 - u) inner + u^2 high, with twice what is in between
    weights = (1 - place) ** 2, place * (1 - place), place**2
    unit = lcm(*(one.denominator for one in weights))
    there = [combined([int(one * unit) for one in weights], coefficients(nodes)) for nodes in each]
    largest = [np.argmax(np.stack(rows), axis=0) for rows in zip(*(one.tables for one in there), strict=True)]
    low, middle, high = (_picked(largest, sums) for sums in zip(*each, strict=True))
    return low, middle, high


def _picked(largest: Sequence[Array], each: Sequence[TableSums]) -> TableSums:
    tables = zip(largest, zip(*(one.tables for one in each), strict=True), strict=True)
    return each[0].with_tables(np.take_along_axis(np.stack(rows), which[None], axis=0)[0] for which, rows in tables)


def _cell_by_cell(each: Sequence[TableSums]) -> TableSums:
    """Return the largest of several sums, cell by cell."""
    return each[0].with_tables(np.maximum.reduce(rows) for rows in zip(*(one.tables for one in each), strict=True))

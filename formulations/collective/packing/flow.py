"""Maximum flows in whole numbers (OR-Tools)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ortools.graph.python.max_flow import SimpleMaxFlow

MOST: Final = 2**52
"""What capacities add up to at most, so that a flow is a whole number of 64 bits."""


class CapacityNetwork:
    """Arcs whose flows are asked for, from a source to a sink, each time with some more.

    Parameters
    ----------
    capacities
        By (from, to).
    """

    def __init__(self, capacities: Mapping[tuple[int, int], int]) -> None:
        kept = [(first, second, count) for (first, second), count in capacities.items() if count]
        arcs = np.array(kept, dtype=np.int64).reshape(-1, 3)
        self.tails, self.heads = arcs[:, 0].astype(np.int32), arcs[:, 1].astype(np.int32)
        self.capacities = arcs[:, 2]

    def flow(self, source: int, sink: int, more: Iterable[tuple[int, int, int]] = ()) -> int:
        """Return how much can flow.

        Parameters
        ----------
        more
            Further arcs, with capacities.
        """
        return int(self._solved(source, sink, more).optimal_flow())

    def cut(self, source: int, sink: int, more: Iterable[tuple[int, int, int]] = ()) -> tuple[int, frozenset[int]]:
        """Return how much can flow, and the nodes behind a cut that lets no more through."""
        solved = self._solved(source, sink, more)
        return int(solved.optimal_flow()), frozenset(map(int, solved.get_sink_side_min_cut()))

    def flows(self, source: int, sink: int) -> dict[tuple[int, int], int]:
        """Return a maximum flow, by (from, to)."""
        solved = self._solved(source, sink, ())
        arcs = range(solved.num_arcs())
        return {(solved.tail(arc), solved.head(arc)): solved.flow(arc) for arc in arcs if solved.flow(arc)}

    def _solved(self, source: int, sink: int, more: Iterable[tuple[int, int, int]]) -> SimpleMaxFlow:
        from ortools.graph.python.max_flow import SimpleMaxFlow

        solver = SimpleMaxFlow()
        solver.add_arcs_with_capacity(self.tails, self.heads, self.capacities)
        for first, second, count in more:
            solver.add_arc_with_capacity(first, second, count)
        status = solver.solve(source, sink)
        if status != SimpleMaxFlow.OPTIMAL:
            raise ValueError(f"no maximum flow: {status}")
        return solver

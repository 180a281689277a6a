"""The elimination order of graphs with blocks that are alike: segment by segment, of least fill within each.

What the elimination of a block leaves behind is a graph on the next one's variables and on those that wait. Once two
blocks in a row leave the same behind, all others of the run are eliminated as the last one was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.blocks import Blocks, runs_of, segments_of
from formulations.joint_dp.elimination import BYTES_PER_CELL, EliminationStep, fill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, CostGraph


@dataclass(frozen=True)
class Segment:
    """Variables that are eliminated together.

    Parameters
    ----------
    steps
        In order.
    blocks
        Where it is a block's, those that are eliminated like it, itself the first; else one of no variable.
    """

    steps: tuple[EliminationStep, ...]
    blocks: Blocks


@dataclass(frozen=True)
class SegmentOrder:
    """An elimination order of a graph with blocks.

    Parameters
    ----------
    segments
        In order.
    """

    segments: tuple[Segment, ...]

    @staticmethod
    def of(graph: CostGraph) -> SegmentOrder | None:
        """Return the order, or None where no blocks are alike, or what waits cannot be told from what moves."""
        runs = runs_of(graph)
        if not runs:
            return None
        segment, waiting = segments_of(graph, runs)
        if any(((run.first <= waiting) & (waiting < run.end + run.length)).any() for run in runs):
            return None
        return SegmentOrder(tuple(_Ordering(Neighbours.of(graph.ends), segment.tolist()).segments(runs)))

    def largest(self, sizes: Sequence[int]) -> int:
        """Return the cells of the largest table in work."""
        return max((_cells((*x.scope, x.variable), sizes) for one in self.segments for x in one.steps), default=1)

    def peak_bytes(self, graph: CostGraph) -> int:
        """Return an estimate of the memory where no two blocks' messages turn out to be alike."""
        messages = sum(one.blocks.times * _cells(x.scope, graph.sizes) for one in self.segments for x in one.steps)
        return (messages + 4 * self.largest(graph.sizes)) * BYTES_PER_CELL[graph.dtype is not object]


def _cells(scope: Sequence[int], sizes: Sequence[int]) -> int:
    found = 1
    for variable in scope:
        found *= sizes[variable]
    return found


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Who has an edge with whom, looked up for those that are asked for: of most blocks nobody asks.

    Parameters
    ----------
    ends
        Of every edge, sorted; shape (edges, 2).
    order
        The edges by their second end.
    """

    ends: Array
    order: Array

    @staticmethod
    def of(ends: Array) -> Neighbours:
        """Return it for edges that are sorted."""
        return Neighbours(ends, np.argsort(ends[:, 1], kind="stable"))

    @cached_property
    def _sorted(self) -> tuple[Array, Array]:
        return self.ends[:, 0].copy(), self.ends[self.order, 1]

    def around(self, variable: int) -> set[int]:
        """Return the variables that one shares an edge with."""
        first, second = (slice(*np.searchsorted(column, (variable, variable + 1))) for column in self._sorted)
        return {*self.ends[first, 1].tolist(), *self.ends[self.order[second], 0].tolist()}


@dataclass
class _Ordering:
    """Who is whose neighbour while segments are eliminated.

    Parameters
    ----------
    neighbours, segment
        The edges, and by variable the number of its segment.
    fills
        By variable, those with which it is in a message.
    around
        The neighbours of those that were asked for, while a segment is eliminated.
    gone
        Of the segment.
    """

    neighbours: Neighbours
    segment: Sequence[int]
    fills: dict[int, set[int]] = field(default_factory=dict)
    around: dict[int, set[int]] = field(default_factory=dict)
    gone: set[int] = field(default_factory=set)

    def segments(self, runs: Sequence[Blocks]) -> list[Segment]:
        """Eliminate everything but the blocks of which it is known how they go."""
        starts = {run.first: run for run in runs}
        found: list[Segment] = []
        numbers = iter(range(max(self.segment) + 1))
        for number in numbers:
            own = self._members(number)
            run = starts.get(own[0]) if own else None
            if run is None:
                found.append(Segment(self.eliminate(number, own), Blocks(0, 0, 1)))
            else:
                found += self._blocks(number, run)
                for _ in range(run.times - 1):
                    next(numbers)
        return found

    @cached_property
    def _by_segment(self) -> tuple[Array, Array]:
        """The variables by their segments, and those segments."""
        segment = np.array(self.segment)
        order = np.argsort(segment, kind="stable")
        return order, segment[order]

    def _members(self, number: int) -> list[int]:
        """Return the variables of a segment."""
        order, segments = self._by_segment
        members: list[int] = order[slice(*np.searchsorted(segments, (number, number + 1)))].tolist()
        return members

    def _blocks(self, number: int, run: Blocks) -> list[Segment]:
        found: list[Segment] = []
        before: frozenset[tuple[int, frozenset[int]]] | None = None
        for done in range(run.times):
            rest = run.behind(done)
            steps = self.eliminate(number + done, self._members(number + done))
            left = self._left(rest)
            if left != before:
                found.append(Segment(steps, Blocks(rest.first, run.length, 1)))
                before = left
                continue
            found.append(Segment(steps, rest))
            moved = partial(rest.shifted, number=rest.times - 1)
            self.fills = {moved(x): set(map(moved, others)) for x, others in self.fills.items()}
            break
        return found

    def _left(self, run: Blocks) -> frozenset[tuple[int, frozenset[int]]]:
        """Return in which messages a block leaves others, seen from its own beginning."""

        def seen(x: int) -> int:
            return x - run.first if run.moves(x) else -1 - x

        return frozenset((seen(x), frozenset(map(seen, others))) for x, others in self.fills.items())

    def eliminate(self, number: int, members: Sequence[int]) -> tuple[EliminationStep, ...]:
        """Eliminate a segment's variables, always one whose neighbours lack fewest edges."""
        self.gone, self.around = set(), {}
        left, steps = set(members), []
        lacking = {x: self._lacking(x, number) for x in members}
        while left:
            x = min(left, key=lambda one: (lacking[one], one))
            left.remove(x)
            scope = tuple(sorted(self._around(x, number)))
            steps.append(EliminationStep(x, scope))
            for one in scope:  # before it is gone, for it is not to be missing where they are asked for
                self._around(one, number)
            self._remove(x, scope)
            touched = {y for one in scope for y in self._around(one, number)} | set(scope)
            lacking |= {one: self._lacking(one, number) for one in touched & left}
        return tuple(steps)

    def _remove(self, variable: int, scope: Sequence[int]) -> None:
        """Take a variable out, and join its neighbours."""
        self.gone.add(variable)
        self.fills.pop(variable, None)
        for one in scope:
            others = {y for y in scope if y != one}
            self.around[one] = (self.around[one] - {variable}) | others
            self.fills[one] = (self.fills.get(one, set()) - {variable}) | others

    def _lacking(self, variable: int, number: int) -> int:
        around = self._around(variable, number)
        return fill({one: self._around(one, number) for one in around}, around)

    def _around(self, variable: int, number: int) -> set[int]:
        """Return a variable's neighbours that are still there."""
        if variable not in self.around:
            there = (x for x in self.neighbours.around(variable) if self.segment[x] >= number and x not in self.gone)
            self.around[variable] = {*there, *self.fills.get(variable, ())}
        return self.around[variable]

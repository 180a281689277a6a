"""Elimination of blocks that are alike: no longer than until what a block passes on has been seen before.

A block takes messages over its own variables and over those that wait for the end, and passes messages on to the next
block. What is added to a message whatever the block's own variables are does not change what the next block does, so
that it is taken off and kept for the end. If what is left of the messages is what an earlier block passed on, then
all further blocks repeat what has happened since, as min-plus powers of a matrix become periodic: nothing more has to
be computed, and plans are read off backwards from the blocks that were.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.folded_potentials import folded_potentials
from formulations.joint_dp.segment_tables import Bucket, EliminatedSegment, Passed
from formulations.joint_dp.tables import Arithmetic, Factor, Pair, eliminate, local
from hypar_opt.costgraph.graph import SUMMANDS

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from formulations.joint_dp.segments import Segment, SegmentOrder
    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.formulation.run import Run


@dataclass(frozen=True, eq=False)
class FoldingResult:
    """A graph solved without its capacities.

    Parameters
    ----------
    value, choices
        The least cost, and an assignment that has it.
    facts
        How large the messages were, and how many segments there were of how many that were looked at.
    folding
        How it was found.
    """

    value: int
    choices: tuple[int, ...]
    facts: Mapping[str, int]
    folding: Folding

    @staticmethod
    def of(graph: CostGraph, order: SegmentOrder, run: Run) -> FoldingResult:
        """Eliminate every variable, and decode.

        Raises
        ------
        Stopped
            If a limit is hit before.
        """
        found = Folding.of(graph, order, run)
        sizes = graph.sizes
        scopes = [step.scope for segment in order.segments for step in segment.steps]
        facts = {
            "largest_message": max((prod(sizes[x] for x in scope) for scope in scopes), default=1),
            "width": max(map(len, scopes), default=0),
            "segments": len(found.done),
            "segments_looked_at": found.looked_at,
        }
        return FoldingResult(found.base, found.choices(), facts, found)

    @property
    def potentials(self) -> Potentials:
        """The messages as dual potentials of all variables."""
        found = self.folding
        return folded_potentials((*one, place in found.parted) for place, one in enumerate(found.done))


@dataclass(eq=False)
class Folding:
    """The elimination of a graph by segments.

    Parameters
    ----------
    graph, run
        Of which, and within which limits.
    alive
        Messages that nobody has taken yet.
    base
        What every assignment costs, of what was eliminated.
    done
        The segments in order, with how many blocks further on one is that was not looked at itself.
    parted
        Places among these of blocks of which it was parted what they pass on.
    """

    graph: CostGraph
    run: Run
    alive: list[Factor] = field(default_factory=list)
    base: int = 0
    done: list[tuple[EliminatedSegment, int]] = field(default_factory=list)
    parted: set[int] = field(default_factory=set)

    @staticmethod
    def of(graph: CostGraph, order: SegmentOrder, run: Run) -> Folding:
        """Eliminate all variables.

        Raises
        ------
        Stopped
            If a limit is hit before the last variable.
        """
        found = Folding(graph, run)
        for segment in order.segments:
            if segment.blocks.times == 1:
                found.done.append((found._eliminated(segment, 0), 0))
            else:
                found._repeat(segment)
        return found

    @property
    def looked_at(self) -> int:
        """How many segments were eliminated by themselves."""
        return len({id(segment) for segment, _ in self.done})

    def choices(self) -> tuple[int, ...]:
        """Return the choices of every variable, read off backwards."""
        found = [0] * len(self.graph.variables)
        known: dict[tuple[int, tuple[int, ...]], Sequence[tuple[int, Sequence[int]]]] = {}
        for segment, number in reversed(self.done):
            there = tuple(found[segment.blocks.shifted(x, number)] for x in segment.outer)
            key = id(segment), there
            if key not in known:
                self.run.check()
                known[key] = segment.best(there)
            for first, values in known[key]:
                begin = segment.blocks.shifted(first, number)
                found[begin : begin + len(values)] = values
        return tuple(found)

    def _eliminated(self, segment: Segment, number: int) -> EliminatedSegment:
        """Eliminate a segment's variables, of a run those of the block of a number."""
        self.run.check()
        moved = partial(segment.blocks.shifted, number=number)
        steps = [(moved(step.variable), set(map(moved, step.scope))) for step in segment.steps]
        own = {x for x, _ in steps}
        tables = [one for one in self.alive if not own.isdisjoint(one.scope)]
        self.alive = [one for one in self.alive if own.isdisjoint(one.scope)]
        pairs = {x: self._pairs(x, around) for x, around in steps}
        maths = self._maths(own, tables, [pair for some in pairs.values() for pair in some])
        tables = [Factor(one.scope, one.values.astype(maths.dtype, copy=False)) for one in tables]
        buckets = []
        for x, _ in steps:
            taken = (local(self.graph, x, maths), *(one for one in tables if x in one.scope))
            tables = [one for one in tables if x not in one.scope]
            message = eliminate(x, pairs[x], taken, self.sizes, maths)
            buckets.append(Bucket(x, pairs[x], taken, message))
            if message.scope:
                tables.append(message)
            else:
                self.base += int(message.values)
        self.alive += tables
        return EliminatedSegment(tuple(buckets), segment.blocks.behind(number))

    def _pairs(self, variable: int, around: AbstractSet[int]) -> tuple[Pair, ...]:
        ends = (((variable, y) if variable < y else (y, variable)) for y in sorted(around))
        return tuple(Pair(*pair, self.graph.edge_costs[pair]) for pair in ends if pair in self.graph.edge_costs)

    @property
    def sizes(self) -> Sequence[int]:
        """Numbers of values."""
        return self.graph.sizes

    def _maths(self, own: AbstractSet[int], tables: Sequence[Factor], pairs: Sequence[Pair]) -> Arithmetic:
        """Return 64-bit arithmetic where the sums of what a segment takes fit, however large all costs together are."""
        most = sum(int(abs(one.values).max()) for one in tables) + sum(self.graph.unary_costs[x].upper for x in own)
        most += sum(pair.cost.upper for pair in pairs)
        fits = SUMMANDS * (most + 1) < 2**63
        return Arithmetic(np.int64 if fits else object, None, self.run.limits.workers)

    def _repeat(self, segment: Segment) -> None:
        """Eliminate blocks that are alike until one passes on what another has, and repeat what came between them."""
        blocks = segment.blocks
        seen: dict[Hashable, int] = {}
        looked: list[tuple[EliminatedSegment, Passed]] = []
        for number in range(blocks.times):
            block = self._eliminated(segment, number)
            constant = Factor((), np.array(self.base, dtype=object))
            passed = Passed.of([*self.alive, constant], block.blocks)
            looked.append((block, passed))
            self.alive, self.base = [], 0  # what does not go to the next block is kept for behind the last
            if passed.key in seen:
                break
            seen[passed.key] = number
            self.alive = list(passed.on)
        first = seen[passed.key] + 1
        places = [n if n < len(looked) else first + (n - first) % (len(looked) - first) for n in range(blocks.times)]
        self.parted.update(range(len(self.done), len(self.done) + len(places)))
        self.done += ((looked[place][0], number - place) for number, place in enumerate(places))
        block, passed = looked[places[-1]]
        moved = partial(block.blocks.shifted, number=blocks.times - 1 - places[-1])
        self.alive = [Factor(tuple(map(moved, one.scope)), one.values) for one in passed.on]
        self._keep((looked[place][1], times) for place, times in Counter(places).items())

    def _keep(self, passed: Iterable[tuple[Passed, int]]) -> None:
        """Add up what blocks leave to those that wait, each so many times."""
        total: dict[tuple[int, ...], Array] = {}
        for one, times in passed:
            for factor in one.kept:
                values = np.asarray(factor.values.astype(object) * times, dtype=object)
                before = total.get(factor.scope)
                total[factor.scope] = values if before is None else np.asarray(before + values, dtype=object)
        for scope, values in total.items():
            least = values.min()
            self.base += int(least)
            if scope:
                self.alive.append(Factor(scope, values - least))

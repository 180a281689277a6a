"""What plans of some words cost in a box of one open share: sums of tables, at its ends and in the middle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import gcd
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hypar_opt.costgraph import Capacity, TableUnary
from hypar_opt.formulation.protocol import Fronts
from hypar_opt.formulation.registry import defaults, load_formulation
from hypar_opt.formulation.run import Run
from hypar_opt.solver.mixed.tables import edge_table, pair_tables, table_graph, unary_table
from hypar_opt.solver.mixed.weighed import narrowed
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.cost.mixed.model import Shares
    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.mixed.weighed import Kept

MOST_PAIRS: Final = 2**15
"""Pairs of words of all boundaries together, up to which a box is looked at."""
MOST_CRITERIA: Final = 16
"""TableSums of which plans are no better than others; of more, hardly any plan is."""
LABELS: Final = 2**23
"""Bytes that the labels of a front may take: where they are more, the box is cut further first."""


@dataclass(frozen=True, eq=False)
class TableSums:
    """A sum over layers and boundaries, in whole numbers.

    Parameters
    ----------
    unary
        By layer and word.
    edges
        By boundary and pair of words.
    """

    unary: tuple[Array, ...]
    edges: tuple[Array, ...]

    @property
    def tables(self) -> tuple[Array, ...]:
        """All of them."""
        return self.unary + self.edges

    def with_tables(self, tables: Iterable[Array]) -> TableSums:
        """Return the same with other numbers."""
        found = tuple(tables)
        return TableSums(found[: len(self.unary)], found[len(self.unary) :])

    def with_unary(self, unary: Mapping[int, Array]) -> TableSums:
        """Return the same with other numbers at some layers."""
        return TableSums(tuple(unary.get(i, own) for i, own in enumerate(self.unary)), self.edges)

    @property
    def above_least(self) -> TableSums:
        """The same above the least of every table, without a common factor: what tells plans apart."""
        tables = [table - table.min() for table in self.tables]
        common = reduce(gcd, (int(np.gcd.reduce(table, axis=None)) for table in tables), 0)
        return self.with_tables(table // max(common, 1) for table in tables)

    @property
    def content(self) -> tuple[tuple[int, ...], ...]:
        """The numbers."""
        return tuple(tuple(table.ravel().tolist()) for table in self.tables)


def combined(weights: Sequence[int], sums: Sequence[TableSums]) -> TableSums:
    """Return a weighted sum of sums."""
    rows = zip(*(one.tables for one in sums), strict=True)
    return sums[0].with_tables(np.sum([w * t for w, t in zip(weights, row, strict=True)], axis=0) for row in rows)


def least(first: TableSums, second: TableSums) -> TableSums:
    """Return the least of two, table by table."""
    return first.with_tables(map(np.minimum, first.tables, second.tables))


ThreeSums: TypeAlias = tuple[TableSums, TableSums, TableSums]
"""What is of degree two in the share, at the low end of a box, in the middle and at the high end."""


def coefficients(nodes: ThreeSums) -> ThreeSums:
    """Return what is at the ends, and twice what is in between: in a box no sum of degree two is below all of them."""
    low, _, high = nodes
    return low, combined((-1, 4, -1), nodes), high


@dataclass(frozen=True, eq=False)
class BoxSums:
    """Plans of some words in a box.

    Parameters
    ----------
    problem
        Whose.
    box
        Of one open share.
    kept
        By layer, the words of any better plan.
    """

    problem: MixedCosts
    box: ShareBox
    kept: Kept

    @cached_property
    def graph(self) -> CostGraph:
        """Whose layers, boundaries and memories these are.

        Raises
        ------
        Refusal
            If the words are too many.
        """
        edges = self.problem.work.boundaries
        pairs = sum(len(self.kept[edge.producer]) * len(self.kept[edge.reader]) for edge in edges)
        if pairs > MOST_PAIRS:
            raise Refusal(f"{pairs:,} pairs of words are left")
        compiled = self.problem.compiled
        return compiled.limited(compiled.class_graph(self.box.low, 0), self.box)

    @property
    def nodes(self) -> tuple[Shares, Shares, Shares]:
        """The shares at the ends and in the middle."""
        low, high = self.box.low, self.box.high
        return low, tuple((a + b) / 2 for a, b in zip(low, high, strict=True)), high

    def three(self, graphs: Sequence[CostGraph], unit: int) -> ThreeSums:
        """Return the sums of graphs at the ends and in the middle."""
        low, middle, high = (self._sums(graph, unit) for graph in graphs)
        return low, middle, high

    def _sums(self, graph: CostGraph, unit: int) -> TableSums:
        """Return what some words cost in a graph, in units of one over `unit`."""
        edges = range(len(self.graph.edges))
        return TableSums(
            tuple(unary_table(graph, i, words, unit) for i, words in enumerate(self.kept)),
            tuple(edge_table(graph, i, self.kept, unit) for i in edges),
        )

    def capacity(self, name: str, sums: TableSums, limit: int) -> Capacity:
        """Return that plans keep a sum within a limit."""
        usages = {i: TableUnary(row) for i, row in enumerate(sums.unary)}
        return Capacity(name, limit, usages, 1, pair_tables(self.graph, sums.edges))

    def front(self, costs: Sequence[ThreeSums], bounds: Sequence[Capacity], limits: Limits) -> list[dict[str, str]]:
        """Return plans of which one is at no share above any other that keeps within the bounds.

        Parameters
        ----------
        costs
            What plans are compared by: coefficients of sums.
        bounds
            Beside the memories at the shares of the box at which plans take least.

        Raises
        ------
        Refusal
            If there are too many labels, or a limit is hit.
        """
        criteria = [*_telling_apart(costs), *self._held()] or [combined((0,), costs[0][:1])]
        if len(criteria) > MOST_CRITERIA:
            raise Refusal(f"plans differ in {len(criteria):,} sums")
        memory = tuple(narrowed(one, self.kept) for one in self.graph.capacities)
        graphs = [
            table_graph(self.graph, one.unary, one.edges).replace(capacities=(*bounds, *memory)) for one in criteria
        ]
        solver = load_formulation(defaults("front")[0])
        assert isinstance(solver, Fronts)
        run = Run(solver.name, replace(limits, memory_bytes=min(limits.memory_bytes, LABELS)))
        reason = solver.accepts_front(graphs, run)
        if reason is not None:
            raise Refusal(reason)
        found = solver.front(graphs, run)
        if not found.complete:
            raise Refusal(found.native_status)
        return [self._strategies(point.choices) for point in found.points]

    def _held(self) -> Iterator[TableSums]:
        """Yield what classes keep at both ends, where that is not within their memory whatever the words are."""
        compiled = self.problem.compiled
        for one in range(len(self.problem.array.classes)):
            ends = [compiled.memory(shares, one) for shares in (self.box.low, self.box.high)]
            found = [end for end in ends if end is not None]
            if any(_most(end, self.kept) > end.limit for end in found):
                for end in found:
                    usages = {i: usage.dense(object)[self.kept[i]] for i, usage in end.usages.items()}
                    yield self._blank.with_unary(usages).above_least

    @property
    def _blank(self) -> TableSums:
        pairs = ((len(self.kept[edge.first]), len(self.kept[edge.second])) for edge in self.graph.edges)
        return TableSums(
            tuple(np.zeros(len(words), dtype=object) for words in self.kept),
            tuple(np.zeros(shape, dtype=object) for shape in pairs),
        )

    def _strategies(self, choices: Sequence[int]) -> dict[str, str]:
        chosen = [int(words[choice]) for words, choice in zip(self.kept, choices, strict=True)]
        return self.problem.strategies(chosen)


def _telling_apart(costs: Sequence[ThreeSums]) -> Iterator[TableSums]:
    """Yield each coefficient once, none that is the same for all plans or half-way between two others."""
    seen = set()
    for low, inner, high in costs:
        is_line = inner.content == combined((1, 1), (low, high)).content
        for one in (low, high) if is_line else (low, inner, high):
            apart = one.above_least
            content = apart.content
            if content not in seen and any(map(any, content)):
                seen.add(content)
                yield apart


def _most(capacity: Capacity, kept: Kept) -> int:
    return sum(int(usage.dense(object)[kept[i]].max()) for i, usage in capacity.usages.items())

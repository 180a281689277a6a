"""The tables of a box of shares as a problem that formulations decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.mixed.compile import Compiler
from hypar_opt.costgraph import TableUnary
from hypar_opt.formulation.run import Run
from hypar_opt.solver.mixed.near import marginal_solver
from hypar_opt.solver.mixed.problem import TableProblem
from hypar_opt.solver.mixed.tables import fit_into_tables, graph_below, graph_of_maxima, least_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, Capacity, CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import Box, Shares
    from hypar_opt.solver.mixed.dual import WaitWeights
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.mixed.tables import ClassTables


@dataclass(frozen=True, eq=False)
class BoxTables:
    """What plans cost at least in a box.

    Parameters
    ----------
    whole, box, weights
        Of the search.
    graph
        The weighted sum at a corner, whose layers and boundaries these are.
    kept
        By layer, the words in the tables.
    classes
        By class, what it needs at least.
    """

    whole: MixedProblem
    box: Box
    weights: WaitWeights
    graph: CostGraph
    kept: tuple[Array, ...]
    classes: tuple[ClassTables, ...]

    @classmethod
    def of(
        cls, problem: MixedProblem, box: Box, weights: WaitWeights, most: Fraction | None, limits: Limits
    ) -> BoxTables | None:
        """Return the tables of the words that can be better; None where there are none.

        Parameters
        ----------
        most
            What a step has to take less than.

        Raises
        ------
        Refusal
            If min-marginals or the tables do not fit.
        Stopped
            If the limits are over.
        """
        run = Run("joint-dp", limits)
        graphs = [problem.weighed_graph(corner, weights, box) for corner in box.corners]
        kept = _kept(graphs, most, run)
        if not all(map(len, kept)):
            return None
        fit_into_tables(graphs[0], kept)

        def of_class(shares: Shares, one: int) -> CostGraph:
            count, classes = len(weights), len(problem.array.classes)
            alone = tuple(tuple(Fraction(int(g == one)) for g in range(classes)) for _ in range(count))
            return Compiler(problem.work, problem.model, shares).of_time(alone)

        classes = least_tables(of_class, box, len(problem.array.classes), kept)
        return cls(problem, box, weights, graphs[0], kept, tuple(classes))

    @property
    def is_exact(self) -> bool:
        """Whether the tables' sums are themselves bounds on a step."""
        return self.whole.model.barrier.name == "layer"

    def problem(self, most: Fraction | None) -> TableProblem | None:
        """Return the problem of the words that can be better; None where the barrier is of another kind."""
        barrier = self.whole.model.barrier.name
        if barrier == "step":
            made = graph_below(self.classes, self.graph, self.weights, most)
        elif barrier == "layer":
            made = graph_of_maxima(self.classes, self.graph)
            unit = self.classes[0].unit
            made = made.replace(objective=type(made.objective)({"cost": Fraction(1, unit)}))
        else:
            return None
        memory = tuple(_narrowed(one, self.kept) for one in self.graph.capacities)
        table = made.replace(capacities=(*made.capacities, *memory))
        return TableProblem(self.whole.instance, table, self.kept)


def _kept(graphs: Sequence[CostGraph], most: Fraction | None, run: Run) -> tuple[Array, ...]:
    """Return by layer the words whose least sum is below at some corner."""
    alive = []
    for graph in graphs:
        limit = graph.forbidden if most is None else ceil(most * graph.objective.denominator)
        least = marginal_solver(graph, run).min_marginals(graph.replace(capacities=()), run)
        alive.append([one < limit for one in least])
    return tuple(np.flatnonzero(reduce(np.logical_or, rows)) for rows in zip(*alive, strict=True))


def _narrowed(capacity: Capacity, kept: Sequence[Array]) -> Capacity:
    """Return a capacity of all words as one of those that are kept."""
    usages = {i: TableUnary(usage.dense(object)[kept[i]]) for i, usage in capacity.usages.items()}
    return replace(capacity, usages=usages)

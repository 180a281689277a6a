"""The tables of a box of shares as a problem that formulations decide."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from hypar_opt.cost.mixed.compile import COST
from hypar_opt.costgraph import Objective
from hypar_opt.solver.mixed.tables import fit_into_tables, graph_below, graph_of_maxima, least_tables
from hypar_opt.solver.mixed.weighed import TableProblem, narrowed

if TYPE_CHECKING:
    from hypar_opt.cost.mixed.model import WaitWeights
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.mixed.tables import ClassTables
    from hypar_opt.solver.mixed.weighed import Kept


@dataclass(frozen=True, eq=False)
class BoxTables:
    """What plans cost at least in a box.

    Parameters
    ----------
    whole, weights
        Of the search.
    graph
        Of layers, boundaries and memories that these are.
    kept
        By layer, the words in the tables.
    classes
        By class, what it needs at least.
    """

    whole: MixedCosts
    weights: WaitWeights
    graph: CostGraph
    kept: Kept
    classes: tuple[ClassTables, ...]

    @classmethod
    def of(cls, problem: MixedCosts, box: ShareBox, weights: WaitWeights, kept: Kept) -> BoxTables:
        """Return the tables of some words.

        Raises
        ------
        Refusal
            If they are too large.
        """
        graph = problem.compiled.limited(problem.compiled.class_graph(box.low, 0), box)
        fit_into_tables(graph, kept)
        classes = least_tables(problem.compiled.class_graph, box, len(problem.array.classes), kept)
        return cls(problem, weights, graph, kept, tuple(classes))

    @property
    def is_exact(self) -> bool:
        """Whether the tables' sums are themselves bounds on a step."""
        return self.whole.model.barrier.name == "layer"

    def problem(self, most: Fraction | None) -> TableProblem | None:
        """Return the problem of the words that can be better; None where the barrier is of another kind."""
        barrier = self.whole.model.barrier.name
        if barrier == "step":
            limits = None if most is None else [ceil(most * self.classes[0].unit) - 1] * len(self.classes)
            made = graph_below(self.classes, self.graph, self.weights[0], limits)
        elif barrier == "layer":
            made = graph_of_maxima(self.classes, self.graph)
            unit = self.classes[0].unit
            made = made.replace(objective=Objective({COST: Fraction(1, unit)}))
        else:
            return None
        return self.problem_of(made)

    def problem_of(self, made: CostGraph) -> TableProblem:
        """Return the problem of a graph of these words, which have to fit into the memories, too."""
        memory = tuple(narrowed(one, self.kept) for one in self.graph.capacities)
        table = made.replace(capacities=(*made.capacities, *memory))
        return TableProblem(self.whole.instance, self.whole.compiled, self.kept, table)

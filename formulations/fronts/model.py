"""The criteria as expressions of one CP-SAT model, and searches of it under rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

from formulations.cp_sat.model import CpSatFlow, build, check_rows, linear
from formulations.cp_sat.search import search
from formulations.flow_model.finish import concluded
from formulations.flow_model.polytope import Coefficients, Polytope, own_costs
from hypar_opt.formulation.incumbent import Incumbent, Valued
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ortools.sat.python.cp_model import LinearExpr

    from formulations.flow_model.covers import Pair
    from hypar_opt.costgraph import CostGraph


def packed(graphs: Sequence[CostGraph]) -> tuple[Polytope, tuple[Coefficients, ...]]:
    """Return the polytope, without costs, and every criterion's coefficients."""
    polytope, by_graph = Polytope.bare(graphs)
    return polytope, tuple(_criterion(graph, arcs) for graph, arcs in zip(graphs, by_graph, strict=True))


def _criterion(graph: CostGraph, arcs: Mapping[Pair, tuple[int, ...]]) -> Coefficients:
    _, own, constant = own_costs(graph)
    unit = gcd(*Coefficients(own, arcs, 1, constant).numbers) or 1
    return Coefficients(
        tuple(tuple(cost // unit for cost in costs) for costs in own),
        {pair: tuple(cost // unit for cost in costs) for pair, costs in arcs.items()},
        unit,
        constant,
    )


@dataclass(frozen=True)
class FrontModel:
    """The polytope in CP-SAT, without an objective.

    Parameters
    ----------
    graphs
        One a criterion.
    polytope
        Without costs.
    built
        The model.
    criteria, sums
        By criterion: the coefficients, and their weighted sum of the model's variables.
    """

    graphs: tuple[CostGraph, ...]
    polytope: Polytope
    built: CpSatFlow
    criteria: tuple[Coefficients, ...]
    sums: tuple[LinearExpr, ...]

    @staticmethod
    def of(graphs: Sequence[CostGraph]) -> FrontModel:
        """Encode the polytope."""
        polytope, criteria = packed(graphs)
        check_rows("cp-sat", polytope)
        built = build(polytope)
        sums = tuple(linear(one.terms(built.x, built.flows)) for one in criteria)
        return FrontModel(tuple(graphs), polytope, built, criteria, sums)

    def values(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return an assignment's costs."""
        return tuple(graph.value(choices) for graph in self.graphs)

    def scaled_values(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return an assignment's sums of coefficients."""
        return tuple(self.scaled(j, value) for j, value in enumerate(self.values(choices)))

    def scaled(self, criterion: int, value: int) -> int:
        """Return the largest sum of coefficients that costs at most a value."""
        one = self.criteria[criterion]
        return (value - one.constant) // one.unit

    def copy(self) -> FrontModel:
        """Return a model that rows can be added to."""
        return replace(self, built=replace(self.built, model=self.built.model.clone()))

    def searched(self, problem: Valued, run: Run) -> Solution:
        """Minimise the model's objective.

        Parameters
        ----------
        problem
            What the rows allow, and what the objective is worth.

        Returns
        -------
        OPTIMAL or INFEASIBLE.

        Raises
        ------
        Stopped
            If a limit is hit before.
        RuntimeError
            If what CP-SAT says does not stand up to recomputation.
        """
        run.check()
        quiet = replace(run, listener=None, start=None)
        best = Incumbent(problem, quiet)
        solution = concluded(self.polytope, best, search(self.built, self.polytope, best, quiet), {})
        if solution.status in (Status.OPTIMAL, Status.INFEASIBLE):
            return solution
        run.check()
        if solution.status in (Status.NO_SOLUTION, Status.FEASIBLE) and not solution.note:
            raise Stopped  # CP-SAT's clock may end a little before ours
        raise RuntimeError(f"CP-SAT says {solution.native_status}, recomputed {solution.status}: {solution.note}")

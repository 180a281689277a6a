"""The criteria as expressions of one CP-SAT model, and searches of it under rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from formulations.cp_sat import model as encoding
from formulations.cp_sat.search import search
from formulations.fronts.packing import packed
from formulations.polytope import Best, concluded
from hypar_opt.plan import Status
from hypar_opt.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ortools.sat.python.cp_model import LinearExpr

    from formulations.fronts.packing import Coefficients
    from formulations.polytope import Polytope
    from formulations.polytope.finish import Valued
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.plan import Solution
    from hypar_opt.run import Run


@dataclass(frozen=True)
class Model:
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
    built: encoding.Model
    criteria: tuple[Coefficients, ...]
    sums: tuple[LinearExpr, ...]

    @staticmethod
    def of(graphs: Sequence[CostGraph]) -> Model:
        """Encode the polytope."""
        polytope, criteria = packed(graphs)
        built = encoding.build(polytope)
        return Model(tuple(graphs), polytope, built, criteria, tuple(_sum(built, one) for one in criteria))

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

    def copy(self) -> Model:
        """Return a model that rows can be added to."""
        return replace(self, built=replace(self.built, model=self.built.model.clone()))

    def searched(self, problem: Valued, unit: int, constant: int, run: Run, start: tuple[int, ...] | None) -> Solution:
        """Minimise the model's objective.

        Parameters
        ----------
        problem
            What the rows allow, and what the objective is worth.
        unit, constant
            An assignment is worth constant + unit x the objective.
        start
            An assignment to begin with, where there is one that may be allowed.

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
        quiet = replace(run, listener=None, start=start)
        best, programme = Best.of(problem, quiet), replace(self.polytope, unit=unit, constant=constant)
        solution = concluded(programme, best, search(self.built, programme, best, quiet), {})
        if solution.status in (Status.OPTIMAL, Status.INFEASIBLE):
            return solution
        run.check()
        if solution.status in (Status.NO_SOLUTION, Status.FEASIBLE) and not solution.note:
            raise Stopped  # CP-SAT's clock may end a little before ours
        raise RuntimeError(f"CP-SAT says {solution.native_status}, recomputed {solution.status}: {solution.note}")


def _sum(built: encoding.Model, criterion: Coefficients) -> LinearExpr:
    """Return sum over v, i of u[v, i] x[v, i] + sum over edges e, arcs a of c[e, a] f[e, a]."""
    from ortools.sat.python.cp_model import LinearExpr

    pairs = [pair for own in zip(built.x, criterion.own, strict=True) for pair in zip(*own, strict=True)]
    for edge, costs in criterion.arcs.items():
        pairs += zip(built.flows[edge], costs, strict=True)
    pairs = [pair for pair in pairs if pair[1]]
    return LinearExpr.weighted_sum([literal for literal, _ in pairs], [cost for _, cost in pairs])

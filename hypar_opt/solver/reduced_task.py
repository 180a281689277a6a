"""What formulations decide where presolve has reduced a problem's tables: what it leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hypar_opt.costgraph import Duals
from hypar_opt.costgraph.presolve import Component, NoPlan, Reduction, components, presolve
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.solver.problem import Start, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.costgraph import CostGraph, Tables
    from hypar_opt.formulation.run import Run


class ReducedProblem(Protocol):
    """A problem whose tables presolve has reduced."""

    @property
    def graph(self) -> CostGraph:
        """What is left, as formulations read it."""

    @property
    def shift(self) -> int:
        """What a plan costs besides what the graph says."""

    @property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them."""

    @property
    def presolved(self) -> bool:
        """Whether it was asked to leave out anything."""

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices, before presolve, that a plan's strategies are."""


def reduced(tables: Tables, over: Callable[[], bool], *, presolved: bool, begun: Reduction | None = None) -> Reduction:
    """Return tables, and what presolve leaves of them where it is asked to; it goes on from what is begun.

    Raises
    ------
    NoPlan
        If they allow nothing.
    """
    return presolve(tables, over=over, begun=begun) if presolved else Reduction(tables, tables)


def why_none(problem: ReducedProblem) -> str | None:
    """Return why nothing is allowed, as far as presolve sees; or None."""
    try:
        problem.reduction  # noqa: B018 - kept where it succeeds
    except NoPlan as reason:
        return str(reason)
    return None


@dataclass(frozen=True)
class ReducedTask(Task):
    """What presolve leaves open of a problem.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: ReducedProblem

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def shift(self) -> int:
        """What presolve decided costs, and what cannot be avoided."""
        return self.problem.shift

    @property
    def ceiling(self) -> int | None:
        """What no allowed choices cost."""
        return self.graph.ceiling

    @property
    def components(self) -> Sequence[Component]:
        """What presolve leaves unconnected; nothing where it leaves one piece."""
        found = components(self.graph.tables) if self.problem.presolved else []
        return found if len(found) > 1 else []

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Variables and values."""
        return [(f"variable {variable.name}", variable.size) for variable in self.graph.variables]

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return what presolve leaves of a plan, if it leaves anything."""
        if start.strategies is None:
            return None
        left = self.problem.reduction.contract(self.problem.choices(start.strategies))
        return None if left is None else tuple(left.tolist())

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost, by the tables where nothing is forbidden: the graph's own costs are slow to make."""
        tables = self.graph.tables
        return tables.value(choices) if tables.allowed(choices) else self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether nothing is forbidden, and the memory is enough at every time."""
        return self.graph.tables.feasible(choices)

    def allowed(self, choices: Sequence[int]) -> bool:
        """Return whether nothing is forbidden."""
        return self.graph.tables.allowed(choices)

    def known_solution(self, run: Run) -> Solution | None:
        """Return the one plan where presolve has decided all: what it left out costs as much or more."""
        if self.sizes:
            over = Solution(Status.NO_SOLUTION, native_status="stopped before the search began")
            return over if run.limits.over else None
        if run.proof is not None:
            run.proof(Duals.zero(self.graph.tables))
        run.incumbent(0, ())
        run.bound(0)
        return Solution(Status.OPTIMAL, (), 0, "presolve leaves nothing to choose")

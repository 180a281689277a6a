"""From a solver's answer back to a Solution: plans recomputed exactly, claims kept only where they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.plan import Solution, Status

if TYPE_CHECKING:
    from formulations.polytope.polytope import Polytope
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.run import Run


@dataclass
class Best:
    """The best plan seen so far; its value comes from the graph, never from a solver.

    Parameters
    ----------
    graph, run
        The problem, and who hears of better plans.
    choices, value
        The plan, or None.
    """

    graph: CostGraph
    run: Run
    choices: tuple[int, ...] | None = None
    value: int | None = None

    @staticmethod
    def of(graph: CostGraph, run: Run) -> Best:
        """Begin with the start plan, if there is one and it is allowed."""
        best = Best(graph, run)
        if run.start is not None:
            best.offer(run.start)
        return best

    def offer(self, choices: tuple[int, ...]) -> None:
        """Keep and tell of a plan if it is allowed and better."""
        if not self.graph.feasible(choices):
            return
        value = self.graph.value(choices)
        if self.value is None or value < self.value:
            self.choices, self.value = choices, value
            self.run.incumbent(value, choices)


@dataclass(frozen=True)
class Answer:
    """What a solver said.

    Parameters
    ----------
    status
        From its native status, by the back-end's map.
    native_status
        Its own word.
    bound
        A lower bound of the scaled cost, rounded safely, or None.
    slack
        How far, in scaled cost, an optimal plan may lie above the bound: the solver's tolerance.
    note
        What the status rests on.
    """

    status: Status
    native_status: str
    bound: int | None = None
    slack: int = 0
    note: str = ""


def settled(polytope: Polytope) -> Answer | None:
    """Return the answer where no solver is needed: nothing to choose, or nothing allowed."""
    if not all(polytope.values):
        return Answer(Status.INFEASIBLE, "a variable has no allowed value")
    for row in polytope.rows:
        if row.limit < 0:
            return Answer(Status.INFEASIBLE, f"the least usages exceed the capacity '{row.name}'")
    return None if polytope.values else Answer(Status.OPTIMAL, "nothing to choose", bound=0)


def conclude(polytope: Polytope, best: Best, answer: Answer) -> Solution:
    """Return the Solution: a claim that the recomputed plan does not bear out becomes a lesser one."""
    status, note = _borne_out(polytope, best, answer)
    bound = None if answer.bound is None else polytope.constant + polytope.unit * answer.bound
    if best.value is not None and bound is not None:
        bound = min(bound, best.value)
    facts = {"arcs": polytope.arcs, "values": sum(map(len, polytope.values)), "cost_unit": polytope.unit}
    return Solution(
        status,
        best.choices if status in (Status.OPTIMAL, Status.FEASIBLE) else None,
        {Status.OPTIMAL: best.value, Status.INFEASIBLE: None, Status.ERROR: None}.get(status, bound),
        answer.native_status,
        note,
        facts,
    )


def _borne_out(polytope: Polytope, best: Best, answer: Answer) -> tuple[Status, str]:
    """Compare a claim with the best plan: OPTIMAL needs a plan at the bound, INFEASIBLE none at all."""
    if answer.status is Status.INFEASIBLE and best.choices is not None:
        return Status.ERROR, "the solver says that there is no plan, and the start plan is one"
    if answer.status in (Status.INFEASIBLE, Status.ERROR):
        return answer.status, answer.note
    if best.value is None:
        return Status.NO_SOLUTION, answer.note
    if answer.status is not Status.OPTIMAL:
        return Status.FEASIBLE, answer.note
    excess = (best.value - polytope.constant) // polytope.unit - (answer.bound or 0)
    if answer.bound is not None and 0 <= excess <= answer.slack:
        return Status.OPTIMAL, answer.note
    note = f"the solver says optimal, but its bound is {excess * polytope.unit:,} below the recomputed plan"
    return Status.FEASIBLE, note

"""From a solver's answer back to a Solution: plans recomputed exactly, claims kept only where they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hypar_opt.plan import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from formulations.polytope.polytope import Polytope
    from hypar_opt.run import Run


class Valued(Protocol):
    """A problem that says what choices cost."""

    def feasible(self, choices: Sequence[int], /) -> bool:
        """Return whether choices are allowed."""

    def value(self, choices: Sequence[int], /) -> int:
        """Return what choices cost."""


class Programme(Protocol):
    """What a search needs to know of the programme that it solves, whatever it encodes."""

    @property
    def values(self) -> tuple[tuple[int, ...], ...]:
        """By variable: its allowed values."""

    @property
    def unit(self) -> int:
        """A solution costs constant + unit x its scaled cost."""

    @property
    def constant(self) -> int:
        """What every solution costs."""

    def choices(self, positions: Iterable[int], /) -> tuple[int, ...]:
        """Return the values at one position of every variable."""


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

    graph: Valued
    run: Run
    choices: tuple[int, ...] | None = None
    value: int | None = None

    @staticmethod
    def of(graph: Valued, run: Run) -> Best:
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

    def bound(self, bound: int) -> None:
        """Tell of a bound of all plans that were not seen yet, which is one of all plans up to the best one's cost."""
        self.run.bound(bound if self.value is None else min(bound, self.value))


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
    note
        What the status rests on.
    positions
        The solution that the status is about, allowed or not, by variable; None without one.
    """

    status: Status
    native_status: str
    bound: int | None = None
    note: str = ""
    positions: tuple[int, ...] | None = None


def settled(polytope: Polytope, best: Best) -> Answer | None:
    """Return the answer where no solver is needed: nothing to choose, or nothing allowed."""
    if not all(polytope.values):
        return Answer(Status.INFEASIBLE, "a variable has no allowed value")
    for row in polytope.rows:
        if row.limit < 0:
            return Answer(Status.INFEASIBLE, f"the least usages exceed the capacity '{row.name}'")
    if polytope.values:
        return None
    best.offer(())
    return Answer(Status.OPTIMAL, "nothing to choose", bound=0)


def conclude(polytope: Polytope, best: Best, answer: Answer) -> Solution:
    """Return the Solution of a polytope."""
    facts = {"arcs": polytope.arcs, "values": sum(map(len, polytope.values)), "cost_unit": polytope.unit}
    return concluded(polytope, best, answer, facts)


def concluded(polytope: Programme, best: Best, answer: Answer, facts: Mapping[str, int | float | str]) -> Solution:
    """Return the Solution: a claim that the recomputed plan does not bear out becomes a lesser one."""
    bound = None if answer.bound is None else polytope.constant + polytope.unit * answer.bound
    status, note = _borne_out(polytope, best, answer, bound)
    if status is Status.OPTIMAL:
        bound = best.value
    elif status not in (Status.FEASIBLE, Status.NO_SOLUTION) or note == UNSOUND:
        bound = None
    choices = best.choices if status in (Status.OPTIMAL, Status.FEASIBLE) else None
    return Solution(status, choices, bound, answer.native_status, note, facts)


UNSOUND = "the solver's bound exceeds the cost of a plan, so its tolerances do not hold here; try joint-dp"
CONTRADICTION = "the solver says that there is no plan, and the start plan is one"
BROKEN = "the solver's plan breaks a constraint by less than its tolerance; try cp-sat"


def _borne_out(polytope: Programme, best: Best, answer: Answer, bound: int | None) -> tuple[Status, str]:
    """Compare a claim with the best plan: OPTIMAL needs a plan at the bound, INFEASIBLE none at all."""
    if answer.status is Status.INFEASIBLE and best.value is not None:
        return Status.ERROR, CONTRADICTION
    if answer.status in (Status.INFEASIBLE, Status.ERROR):
        return answer.status, answer.note
    if best.value is None:
        return Status.NO_SOLUTION, BROKEN if answer.status is Status.OPTIMAL else answer.note
    if bound is not None and best.value < bound:
        return Status.FEASIBLE, UNSOUND
    if answer.status is not Status.OPTIMAL:
        return Status.FEASIBLE, answer.note
    if bound is not None and best.value == bound:
        return Status.OPTIMAL, answer.note
    return Status.FEASIBLE, "the solver says optimal, but its bound lies below the recomputed plan"

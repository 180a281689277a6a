"""Least makespans of task graphs that claims are about, each searched once, with what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.task_problem import TaskProblem
from hypar_opt.studies.cell_pieces import attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.solver.plan import Plan

LIST: Final = "task-list-tail"
"""Whose schedules are there at once."""


@dataclass(frozen=True)
class LeastMakespan:
    """What is known of the least makespan of a task graph.

    Parameters
    ----------
    least, most
        What no schedule is below, and the best that was found, recounted task by task; seconds.
    proof
        Why none is below.
    """

    least: Fraction
    most: Fraction
    proof: str

    def times(self, count: int) -> LeastMakespan:
        """Return the same of so many in turn, with a barrier between."""
        return LeastMakespan(count * self.least, count * self.most, self.proof)


class LeastMakespans:
    """What is found, by what was asked.

    Parameters
    ----------
    limits
        Returns those of a solve that begins now.
    listener
        Called with the events of every solve.
    """

    def __init__(self, limits: Callable[[], Limits], listener: Listener | None = None) -> None:
        self._limits = limits
        self._listener = listener
        self._found: dict[tuple[str, str, bool], LeastMakespan | str] = {}

    def of(self, instance: TaskGraphInstance, *, searched: bool) -> LeastMakespan | str:
        """Return what is known; where there is no schedule, why.

        That none is shorter is said by sums that can be checked by hand, or by two formulations.

        Parameters
        ----------
        searched
            Whether it is searched where a list's schedule is above what such sums say.
        """
        key = instance.name, instance.sha256, searched
        if key not in self._found:
            problem = TaskProblem(instance)
            found = self._scheduled(problem, LIST)
            if searched and not isinstance(found, str) and found.least < found.most:
                found = self._scheduled(problem, None)
            self._found[key] = found
        return self._found[key]

    def _scheduled(self, problem: TaskProblem, formulation: str | None) -> LeastMakespan | str:
        plan, refusal = attempt(problem, formulation, self._limits(), self._listener)
        if plan is None or plan.strategies is None or plan.status is Status.ERROR:
            return refusal if plan is None else f"{plan.formulation}: {plan.status}, {plan.native_status}"
        judged = problem.judged(plan.strategies)
        if judged.fault is not None:
            return judged.fault
        found, bound = judged.objective, TaskProver(problem.instance).best
        unit = problem.graph.unit
        least = Fraction(ceil(bound.value * unit), unit)  # all that waits or takes time is whole units, so ends are
        if least >= found or plan.status is not Status.OPTIMAL:
            return LeastMakespan(min(least, found), found, bound.text)
        return self._two_words(problem, plan, LeastMakespan(least, found, bound.text))

    def _two_words(self, problem: TaskProblem, plan: Plan, known: LeastMakespan) -> LeastMakespan:
        from hypar_opt.verification.another_word import word_of_another
        from hypar_opt.verification.claim_case import EvidenceSearch

        other = word_of_another(problem, plan.formulation, EvidenceSearch(self._limits(), listener=self._listener))
        if other.bound is not None and other.bound >= known.most:
            return LeastMakespan(known.most, known.most, f"a proof by {plan.formulation}, and {other.text}")
        return known

"""Schedules of collectives that claims are about, each found and recounted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.formulation.solution import Status
from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.studies.cell_pieces import attempt

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.instance.collective import CollectiveInstance


class RecountedSchedules:
    """What formulations find, by what they were asked.

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
        self._found: dict[tuple[str, str | None], JudgedCollective | str] = {}

    def of(self, instance: CollectiveInstance, formulation: str | None) -> JudgedCollective | str:
        """Return a formulation's schedule, of the default one where none is named; where there is none, why."""
        key = instance.sha256, formulation
        if key not in self._found:
            problem = CollectiveProblem(instance)
            plan, refusal = attempt(problem, formulation, self._limits(), self._listener)
            sends = None if plan is None or plan.status is Status.ERROR else plan.strategies
            why = refusal if plan is None else f"{plan.formulation}: {plan.status}, {plan.native_status}"
            self._found[key] = why if sends is None else problem.judged(sends)
        return self._found[key]

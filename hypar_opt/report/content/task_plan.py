"""A schedule of a task graph in a report, recounted once for all that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.report.content.named_plan import FoundPlan

if TYPE_CHECKING:
    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.solver.task_problem import TaskProblem


@dataclass(frozen=True)
class NamedTaskPlan(FoundPlan):
    """A schedule, with what is done on every unit when."""

    problem: TaskProblem

    @cached_property
    def judged(self) -> JudgedTasks:
        """When each task begins, and what that comes to."""
        return self.problem.judged(self.strategies)

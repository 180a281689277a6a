"""Two schedules of one task graph: which tasks are done at other times, and what each schedule comes to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.verification.checks import judged_plan

if TYPE_CHECKING:
    from fractions import Fraction

    import pandas as pd

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.solver.task_problem import TaskProblem
    from hypar_opt.studies.compared_problems import FieldDifference
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class MovedTask:
    """A task that two schedules do not do at the same time.

    Parameters
    ----------
    task
        Its name.
    begins
        In either schedule, in seconds; None where it is not done.
    """

    task: str
    begins: tuple[Fraction | None, Fraction | None]

    @property
    def later(self) -> Fraction | None:
        """How much later it begins in the second; None where it is not done in both."""
        first, second = self.begins
        return None if first is None or second is None else second - first


@dataclass(frozen=True)
class TaskComparison:
    """Two schedules of one task graph.

    Parameters
    ----------
    problem
        Whose.
    claims, judged
        The plans, and what is true of each.
    """

    problem: TaskProblem
    claims: tuple[Claim, Claim]
    judged: tuple[JudgedTasks, JudgedTasks]

    @cached_property
    def moved(self) -> tuple[MovedTask, ...]:
        """Tasks that are not done at the same time: those that are done in one only, then those that move most."""
        first, second = (one.begins for one in self.judged)
        found = [
            MovedTask(task.name, (first.get(task.name), second.get(task.name)))
            for task in self.problem.instance.tasks
            if first.get(task.name) != second.get(task.name)
        ]
        return tuple(sorted(found, key=lambda one: (one.later is not None, -abs(one.later or 0))))

    @property
    def more(self) -> Fraction:
        """What the second schedule takes more than the first."""
        return self.judged[1].objective - self.judged[0].objective

    def to_frame(self) -> pd.DataFrame:
        """Return a row a task that is not done at the same time, with its begins in seconds."""
        import pandas as pd

        rows = [(one.task, *(None if begin is None else float(begin) for begin in one.begins)) for one in self.moved]
        return pd.DataFrame(rows, columns=["task", "first_begin_s", "second_begin_s"])


def compare_tasks(
    problems: tuple[TaskProblem, TaskProblem],
    differing: tuple[FieldDifference, ...],
    claims: tuple[Claim, Claim],
) -> TaskComparison:
    """Say which tasks two schedules do at other times.

    Parameters
    ----------
    problems
        One, twice.
    differing
        In what they differ: nothing that a schedule of the one would be none of the other for.
    claims
        Of the plans.

    Raises
    ------
    InputError
        If one is no schedule of the task graph.
    """
    first, second = (
        judged_plan(problem.judged, claim, "a plan to compare") for problem, claim in zip(problems, claims, strict=True)
    )
    return TaskComparison(problems[0], claims, (first, second))

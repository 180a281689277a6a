"""What overlap is possible at best, beside what a rule does: a plan's tasks, put in order both ways."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.tasks import TaskSchedule, read_task_graph, read_task_schedule
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.simulation.replay import replay_schedule
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.studies.tasks.of_plan import PlanTasks


@dataclass(frozen=True)
class Overlap:
    """The tasks of a plan in two orders.

    Parameters
    ----------
    instance
        The task graph.
    order
        The rule: first come first served, or a schedule's name.
    ruled
        The schedule that it makes, recounted; it may not fit into memories.
    best
        The best schedule that was found, with what is proven of it; it began with the rule's where that fits.
    floor
        Seconds that none takes less than, by sums alone.
    replayed
        Seconds that the best takes where the simulator replays it; None where none was found.
    """

    instance: TaskGraphInstance
    order: str
    ruled: JudgedTasks
    best: Plan
    floor: Fraction
    replayed: Fraction | None = None

    @property
    def saved(self) -> Fraction:
        """The share of the rule's seconds that the best saves; 0 without a better one."""
        if self.best.objective is None or not self.ruled.makespan:
            return Fraction(0)
        return max(1 - self.best.objective / self.ruled.makespan, Fraction(0))

    @property
    def most_saved(self) -> Fraction:
        """The share that any order could save, by the bound that is proven."""
        bound = self.floor if self.best.bound is None else max(self.best.bound, self.floor)
        return max(1 - bound / self.ruled.makespan, Fraction(0)) if self.ruled.makespan else Fraction(0)


def overlap_of(tasks: PlanTasks, formulation: str | None = None, limits: Limits | None = None) -> Overlap:
    """Return a plan's tasks by their rule and in the best order that is found.

    Parameters
    ----------
    tasks
        The plan's.
    formulation
        Which looks for the best; None for the default.
    limits
        Of the search.
    """
    ruled = _ruled(tasks)
    instance = ruled.instance
    start = ruled.schedule.texts() if ruled.fault is None else None
    best = solve(instance, formulation, limits=limits, start=start)
    return Overlap(instance, tasks.order, ruled, best, TaskProver(instance).best.value, _replayed(instance, best))


def _replayed(instance: TaskGraphInstance, plan: Plan) -> Fraction | None:
    """Return how long a plan takes where the simulator replays it; None without one."""
    if plan.strategies is None:
        return None
    return replay_schedule(instance, read_task_schedule(instance, plan.strategies)).makespan


def ruled_plan(tasks: PlanTasks) -> Plan:
    """Return the schedule of a plan's tasks that their rule makes, as a plan of the task graph.

    Raises
    ------
    Refusal
        If it does not fit into the memories.
    """
    ruled = _ruled(tasks)
    if ruled.fault is not None:
        raise Refusal(f"by its rule, {tasks.order}, it is no schedule: {ruled.fault}; leave --ruled out")
    return Plan(
        ruled.instance.name, ruled.instance.sha256, tasks.order, Status.FEASIBLE, "", ruled.schedule.texts(), 0,
        ruled.objective, None, 0.0, 0, decided="begins", costs={TIME: ruled.objective},
    )  # fmt: skip


def _ruled(tasks: PlanTasks) -> JudgedTasks:
    begins = tasks.begins()
    instance = read_task_graph(tasks.document)
    return JudgedTasks(instance, TaskSchedule({task.name: begins[task.name] for task in instance.tasks}))

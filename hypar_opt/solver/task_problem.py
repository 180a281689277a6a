"""A task graph compiled: its integers, and the way between schedules and choices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from hypar_opt.cost.tasks import compile_tasks
from hypar_opt.costgraph.tasks import NOT_DONE, is_task_schedule, value_of_begins
from hypar_opt.evaluation.tasks import JudgedTasks
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.tasks import TaskSchedule, read_task_schedule
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.task_memory import least_needs, memory_shortage, without_limits
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.tasks import TimedGraph
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.formulation.solution import Decides, Solution
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.tasks import TaskGraphInstance
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class TaskProblem(UncertifiedProblem):
    """What `solve` works on where the instance is a task graph; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    instance: TaskGraphInstance
    kind: ClassVar[str] = "task-graph"
    use: ClassVar[Use] = "task-graph"
    setting: ClassVar[tuple[None, None, None]] = (None, None, None)
    is_explained: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "certificates are of costs of layers, and a task graph has begins of tasks"

    @property
    def objective(self) -> ObjectiveFunction:
        """Time."""
        return self.instance.objective

    @cached_property
    def graph(self) -> TimedGraph:
        """What formulations read."""
        return compile_tasks(self.instance)

    @property
    def sizing_graph(self) -> CostGraph:
        """Refuse: there are no tables of words."""
        raise Refusal("a task graph has begins of tasks and no strategies")

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the begins as integers.

        Raises
        ------
        InputError
            If it is no schedule of this task graph, or begins are between the graph's units: says what is wrong.
        """
        judged = self.judged(strategies)
        if judged.fault is not None:
            raise InputError(judged.fault, field="plan")
        begins, period = judged.schedule.begins, judged.schedule.period
        return tuple(self._whole(one) for one in (*begins.values(), *([] if period is None else [period])))

    def _whole(self, moment: Fraction | None) -> int:
        if moment is None:
            return NOT_DONE
        found = moment * self.graph.unit
        if found.denominator != 1:
            said = f"expected seconds in whole multiples of {self.graph.unit_text}"
            raise InputError(f"{said}, got {moment}", field="plan")
        return int(found)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the graph."""
        return choose(self.use, self.graph, limits, "task-list-tail")

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return the begins as what is to be decided."""
        if decides != "begins":
            raise Refusal(f"{name} decides {decides}, and a task graph has begins of tasks; try task-cp-sat")
        return BeginsTask(self), ""

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say which memory is too small, how much is needed at least, and what would help."""
        if all(most is None for most in self.instance.memories.values()):
            return refuted(plan, "without limits of memories there always is a schedule")
        tell("looking for memories that are too small")

        def fits(changed: TaskGraphInstance) -> bool | None:
            if limits.over:
                return None
            status = solve(TaskProblem(changed), limits).status
            found = status in (Status.OPTIMAL, Status.FEASIBLE)
            return found if found or status is Status.INFEASIBLE else None

        if fits(without_limits(self.instance)) is False:
            return plan
        return noted(plan, memory_shortage(self.instance, least_needs(self.instance), fits))

    def judged(self, strategies: Mapping[str, str]) -> JudgedTasks:
        """Return what is true of a plan, by code that shares nothing with the search.

        Raises
        ------
        InputError
            If it is none: names the task.
        """
        return JudgedTasks(self.instance, read_task_schedule(self.instance, strategies))


@dataclass(frozen=True)
class BeginsTask(Task):
    """The begins, and the period of what is repeated.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: TaskProblem

    @property
    def graph(self) -> TimedGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the graph's values."""
        return self.graph.cost_unit

    @property
    def sizes(self) -> None:
        """Nothing: a task may begin at any time."""
        return

    def schedule(self, choices: Sequence[int]) -> TaskSchedule:
        """Return the schedule that choices are."""
        names, unit = self.problem.instance.places, self.graph.unit
        begins = {
            name: None if begin == NOT_DONE else Fraction(begin, unit)
            for name, begin in zip(names, choices[: len(names)], strict=True)
        }
        return TaskSchedule(begins, Fraction(choices[-1], unit) if self.graph.is_periodic else None)

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every task's begin, as text."""
        return self.schedule(choices).texts(), None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a plan is."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def value(self, choices: Sequence[int]) -> int:
        """Return what choices come to, in units of 1 / unit."""
        return value_of_begins(self.graph, choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are a schedule."""
        return is_task_schedule(self.graph, choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted task by task, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = self.problem.judged(strategies)
        plan = replace(plan, strategies=strategies, communication_bytes=0)
        if judged.fault is not None:
            return replace(plan, objective=None), judged.fault
        found = judged.objective
        plan = replace(plan, objective=found, costs={TIME: found})
        value = Fraction(self.value(choices), self.unit)
        return plan, None if value == found else f"the tasks give {found} s, the graph {value}"

"""From the files of an instance and a plan to a task graph, whatever the plan is of."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, cast

from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.studies.schedules.compare import schedule_of_rule
from hypar_opt.studies.schedules.links import linked_batch, messages_of, own_links, schedule_tasks
from hypar_opt.studies.schedules.planned import planned
from hypar_opt.studies.schedules.rules import RULES
from hypar_opt.studies.schedules.stages import batch_of
from hypar_opt.studies.simulation.collective.transfers import transfers_of
from hypar_opt.studies.simulation.engine import simulate
from hypar_opt.studies.simulation.plan_step import memory_bandwidth_of, step_tasks
from hypar_opt.studies.simulation.tasks import Hold, Options
from hypar_opt.studies.tasks.of_batch import batch_document, begins_by_name
from hypar_opt.studies.tasks.of_operators import ONE_BY_ONE, operator_tasks
from hypar_opt.studies.tasks.of_simulation import SimulatedTasks, simulated_tasks
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.verification.checks import check_binding, judged_plan, read_allowed
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.schedules.planned import ScheduledStages
    from hypar_opt.studies.schedules.rules import ScheduleRule
    from hypar_opt.studies.simulation.tasks import TaskGraph
    from hypar_opt.verification.claim import Claim


@dataclass(frozen=True)
class TaskWishes:
    """How a plan is to be written as a task graph.

    Parameters
    ----------
    contention, hold, memory_ports
        How transfers take links, as `Options` of simulations has them.
    rule
        Of stages, by whose rule the backward phase is cut, and whose order the graph's is compared to; None for
        one forward one backward.
    microbatches
        Of stages, how many a batch has; None for what the instance says.
    links
        Of stages, whether what crosses is a message on a link in and one out of each device.
    """

    contention: bool = True
    hold: Hold = "rate"
    memory_ports: bool = False
    rule: str | None = None
    microbatches: int | None = None
    links: bool = False


@dataclass(frozen=True)
class PlanTasks:
    """A plan as a task graph.

    Parameters
    ----------
    document
        As the file of a task graph has it.
    order
        Who goes first by the rule that the project knows: first come first served, or a schedule's name.
    begins
        Returns by task the second in which it begins by that rule.
    """

    document: Mapping[str, Any]
    order: str
    begins: Callable[[], Mapping[str, Fraction]] = field(repr=False)


FIRST_COME: Final = "first come first served"
OF_KIND: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "network": ("contention", "hold", "memory_ports"),
        "collective": ("contention", "hold"),
        "operators": (),
        "pipeline": ("rule", "microbatches", "links"),
        "staged": ("rule", "microbatches"),
    }
)
"""By kind of problem, the wishes that say something of its plans."""
NOT_TASKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "strategy-graph": "a strategy graph has costs alone, and tasks take accelerators for a while",
        "mixed": "tasks are of equal parts on equal accelerators, and these are of several kinds",
        "precision": "it says in how many bits layers send, and not what takes links for how long",
        "packing": "trees with shares are no sends; expected a collective with objective steps, rounds or time",
        "task-graph": "it is a task graph already",
    }
)
"""By kind of problem, why its plans are no task graphs."""


def plan_tasks(instance: str, path: Path, wishes: TaskWishes | None = None) -> PlanTasks:
    """Return the task graph of a plan's file.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; what replaced its fields stands in the plan's file.
    path
        Of the plan.
    wishes
        How.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is not allowed; if the array does not say what a link
        or an accelerator can do; if something is wished for that says nothing of such plans.
    Refusal
        If plans of such an instance are no tasks, or there are too many.
    """
    claim, asked = read_claim(path), wishes or TaskWishes()
    problem = problem_claimed(instance, claim)
    make = KINDS.get(problem.kind)
    if make is None:
        raise Refusal(NOT_TASKS[problem.kind])
    default = TaskWishes()
    for name in vars(default):
        if getattr(asked, name) != getattr(default, name) and name not in OF_KIND[problem.kind]:
            said = f"says nothing of a plan of this kind, {problem.kind}"
            raise InputError(said, field=f"--{'no-' if name == 'contention' else ''}{name.replace('_', '-')}")
    check_binding(problem, claim)
    return make(problem, claim, instance, path, asked)


def _of_step(problem: Problem, claim: Claim, instance: str, path: Path, asked: TaskWishes) -> PlanTasks:
    network, claim, strategies = read_allowed(instance, path, "a plan to write as tasks")
    placed = None if claim.placement is None else sites_of(network, claim.placement)
    graph, _, network = step_tasks(network, strategies, placed)
    memory = memory_bandwidth_of(network) if asked.memory_ports else None
    options = Options("full", asked.contention, asked.hold, memory_bandwidth=memory)
    return first_come(simulated_tasks(network.instance.name, graph, network.instance.machine, options))


def _of_sends(problem: Problem, claim: Claim, instance: str, path: Path, asked: TaskWishes) -> PlanTasks:
    judged = judged_plan(cast("CollectiveProblem", problem).judged, claim, "a plan to write as tasks")
    if not judged.instance.is_timed:
        raise InputError("missing; expected bytes a second, to know how long sends take", field="array.link.bandwidth")
    graph, options = transfers_of(judged, "greedy"), Options("full", asked.contention, asked.hold)
    return first_come(simulated_tasks(problem.instance.name, graph, judged.instance.machine, options))


def _of_operators(problem: Problem, claim: Claim, instance: str, path: Path, asked: TaskWishes) -> PlanTasks:
    of_operators = cast("OperatorProblem", problem)
    strategies = claim.strategies_for("a plan to write as tasks")
    of_operators.check_words(strategies, path)
    document, begins = operator_tasks(problem.instance.name, of_operators.step(strategies))
    return PlanTasks(document, ONE_BY_ONE, lambda: begins)


def _of_stages(problem: Problem, claim: Claim, instance: str, path: Path, asked: TaskWishes) -> PlanTasks:
    plans = planned(problem, claim)
    count = _microbatches(plans, asked.microbatches)
    rule, devices, name = _rule(asked.rule), len(plans.stages), problem.instance.name
    if plans.pipeline is not None and asked.links:
        batch = linked_batch(plans.pipeline, plans.stages, rule, devices, count)
        machine, messages = own_links(plans.pipeline, devices), messages_of(plans.pipeline)
        free = simulated_tasks(name, schedule_tasks(batch, rule, messages, in_order=False), machine)
        return _in_order(free, schedule_tasks(batch, rule, messages), rule.name)
    found = schedule_of_rule(rule, plans.stages, devices, count)
    if found.judged is None:
        raise InputError(found.reason, field="--rule")
    judged = found.judged
    document = batch_document(name, batch_of(rule, plans.stages, devices, count))
    return PlanTasks(document, rule.name, lambda: begins_by_name(judged))


def first_come(tasks: SimulatedTasks) -> PlanTasks:
    """Return tasks of the simulator, which runs them first come first served."""
    return _in_order(tasks, tasks.graph, FIRST_COME)


def _in_order(tasks: SimulatedTasks, graph: TaskGraph, order: str) -> PlanTasks:
    """Return tasks beside a run of the same that wait for each other besides."""
    return PlanTasks(tasks.document, order, lambda: tasks.begins_of(simulate(graph, tasks.machine, tasks.options)))


def _microbatches(plans: ScheduledStages, asked: int | None) -> int:
    own, field = plans.microbatches, "--microbatches"
    if plans.one_size and asked not in (None, own):
        raise InputError(f"expected {own}, into how many the plan's batch is cut", field=field)
    found = own if asked is None else asked
    if found is None:
        raise InputError("expected how many a batch has: the instance does not say", field=field)
    return found


def _rule(name: str | None) -> ScheduleRule:
    """Return the rule of a name that ends with its batch, a device having one stage."""
    known = {one.name: one for one in RULES.values() if not one.versions and not one.several_stages}
    name = "1f1b" if name is None else name
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise InputError(f"no rule of one stage a device is called '{name}'{hint}", field="--rule")
    return known[name]


KINDS: Final[Mapping[str, Callable[[Any, Claim, str, Path, TaskWishes], PlanTasks]]] = MappingProxyType(
    {
        "network": _of_step,
        "collective": _of_sends,
        "operators": _of_operators,
        "pipeline": _of_stages,
        "staged": _of_stages,
    }
)
"""By kind of problem, how its plans are written as tasks."""

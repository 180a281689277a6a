"""Weighing every plan of a corner of the search space, as in the paper's Figures 9 and 10."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.errors import RecomputationError, Refusal
from hypar_opt.exploring.exploration import Exploration
from hypar_opt.exploring.recomputing import fault_of
from hypar_opt.exploring.space import space_of
from hypar_opt.exploring.wanted import checked_components, counted, usual_component
from hypar_opt.exploring.weighing import all_values, within_capacities
from hypar_opt.formulation import load_formulation, refusal
from hypar_opt.interrupting import Interrupted
from hypar_opt.plan import Status
from hypar_opt.run import Run, Stopped, limits_of
from hypar_opt.solving import solve
from hypar_opt.tasks import network_problem_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Literal

    from hypar_opt.instance import Instance
    from hypar_opt.plan import Plan
    from hypar_opt.problem import Problem
    from hypar_opt.run import Limits, Listener

BASE: Final = "hypar-dp"
"""Whose plan for the least communication is the base, as in the paper."""
FITTING: Final = "joint-dp"
"""Finds the base plan where the paper's algorithm declines: at joins and branches, of which it knows nothing, and
where the plan has to fit into memories."""
REFERENCE: Final = "data-parallel"
SOURCE: Final = "explore"
"""Who speaks in events."""


def explore(
    instance: Instance | Problem | Path | str,
    layers: Sequence[str] | None = None,
    levels: Sequence[int] | None = None,
    *,
    plan: Mapping[str, str] | None = None,
    formulation: str | None = None,
    against: Literal["data-parallel", "plan"] = "data-parallel",
    components: Sequence[str] | None = None,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    listener: Listener | None = None,
) -> Exploration:
    """Weigh all combinations of letters of some layers at some levels, the rest as in a base plan.

    Parameters
    ----------
    instance
        The network on its array: an instance as read, the name of a shipped one, a path, or a problem compiled before.
    layers, levels
        Those that are free, levels from 1; None for all.
    plan
        The base plan, a word by layer.
    formulation
        What finds the base plan, for the instance's objective; with neither it is hypar-dp's for the least
        communication, or joint-dp's where hypar-dp declines or the plan has to fit into memories.
    against
        What gains are over: data parallelism, or the base plan.
    components
        What is weighed; the first is compared. By default time where the array says enough for it, else communication.
    limits
        Deadline, seed and a flag that stops the run.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.
    listener
        Called with phases, and with the events of the formulation.

    Raises
    ------
    InputError
        If a layer, level or component is unknown, or the base plan does not fit.
    Refusal
        If there are too many combinations, or there is no base plan or nothing to compare with.
    RecomputationError
        If the plan that something is compared with does not stand up to it.
    Stopped
        If the limits ended before all routes were followed, or before all was weighed.
    """
    limits = limits_of(limits, time_limit, seed, workers)
    problem = network_problem_of(instance)
    names = (usual_component(problem),) if components is None else checked_components(components)
    run = Run(SOURCE, limits, listener=listener)
    strategies, said = _base(problem, plan, formulation, limits, listener)
    space = space_of(problem, problem.choices(strategies), layers, levels)
    run.phase(counted(space.count, "combination"))
    try:
        problem.follow_routes(lambda: limits.over, names)
    except Interrupted:
        raise Stopped from None
    graphs = {name: problem.weighing({name: Fraction(1)}) for name in names}
    values = {name: all_values(graph, space, limits) for name, graph in graphs.items()}
    allowed = within_capacities(graphs[names[0]], space, limits)
    other = strategies if against == "plan" else _reference(problem, limits)
    reference = {
        name: Fraction(graph.value(problem.choices(other)), graph.objective.denominator)
        for name, graph in graphs.items()
    }
    units = {name: graph.objective.denominator for name, graph in graphs.items()}
    words = "the base plan" if against == "plan" else _in_words(problem)
    found = Exploration(space, said, words, reference, values, units, allowed)
    run.phase("recomputing by boxes and routes")
    fault = fault_of(found, other)
    return found if not fault else Exploration(space, said, words, reference, values, units, allowed, fault)


def _base(
    problem: Problem, plan: Mapping[str, str] | None, formulation: str | None, limits: Limits, listener: Listener | None
) -> tuple[Mapping[str, str], str]:
    if plan is not None:
        return plan, "the plan given"
    if formulation is None:
        name, fitting = _usual(problem)
        words = f"{name}'s for the least communication{fitting}"
        return _found(problem.by_communication, name, limits, listener), words
    aim = ", ".join(problem.aim.components)
    return _found(problem, formulation, limits, listener), f"{formulation}'s for the objective {aim}"


def _usual(problem: Problem) -> tuple[str, str]:
    """Return what finds the base plan, and what is to be said of that plan."""
    if problem.memory is not None:
        return FITTING, " that fits"
    reason = refusal(load_formulation(BASE), problem.by_communication.graph, Run(BASE))
    return (BASE, "") if reason is None else (FITTING, "")


def _found(problem: Problem, formulation: str, limits: Limits, listener: Listener | None) -> Mapping[str, str]:
    plan = _sound(solve(problem, formulation, limits=limits, listener=listener))
    if plan.strategies is None:
        infeasible = plan.status is Status.INFEASIBLE
        why = (plan.note if infeasible else "") or plan.native_status or plan.status.value
        advice = "" if infeasible else "; try another: -f joint-dp, or --plan"
        raise Refusal(f"{formulation} has no base plan here ({why}){advice}")
    return plan.strategies


def _sound(plan: Plan) -> Plan:
    """Return a plan that stood up to recomputation."""
    if plan.status is Status.ERROR:
        raise RecomputationError(f"the plan of {plan.formulation} does not hold: {plan.native_status}")
    return plan


def _reference(problem: Problem, limits: Limits) -> Mapping[str, str]:
    plan = _sound(solve(problem.by_communication, REFERENCE, limits=limits))
    if plan.strategies is None:
        short = "" if problem.memory is None else ", or does not fit into the memory"
        raise Refusal(f"data parallelism is not allowed here ({plan.native_status}{short}); try --against plan")
    return plan.strategies


def _in_words(problem: Problem) -> str:
    """Return what the reference is: data parallelism gives dp only to layers that may choose."""
    fixed = problem.instance.fix
    several = f"{len(fixed)} layers" if len(fixed) > 4 else ", ".join(fixed)
    return f"data parallelism with {several} as fixed" if fixed else "data parallelism"

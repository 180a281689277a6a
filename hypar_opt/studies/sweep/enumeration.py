"""Weighing every plan of a corner of the search space, as in the paper's Figures 9 and 10."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from hypar_opt.formulation.registry import load_formulation, refusal
from hypar_opt.formulation.run import Limits, Listener, Run, Stopped, limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.kinds import network_problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.baseline import BASE as BASELINE
from hypar_opt.studies.baseline import data_parallelism
from hypar_opt.studies.sweep.exploration import Exploration, fault_of
from hypar_opt.studies.sweep.space import Space, checked_components, counted, space_of, usual_component
from hypar_opt.util.errors import RecomputationError, Refusal
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.costgraph import Array, CostGraph, EdgeCost, UnaryCost
    from hypar_opt.instance import Instance
    from hypar_opt.solver.network_problem import NetworkProblem


def all_values(graph: CostGraph, space: Space, limits: Limits) -> Array:
    """Return the cost of every combination, in units of 1 / graph.objective.denominator; shape (space.count,).

    What involves one free layer alone is a table over its choices, what involves two a table over pairs; the sum of
    the tables, each spread over the other layers, is the sum that `graph.value` forms.

    Raises
    ------
    Stopped
        If the limits ended before the sum was complete.
    """
    total = _alone(dict(enumerate(graph.unary_costs)), space, graph.dtype, limits)
    total = total + _joined(graph.edge_costs, space, graph.dtype, limits)
    return np.broadcast_to(total, space.shape).reshape(-1)


def within_capacities(graph: CostGraph, space: Space, limits: Limits) -> Array:
    """Return which combinations keep to every capacity; shape (space.count,)."""
    allowed = np.ones(space.count, dtype=np.bool_)
    for capacity in graph.capacities:
        used = _alone(capacity.usages, space, object, limits) + _joined(capacity.pairs, space, object, limits)
        allowed &= np.broadcast_to(used <= capacity.limit, space.shape).reshape(-1)
    return allowed


def _alone(costs: Mapping[int, UnaryCost], space: Space, dtype: type, limits: Limits) -> Array:
    """Add what depends on one layer each, spread over the free ones' axes."""
    total: Array = np.zeros((1,) * len(space.free), dtype=dtype)
    for variable, cost in costs.items():
        table: Array = np.array([cost.value(choice) for choice in space.candidates[variable]], dtype=dtype)
        total = total + _spread(table, (variable,), space)
        _check(limits)
    return total


def _joined(costs: Mapping[tuple[int, int], EdgeCost], space: Space, dtype: type, limits: Limits) -> Array:
    """Add what depends on two layers each, spread over the free ones' axes."""
    total: Array = np.zeros((1,) * len(space.free), dtype=dtype)
    for (first, second), cost in costs.items():
        rows = [[cost.value(a, b) for b in space.candidates[second]] for a in space.candidates[first]]
        table: Array = np.array(rows, dtype=dtype)
        # layers stand in one order in the graph and among the axes, so that a pair's table needs no turning
        total = total + _spread(table, (first, second), space)
        _check(limits)
    return total


def _spread(table: Array, variables: Sequence[int], space: Space) -> Array:
    """Return a table over some layers, of which one that is not free has one choice, over the axes of all free ones."""
    return table.reshape([len(space.candidates[free]) if free in variables else 1 for free in space.free])


def _check(limits: Limits) -> None:
    if limits.over:
        raise Stopped


BASE: Final = "hypar-dp"
"""Whose plan for the least communication is the base, as in the paper."""
FITTING: Final = "joint-dp"
"""Finds the base plan where the paper's algorithm declines: at joins and branches, of which it knows nothing, and
where the plan has to fit into memories."""
SOURCE: Final = "explore"
"""Who speaks in events."""


def explore(
    instance: Instance | NetworkProblem | Path | str,
    layers: Sequence[str] | None = None,
    levels: Sequence[int] | None = None,
    *,
    plan: Mapping[str, str] | Plan | None = None,
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
        The base plan, or its strategies: a word by layer.
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
    if isinstance(plan, Plan):
        plan = plan.strategies
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
    words = "the base plan" if against == "plan" else data_parallelism(problem.instance.fix)
    found = Exploration(space, said, words, reference, values, units, allowed)
    run.phase("recomputing by boxes and routes")
    fault = fault_of(found, other)
    return replace(found, fault=fault) if fault else found


def _base(
    problem: NetworkProblem,
    plan: Mapping[str, str] | None,
    formulation: str | None,
    limits: Limits,
    listener: Listener | None,
) -> tuple[Mapping[str, str], str]:
    if plan is not None:
        return plan, "the plan given"
    if formulation is None:
        name, fitting = _usual(problem)
        words = f"{name}'s for the least communication{fitting}"
        return _found(problem.by_communication, name, limits, listener), words
    objective = ", ".join(problem.objective.components)
    return _found(problem, formulation, limits, listener), f"{formulation}'s for the objective {objective}"


def _usual(problem: NetworkProblem) -> tuple[str, str]:
    """Return what finds the base plan, and what is to be said of that plan."""
    if problem.memory is not None or problem.bounds:
        return FITTING, " that fits"
    reason = refusal(load_formulation(BASE), problem.by_communication.graph, Run(BASE))
    return (BASE, "") if reason is None else (FITTING, "")


def _found(problem: NetworkProblem, formulation: str, limits: Limits, listener: Listener | None) -> Mapping[str, str]:
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


def _reference(problem: NetworkProblem, limits: Limits) -> Mapping[str, str]:
    plan = _sound(solve(problem.by_communication, BASELINE, limits=limits))
    if plan.strategies is None:
        named, why = data_parallelism(problem.instance.fix), plan.note or plan.native_status
        raise Refusal(f"{named} is not allowed here ({why}); try --against plan")
    return plan.strategies

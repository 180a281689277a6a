"""What the strategies that were given cost: the optimum without them, where it does not take long."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.registry import defaults, load_formulation, refusal
from hypar_opt.formulation.run import Run, limits_of
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.instance.objective.function import LEXICOGRAPHIC
from hypar_opt.solver.check import noted
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import OBJECTIVE_WITHOUT_FIX
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import RecomputationError, Refusal
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance import Instance
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.strategy_graph import StrategyGraph
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem

CHEAP: Final = 2**26
"""Bytes of tables with which the first default takes well under a second, where nothing binds but the tables."""
PATIENCE_S: Final = 5.0
"""How long the optimum is looked for where bounds, a memory or a product make it a search, at most."""


def with_price(
    instance: Instance | StrategyGraph | Problem | Path | str,
    plan: Plan,
    limits: Limits | None = None,
    *,
    time_limit: float | None = None,
) -> Plan:
    """Return a plan that says what the strategies that were given cost: in its note, and as `Plan.price_of_fix`.

    Parameters
    ----------
    instance
        What the plan is of, with the same bounds and memory, as `solve` takes it.
    plan
        As it was found; nothing is said of one that is none, unless it is proven that there is none.
    limits
        Of the search for the optimum without them, which ends after some seconds whatever they are, and is not begun
        where the tables would be large, or a placement is to be decided.
    time_limit
        Instead of that of `limits`, in seconds.

    Returns
    -------
    The plan; the same where nothing is given.

    Raises
    ------
    InputError
        If there is no such instance.
    RecomputationError
        If the plan is better than the optimum without what is given.
    """
    limits, problem = limits_of(limits, time_limit, None, None), problem_of(instance)
    free = problem.unfixed
    if free is None or plan.status in (Status.ERROR, Status.NO_SOLUTION):
        return plan
    why = _dear(free, limits)
    if why:
        return noted(plan, f"what the given strategies cost was not looked for: {why}")
    try:
        found = solve(free, defaults(free.use)[0], limits=limits.within(PATIENCE_S))
    except Refusal as declined:
        return noted(plan, f"what the given strategies cost is not known: {declined}")
    if found.status is Status.INFEASIBLE:  # so is the problem with them
        return noted(plan, ": ".join(filter(None, ["there is none without the given strategies, either", found.note])))
    if found.objective is None or found.status is not Status.OPTIMAL:
        return noted(plan, f"what the given strategies cost is not known: {found.native_status}")
    objective = problem.objective
    if plan.objective is not None and _values(objective, plan) < _values(objective, found):
        less = f"{plan.formulation} found less with given strategies, {_spelt(objective, plan)}"
        raise RecomputationError(f"{less}, than {found.formulation} without them, {_spelt(objective, found)}")
    known = {} if objective.kind == LEXICOGRAPHIC else {OBJECTIVE_WITHOUT_FIX: exact(found.objective) or 0}
    return noted(replace(plan, statistics={**plan.statistics, **known}), _sentence(objective, plan, found))


def price_of(problem: Problem, plan: Plan, limits: Limits) -> str:
    """Return in a sentence what the strategies that were given cost; nothing where none were.

    Parameters
    ----------
    plan, limits
        As of `with_price`.

    Raises
    ------
    RecomputationError
        If the plan is better than the optimum without what is given.
    """
    return "" if problem.unfixed is None else with_price(problem, replace(plan, note=""), limits).note


def _dear(free: Problem, limits: Limits) -> str:
    """Return why the optimum is not looked for, or nothing."""
    if free.use == "joint":
        return "the placement is to be decided, too"
    if limits.over:
        return "the run had to end"
    first = load_formulation(defaults(free.use)[0])
    within = Run(first.name, replace(limits, memory_bytes=min(limits.memory_bytes, CHEAP)))
    graph = free.sizing_graph
    declined = refusal(first, graph, within)
    if declined is None:
        return ""
    larger = refusal(first, graph, Run(first.name, limits)) is None
    return f"{first.name}'s tables would be larger than {CHEAP >> 20} MiB" if larger else declined


def _values(objective: ObjectiveFunction, plan: Plan) -> tuple[Fraction, ...]:
    """Return what plans are compared by; of one component before another these, since their weights are an instance's.

    Parameters
    ----------
    plan
        With an objective's value.
    """
    assert plan.objective is not None
    if objective.kind == LEXICOGRAPHIC:
        return tuple(plan.costs[name] for name in objective.components)
    return (plan.objective,)


def _sentence(objective: ObjectiveFunction, plan: Plan, found: Plan) -> str:
    """Return what the given strategies cost, as far as it is known."""
    best, by = _spelt(objective, found), f"(proven by {found.formulation})"
    if plan.objective is None:
        return f"without the given strategies there is a plan: the optimum is {best} {by}"
    same = _values(objective, plan) == _values(objective, found)
    if plan.status is not Status.OPTIMAL:
        claim = f"without the given strategies the optimum is {best} {by}"
        if same:
            return f"{claim}, as much as this plan costs"
        above = f"this plan costs {_more(objective, plan, found)}"
        return f"{claim}; {above}, and is not proven to be the best that keeps to them"
    if same:
        return f"the given strategies cost nothing: {best} is the optimum without them, too {by}"
    more = _more(objective, plan, found).removesuffix(" more")
    return f"the given strategies cost {more}: without them the optimum is {best} {by}"


def _more(objective: ObjectiveFunction, plan: Plan, found: Plan) -> str:
    """Return how much more a plan costs than the optimum without what is given."""
    assert plan.objective is not None and found.objective is not None
    if objective.kind == LEXICOGRAPHIC:
        pairs = zip(objective.components, _values(objective, plan), _values(objective, found), strict=True)
        name, value, least = next(one for one in pairs if one[1] != one[2])
        return f"{_amount(name, value - least)} of {name} more"
    more = plan.objective - found.objective
    percent = float(100 * more / found.objective) if found.objective else 0.0
    part = f", {percent:,.0f} %" if percent >= 100 else f", {percent:.3g} %" if found.objective else ""
    return f"{_value(objective, more)}{part} more"


def _spelt(objective: ObjectiveFunction, plan: Plan) -> str:
    """Return a plan's value with its unit; of one component before another each one's."""
    if objective.kind == LEXICOGRAPHIC:
        return ", ".join(map(_amount, objective.components, _values(objective, plan)))
    assert plan.objective is not None
    return _value(objective, plan.objective)


def _value(objective: ObjectiveFunction, value: Fraction) -> str:
    """Return a value with its unit where it has one; bytes with all digits."""
    (name, weight), *others = [(name, weight) for name, weight in objective.weights.items() if weight]
    if not others and weight == 1:
        return _amount(name, value)
    return f"{float(value):.6g} {objective.unit}".rstrip()


def _amount(name: str, value: Fraction) -> str:
    return f"{in_full(value)} bytes" if name == COMMUNICATION else f"{float(value):.6g} {COMPONENTS[name].unit}"

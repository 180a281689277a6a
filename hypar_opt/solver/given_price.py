"""What the strategies that were given cost: the optimum without them, where it takes next to no time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.registry import defaults
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import COMMUNICATION, COMPONENTS
from hypar_opt.solver.check import noted
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import RecomputationError, Refusal
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem

CHEAP: Final = 2**26
"""Bytes of tables with which the first default takes well under a second."""
STATISTIC: Final = "objective_without_fix"
"""In a plan's statistics: the optimum without what is given, exact."""


def with_price(problem: Problem, plan: Plan, limits: Limits) -> Plan:
    """Return a plan that says what the strategies that were given cost.

    Parameters
    ----------
    problem
        What the plan is of.
    plan
        As it was found; nothing is said of one that is none, unless it is proven that there is none.
    limits
        Of the search for the optimum without them. It is looked for only where it is cheap, whoever found the plan.

    Raises
    ------
    RecomputationError
        If the plan is better than the optimum without what is given.
    """
    free = problem.unfixed
    if free is None or plan.status in (Status.ERROR, Status.NO_SOLUTION):
        return plan
    why = _dear(free, limits)
    if why:
        return noted(plan, f"what the given strategies cost was not looked for: {why}")
    found = solve(free, defaults(free.use)[0], limits=limits)
    if found.status is Status.INFEASIBLE:  # so is the problem with them, whose note says why
        return plan
    if found.objective is None or found.status is not Status.OPTIMAL:
        return noted(plan, f"what the given strategies cost is not known: {found.native_status}")
    if plan.objective is not None and plan.objective < found.objective:
        less = f"{plan.formulation} found less with given strategies, {in_full(plan.objective)}"
        raise RecomputationError(f"{less}, than {found.formulation} without them, {in_full(found.objective)}")
    statistics = {**plan.statistics, STATISTIC: exact(found.objective) or 0}
    return noted(replace(plan, statistics=statistics), _sentence(problem.objective, plan, found))


def _dear(free: Problem, limits: Limits) -> str:
    """Return why the optimum takes more than next to no time, or nothing."""
    if free.use == "joint":
        return "the placement is to be decided, too"
    if free.objective.kind != "sum":
        return "that takes long for this objective"
    if isinstance(free, NetworkProblem) and free.bounds:
        return "that takes long where bounds have to be kept"
    if isinstance(free, NetworkProblem) and free.memory is not None:
        return "that takes long where memory has to suffice"
    if limits.over:
        return "the run had to end"
    with suppress(Refusal):
        if free.default(replace(limits, memory_bytes=min(limits.memory_bytes, CHEAP))).name == defaults(free.use)[0]:
            return ""
    return f"joint-dp's tables would be larger than {CHEAP >> 20} MiB"


def _sentence(objective: ObjectiveFunction, plan: Plan, found: Plan) -> str:
    """Return what the given strategies cost, as far as it is known."""
    assert found.objective is not None
    best, by = _value(objective, found.objective), f"(proven by {found.formulation})"
    if plan.objective is None:
        return f"without the given strategies there is a plan: the optimum is {best} {by}"
    more = plan.objective - found.objective
    percent = float(100 * more / found.objective) if found.objective else 0.0
    part = f", {percent:,.0f} %" if percent >= 100 else f", {percent:.3g} %" if found.objective else ""
    if plan.status is not Status.OPTIMAL:
        if not more:
            return f"without the given strategies the optimum is {best} {by}, as much as this plan costs"
        above = f"this plan costs {_value(objective, more)}{part} more"
        claim = f"without the given strategies the optimum is {best} {by}"
        return f"{claim}; {above}, and is not proven to be the best that keeps to them"
    if not more:
        return f"the given strategies cost nothing: {best} is the optimum without them, too {by}"
    return f"the given strategies cost {_value(objective, more)}{part}: without them the optimum is {best} {by}"


def _value(objective: ObjectiveFunction, value: Fraction) -> str:
    """Return a value with its unit where the objective is one component; bytes with all digits."""
    (name, weight), *others = [(name, weight) for name, weight in objective.weights.items() if weight]
    if others or weight != 1:
        return f"{float(value):.6g}"
    return f"{in_full(value)} bytes" if name == COMMUNICATION else f"{float(value):.6g} {COMPONENTS[name].unit}"

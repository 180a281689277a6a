"""Data parallelism beside an instance's plans, for whatever objective; or why it cannot stand there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.formulation.solution import Status
from hypar_opt.instance.fix import OPEN
from hypar_opt.report.content.named_plan import NamedPlan, best_first
from hypar_opt.report.numbers import in_bytes
from hypar_opt.solver.solve import solve
from hypar_opt.studies.baseline import BASE, data_parallelism
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class BesideBaseline:
    """Different plans with what they are compared with.

    Parameters
    ----------
    baseline
        Data parallelism.
    plans
        The best first; it may be one of them.
    """

    baseline: NamedPlan
    plans: tuple[NamedPlan, ...]


def baseline_of(
    problem: NetworkProblem, plans: Sequence[NamedPlan], limits: Limits, listener: Listener | None
) -> NamedPlan:
    """Return data parallelism: one of the plans, or found here where no formulation was asked for it.

    Where the placement is to be decided it stands on the accelerators in order, or where the best plan stands if it
    costs less there.

    Raises
    ------
    Refusal
        If no such plan is allowed; says why.
    """
    found = next((named for named in plans if named.plan.formulation == BASE), None)
    if found is not None:
        return found
    if not problem.is_free:
        return NamedPlan(BASE, problem, _allowed(problem, solve(problem, BASE, limits=limits, listener=listener)))
    machine, leaves = problem.instance.machine, problem.instance.partition.leaves
    places = [machine.accelerators[:leaves]]
    best = min(plans, key=best_first, default=None)
    places += [] if best is None or best.plan.placement is None else [best.plan.placement]
    placed = [_placed(problem, place, limits, listener) for place in dict.fromkeys(places)]
    return min(placed, key=best_first)


def _placed(problem: NetworkProblem, place: Sequence[str], limits: Limits, listener: Listener | None) -> NamedPlan:
    plan = _allowed(problem, solve(problem.at(place), BASE, limits=limits, listener=listener))
    return NamedPlan(BASE, problem, replace(plan, placement=tuple(place)))


def _allowed(problem: NetworkProblem, plan: Plan) -> Plan:
    """Return a plan that there is.

    Raises
    ------
    Refusal
        If there is none; with the memory that it would need, where that is why.
    """
    if plan.strategies is not None and plan.status is not Status.ERROR:
        return plan
    instance = problem.instance
    named = data_parallelism(instance.fix)
    given = {layer.name: instance.fix.get(layer.name, OPEN * instance.levels) for layer in problem.work.layers}
    words = {name: word.replace(OPEN, "d") for name, word in given.items()}
    if problem.memory is not None:
        limit = Fraction(problem.memory.limit, problem.memory.unit)
        kept = sum(problem.resident(words).values(), start=Fraction(0))
        if kept > limit:
            there = f"each accelerator, which has a memory of {in_bytes(limit)}"
            raise Refusal(f"{named} needs {in_bytes(kept)} on {there}")
    raise Refusal(f"{named} is not allowed here: {plan.note or plan.native_status}")

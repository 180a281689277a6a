"""Rules beside the best plan of operators: the batch everywhere, and Megatron's; or why they cannot stand there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.report.content.operator_plan import NamedOperatorPlan
from hypar_opt.solver.solve import solve
from hypar_opt.studies.baseline import BASE
from hypar_opt.util.errors import HyparError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.solver.operator_problem import OperatorProblem

RULES: Final = (BASE, "megatron")
"""Formulations that everybody knows plans of."""


@dataclass(frozen=True)
class RuleBeside:
    """What a rule comes to.

    Parameters
    ----------
    rule
        The formulation.
    named
        Its plan; None where it has none.
    missing
        Why it has none, or nothing.
    """

    rule: str
    named: NamedOperatorPlan | None
    missing: str = ""


def rules_beside(
    problem: OperatorProblem, plans: Sequence[NamedOperatorPlan], limits: Limits, listener: Listener | None
) -> tuple[RuleBeside, ...]:
    """Return each rule's plan: one of those that were found, or found here where nobody asked for it."""
    return tuple(_beside(rule, problem, plans, limits, listener) for rule in RULES)


def _beside(
    rule: str,
    problem: OperatorProblem,
    plans: Sequence[NamedOperatorPlan],
    limits: Limits,
    listener: Listener | None,
) -> RuleBeside:
    found = next((named for named in plans if named.plan.formulation == rule), None)
    if found is not None:
        return RuleBeside(rule, found)
    try:
        plan = solve(problem, rule, limits=limits, listener=listener)
    except HyparError as error:
        return RuleBeside(rule, None, str(error))
    except Stopped:
        return RuleBeside(rule, None, "stopped by the limit")
    if plan.strategies is None or plan.status is Status.ERROR:
        return RuleBeside(rule, None, plan.note or plan.native_status)
    return RuleBeside(rule, NamedOperatorPlan(rule, problem, plan))

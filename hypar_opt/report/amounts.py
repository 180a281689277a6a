"""What a plan costs, or costs more than another: as texts and for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.objective.function import LEXICOGRAPHIC
from hypar_opt.report.numbers import in_component, in_objective
from hypar_opt.util.numbers import exact, percent

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction

    from hypar_opt.studies.amounts import PlanAmount
    from hypar_opt.studies.plan_comparison import ComparedProblem


def plain(text: Callable[[int | Fraction], str], value: int | Fraction) -> str:
    """Return a value as it is."""
    return text(value)


def signed(text: Callable[[int | Fraction], str], value: int | Fraction) -> str:
    """Return a difference with its sign; 0 as it is."""
    return f"+{text(value)}" if value > 0 else text(value)


def relative(first: Fraction, more: Fraction) -> str:
    """Return what part of a first amount a difference is, in brackets; nothing where there is none."""
    return f" ({'+' if more > 0 else ''}{percent(more / first)})" if first and more else ""


def weighed(problem: ComparedProblem, amount: PlanAmount, write: Callable[..., str] = plain) -> dict[str, str]:
    """Return what is minimised, where that is not bytes: of components one before another, each.

    Parameters
    ----------
    write
        `plain` or `signed`.
    """
    objective = problem.objective
    if objective.spelt == COMMUNICATION:
        return {}
    if objective.kind != LEXICOGRAPHIC:
        return {objective.spelt: write(lambda value: in_objective(objective, value), amount.objective)}
    return {
        name: write(lambda value, name=name: in_component(name, value), cost)
        for name, cost in amount.costs.items()
        if name != COMMUNICATION
    }


def amount_document(amount: PlanAmount) -> dict[str, Any]:
    """Return it for machines."""
    return {
        "bytes": exact(amount.bytes),
        "level_bytes": [exact(one) for one in amount.levels],
        "objective": exact(amount.objective),
        "costs": {name: exact(cost) for name, cost in amount.costs.items()},
    }

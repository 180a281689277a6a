"""What is said of a compared cell: marks of proofs, words where there is no plan, footnotes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.plan import Status
from hypar_opt.report.tables import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.comparing import Cell
    from hypar_opt.comparing_arrays import ArrayCell
    from hypar_opt.plan import Plan

WITHOUT: Final[Mapping[Status, str]] = MappingProxyType(
    {Status.INFEASIBLE: "infeasible", Status.NO_SOLUTION: "none found", Status.ERROR: "error"}
)
"""What is said where there is no plan."""


def instead(plan: Plan | None) -> str | None:
    """Return what stands where a cost would."""
    return WITHOUT.get(plan.status) if plan is not None else None


def mark(plan: Plan | None) -> str:
    """Return the mark of a proof; one of the placement alone is another."""
    if plan is None or not plan.proven:
        return ""
    return "+" if of_placement_alone(plan) else "*"


def of_placement_alone(plan: Plan) -> bool:
    """Return whether the proof is of the placement, for strategies that were found without one."""
    return plan.status is Status.OPTIMAL and plan.decided == "placement"


def notes(cell: Cell | ArrayCell) -> tuple[str, ...]:
    """Return why a cell has no cost, or what its cost rests on."""
    plan = cell.plan
    if plan is None:
        return (cell.refusal,)
    said = plan.native_status or plan.status.value
    before = {
        Status.OPTIMAL: "",
        Status.FEASIBLE: f"not proven{_gap(plan)}: {said}",
        Status.INFEASIBLE: "",
        Status.NO_SOLUTION: said,
        Status.ERROR: said,
    }[plan.status]
    return tuple(text for text in (before, plan.note) if text)


def _gap(plan: Plan) -> str:
    """Return how far a plan is above its proven bound; nothing where that says nothing."""
    if plan.objective is None or plan.bound is None or plan.bound <= 0:
        return ""
    return f" ({number(100 * (plan.objective - plan.bound) / plan.bound, 2)} % above the bound)"

"""What is said of a compared cell: marks of proofs, words where there is no plan, footnotes."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.plan import Status
from hypar_opt.report.gaps import beside_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from hypar_opt.comparing import Cell
    from hypar_opt.comparing_arrays import ArrayCell
    from hypar_opt.plan import Plan

WITHOUT: Final[Mapping[Status, str]] = MappingProxyType(
    {Status.INFEASIBLE: "infeasible", Status.NO_SOLUTION: "none found", Status.ERROR: "error"}
)
"""What is said where there is no plan."""
DECLINED: Final = "DECLINED"
PLACED: Final = "OPTIMAL placement"
"""What stands for a status: where no plan was looked for, and where it is of the placement alone."""
UNBUILDABLE: Final = (
    "; ! cannot be built as it stands: a dimension is split into more parts than it has elements (--json says which, "
    "--splits divisible allows only plans that can)"
)
"""How a legend goes on where a cell has the mark."""


def instead(plan: Plan | None) -> str | None:
    """Return what stands where a cost would."""
    return WITHOUT.get(plan.status) if plan is not None else None


def mark(plan: Plan | None) -> str:
    """Return the mark of a proof; one of the placement alone is another."""
    if plan is None or not plan.proven:
        return ""
    return "+" if of_placement_alone(plan) else "*"


def unbuildable_mark(plan: Plan | None) -> str:
    """Return the mark of a plan that splits a dimension into more parts than it has elements."""
    return "!" if plan is not None and plan.unbuildable else ""


def unbuildable_legend(plans: Iterable[Plan | None]) -> str:
    """Return what that mark means, to be added to a legend, where one of the plans has it."""
    return UNBUILDABLE if any(map(unbuildable_mark, plans)) else ""


def of_placement_alone(plan: Plan) -> bool:
    """Return whether the proof is of the placement, for strategies that were found without one."""
    return plan.status is Status.OPTIMAL and plan.decided == "placement"


def word(plan: Plan | None) -> str:
    """Return what stands for a status beside others: `OPTIMAL` only where no plan at all costs less."""
    if plan is None:
        return DECLINED
    return PLACED if of_placement_alone(plan) else plan.status.value


def bound(plan: Plan) -> Fraction | None:
    """Return what no plan costs less than; None where the bound is one of the placement of given strategies."""
    return None if plan.decided == "placement" else plan.bound


def notes(cell: Cell | ArrayCell) -> tuple[str, ...]:
    """Return why a cell has no cost, or what its cost rests on."""
    plan = cell.plan
    if plan is None:
        return (cell.refusal,)
    said = plan.native_status or plan.status.value
    before = {
        Status.OPTIMAL: "",
        Status.FEASIBLE: f"not proven{beside_bound(plan)}: {said}",
        Status.INFEASIBLE: "",
        Status.NO_SOLUTION: said,
        Status.ERROR: said,
    }[plan.status]
    return tuple(text for text in (before, plan.note) if text)

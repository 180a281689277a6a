"""In which order formulations and their plans stand: the same wherever the plans come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.plan import Status

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.plan import Plan
    from hypar_opt.reporting.content import Named

ORDER: Final = (
    "hypar-dp",
    "joint-dp",
    "milp-cbc",
    "milp-highs",
    "cp-sat",
    "brute-force",
    "data-parallel",
    "model-parallel",
    "one-weird-trick",
    "joint-enumeration",
    "joint-cp-sat",
    "alternating",
    "placement-milp",
    "placement-cp-sat",
    "local-search",
    "recursive-bisection",
    "identity",
)
"""The project's own, as its documents list them: the paper's, the default, other proofs, fixed strategies; those that
place beside and after. What is not listed comes last, as it came."""


def place_of(formulation: str) -> int:
    """Return a formulation's place among all."""
    return ORDER.index(formulation) if formulation in ORDER else len(ORDER)


def best_first(named: Named) -> tuple[bool, Fraction | int, bool, int]:
    """Return what sorts plans: those of least objective first, of these those with a proof, then by formulation."""
    plan = named.plan
    return plan.objective is None, plan.objective or 0, not proves(plan), place_of(plan.formulation)


def proves(plan: Plan) -> bool:
    """Return whether it is proven that no plan at all costs less; a proof of a placement is one for its strategies."""
    return plan.status is Status.OPTIMAL and plan.decided != "placement"

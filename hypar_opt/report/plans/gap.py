"""How far a plan that is not proven to be the best may be from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.plan import Status
from hypar_opt.report.numbers import in_aim

if TYPE_CHECKING:
    from hypar_opt.aim import Aim
    from hypar_opt.plan import Plan


def gap(aim: Aim, plan: Plan) -> str:
    """Return what follows the cost of a plan: how far it is above its bound, relative to that; nothing if proven."""
    if plan.status is not Status.FEASIBLE or plan.objective is None:
        return ""
    if plan.bound is None:
        return ", no bound known"
    above = f"{float((plan.objective - plan.bound) / abs(plan.bound)):.3%} above" if plan.bound else "above"
    return f", {above} the proven bound {in_aim(aim, plan.bound)}"

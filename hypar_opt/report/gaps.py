"""How far a plan that is not proven to be the best may be from it, in words."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.plan import Status
from hypar_opt.report.numbers import in_aim

if TYPE_CHECKING:
    from hypar_opt.aim import Aim
    from hypar_opt.plan import Plan

DIGITS: Final = 3
"""Significant digits of a percentage."""
LEAST: Final = Fraction(1, 10**5)
"""The least share that is written in digits."""


def gap(aim: Aim, plan: Plan) -> str:
    """Return what follows the cost of a plan: how far it is above its bound, relative to that; nothing if proven."""
    if plan.status is not Status.FEASIBLE or plan.objective is None:
        return ""
    if plan.bound is None:
        return ", no bound known"
    return f", {above(plan.objective, plan.bound)} the proven {_of(plan)}{in_aim(aim, plan.bound)}"


def beside_bound(plan: Plan) -> str:
    """Return the same without the bound, for a footnote; nothing where there is no bound, or 0, which all are above."""
    if plan.objective is None or plan.bound is None or plan.bound <= 0:
        return ""
    return f" ({above(plan.objective, plan.bound)} the {_of(plan).rstrip()})"


def _of(plan: Plan) -> str:
    """Return what the bound is of: one of a placement holds for the plan's strategies alone."""
    return "bound of its strategies' placement " if plan.decided == "placement" else "bound "


def above(cost: Fraction | int, bound: Fraction | int) -> str:
    """Return what stands between a cost and its bound: `12 % above`, from twice the bound on `2.5 times`."""
    if bound > 0:
        ratio = Fraction(cost) / bound
        return f"{percent(ratio - 1)} above" if ratio < 2 else f"{decimal(ratio)} times"
    more = Fraction(cost - bound) / -bound if bound else None
    return f"{percent(more)} above" if more is not None and more <= 1 else "above"


def percent(part: Fraction | float, digits: int = DIGITS) -> str:
    """Return a share in per cent: 0 and 100 only where it is that, never as a power of ten.

    Parameters
    ----------
    digits
        Significant digits, without zeros at the end.
    """
    size = abs(Fraction(part))
    sign = "-" if part < 0 else ""
    if 0 < size < LEAST:
        return f"{sign}<{decimal(100 * LEAST, digits)} %"
    shown = decimal(100 * size, digits)
    if shown == "100" and size != 1:
        return f"{sign}>99.9 %" if size < 1 else f"{sign}>100 %"
    return f"{sign}{shown} %"


def decimal(value: Fraction | int, digits: int = DIGITS) -> str:
    """Return a number with so many significant digits, without zeros at the end."""
    from hypar_opt.report.tables.formatting import number

    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text else text

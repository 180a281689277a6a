"""What a report shows of accelerators of several kinds beside plans: data parallelism, and the price of given words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.formulation.run import Limits, Listener, Stopped
from hypar_opt.report.content.content import BASELINE, Subject, is_shown
from hypar_opt.report.content.mixed_plan import NamedMixedPlan
from hypar_opt.solver.given_price import price_of
from hypar_opt.solver.solve import solve
from hypar_opt.studies.baseline import BASE, data_parallelism
from hypar_opt.util.errors import HyparError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def with_mixed_baseline(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with data parallelism at its best shares, and the price of given words.

    Parameters
    ----------
    wanted
        Which sections are; there are no others of such instances.
    limits
        Returns those of what begins now.
    """
    baseline, missing = None, dict(subject.missing)
    try:
        baseline = _baseline(subject, limits(), listener)
    except (HyparError, Stopped) as error:
        missing[BASELINE] = str(error) or "stopped by the limit"
    return replace(subject, baseline=baseline, price=_price(subject, limits()), missing=missing)


def _baseline(subject: Subject, limits: Limits, listener: Listener | None) -> NamedMixedPlan:
    """Return data parallelism: one of the plans, or found here where no formulation was asked for it.

    Raises
    ------
    Refusal
        If no such plan is allowed.
    """
    found = next((named for named in subject.plans if named.plan.formulation == BASE), None)
    if isinstance(found, NamedMixedPlan):
        return found
    plan = solve(subject.problem, BASE, limits=limits, listener=listener)
    if not is_shown(plan):
        named = data_parallelism(subject.instance.fix)
        raise Refusal(f"{named} is not allowed here: {plan.note or plan.native_status}")
    return NamedMixedPlan(BASE, subject.problem, plan)


def _price(subject: Subject, limits: Limits) -> str:
    """Return what the given words cost, of the best plan."""
    if subject.best is None:
        return ""
    try:
        return price_of(subject.problem, subject.best.plan, limits)
    except HyparError as error:
        return str(error)

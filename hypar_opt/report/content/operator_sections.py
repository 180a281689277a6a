"""What a report shows of operators beside plans: a front, where the array allows one, and rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener, Stopped
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.report.content.content import BASELINE, FRONT, Subject, is_shown
from hypar_opt.report.content.named_plan import best_first
from hypar_opt.report.content.operator_rules import rules_beside
from hypar_opt.solver.given_price import price_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.util.errors import HyparError, InputError, MachineError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from hypar_opt.solver.front import ParetoFront

PATIENCE_S: Final = 30.0
"""How long a front is looked for where no time limit is given: of large networks it may take for ever."""


def with_operator_sections(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with its front of time and communication, rules beside it, and the price of given words.

    Parameters
    ----------
    wanted
        Which sections are.
    limits
        Returns those of a section that begins now.
    """
    front, why = None, "not asked for"
    if FRONT in wanted:
        front, why = _front(subject, limits(), listener)
    missing = {FRONT: why} if why else {}
    rules = rules_beside(subject.problem, subject.plans, limits(), listener)
    base = rules[0]
    missing |= {BASELINE: base.missing} if base.missing else {}
    price = _price(subject, limits())
    return replace(subject, front=front, rules=rules, baseline=base.named, price=price, missing=missing)


def _front(subject: Subject, limits: Limits, listener: Listener | None) -> tuple[ParetoFront | None, str]:
    within = limits if limits.deadline is not None else limits.within(PATIENCE_S)
    try:
        return pareto_front(subject.problem, (TIME, COMMUNICATION), limits=within, listener=listener), ""
    except InputError as error:  # its file is not the reader's
        return None, error.message if error.field is None else f"{error.field}: {error.message}"
    except (MachineError, Refusal) as error:
        return None, str(error)
    except Stopped:
        return None, "stopped by the limit"


def _price(subject: Subject, limits: Limits) -> str:
    """Return what the given words cost, of the best plan."""
    best = min(subject.plans, key=best_first, default=None)
    if best is None or not is_shown(best.plan):
        return ""
    try:
        return price_of(subject.problem, best.plan, limits)
    except HyparError as error:
        return str(error)

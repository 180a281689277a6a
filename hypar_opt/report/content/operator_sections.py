"""What a report shows of operators beside plans: a front, where the array allows one, and rules."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.instance.objective.components import COMMUNICATION, TIME
from hypar_opt.report.content.content import BASELINE, FRONT, Subject, is_shown
from hypar_opt.report.content.operator_rules import rules_beside
from hypar_opt.report.content.section import Section
from hypar_opt.solver.given_price import price_of
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.util.errors import HyparError, InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from hypar_opt.solver.front import ParetoFront

PATIENCE_S: Final = 30.0
"""How long a front is looked for where no time limit is given: of large networks it may take for ever."""


def with_rules(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with rules beside its plans, and the price of given words.

    Parameters
    ----------
    wanted
        Which sections are.
    limits
        Returns those of what begins now.
    """
    rules = rules_beside(subject.problem, subject.plans, limits(), listener)
    base = rules[0]
    missing = {**subject.missing, **({BASELINE: base.missing} if base.missing else {})}
    return replace(subject, rules=rules, baseline=base.named, price=_price(subject, limits()), missing=missing)


def _front(subject: Subject, _: None, limits: Limits, listener: Listener | None) -> ParetoFront:
    within = limits if limits.deadline is not None else limits.within(PATIENCE_S)
    try:
        return pareto_front(subject.problem, (TIME, COMMUNICATION), limits=within, listener=listener)
    except InputError as error:  # its file is not the reader's
        raise Refusal(error.message if error.field is None else f"{error.field}: {error.message}") from None


def _price(subject: Subject, limits: Limits) -> str:
    """Return what the given words cost, of the best plan."""
    if subject.best is None or not is_shown(subject.best.plan):
        return ""
    try:
        return price_of(subject.problem, subject.best.plan, limits)
    except HyparError as error:
        return str(error)


SECTIONS_OF_OPERATORS: Final[Mapping[str, Section]] = MappingProxyType({FRONT: Section(_front)})
"""By name."""

"""Evaluators of speed-ups and gains in energy: the exact model of a case's machine, held against what is printed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import COMPONENTS, ENERGY, TIME
from hypar_opt.studies.claims import rounding
from hypar_opt.studies.claims.gains import exchanges_printed, found, judge_given, why_unlike
from hypar_opt.studies.claims.model_statements import Gain
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement, MissingPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.claims.claims import PublishedClaim
    from hypar_opt.studies.claims.gains import Found
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case


def judge_performance(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a speed-up: the seconds of a training step."""
    return _judged(claim, plans, TIME)


def judge_energy(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a gain in energy efficiency: the joules of a training step."""
    return _judged(claim, plans, ENERGY)


def _judged(claim: PublishedClaim, plans: PlanCache, component: str) -> Judgement:
    statement = claim.statement
    assert isinstance(statement, Gain)
    groups = claim.by_reading
    pairs = [list(zip(*pair, strict=True)) for pair in zip(groups[::2], groups[1::2], strict=True)]
    if statement.any_instance and statement.exchanges == "own":
        return _any_instance([pair for several in pairs for pair in several], statement, component, plans)
    readings = [[found(*pair, statement, component, plans) for pair in several] for several in pairs]
    details = {"gains": [{**one.row, "gain": str(one.gain)} for several in readings for one in several]}
    if statement.exchanges == "printed":
        return judge_given(readings[0][0], statement, details)
    return _mean(readings, statement, details)


def _mean(readings: Sequence[Sequence[Found]], statement: Gain, details: dict[str, Any]) -> Judgement:
    """Return the verdict on a gain, or on the geometric mean of several; under each accounting that may be meant."""
    expected = statement.expected
    gains = [[one.gain for one in several] for several in readings]
    agreeing = [expected.how(one[0]) if len(one) == 1 else expected.how_mean(one) for one in gains]
    alike = [exchanges_printed(several[0], statement) for several in readings]
    numbers = [one[0] if len(one) == 1 else rounding.mean(one) for one in gains]
    names = [several[0].case.instance.accounting for several in readings]
    shown = _each([expected.shown(*one) for one in zip(numbers, agreeing, strict=True)], names)
    right = [how is not None and same for how, same in zip(agreeing, alike, strict=True)]
    shows = right.index(True) if any(right) else alike.index(True) if any(alike) else 0
    evidence = _evidence(readings[shows], statement)
    if not any(alike):  # a number that agrees all the same does so by chance
        why = why_unlike([several[0] for several in readings], statement)
        return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, evidence, "", details)
    if any(right):
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    why = expected.why_not(numbers[shows])  # of a plan with other bytes it would say nothing
    if len(readings) > 1:
        chance = [name for name, how, same in zip(names, agreeing, alike, strict=True) if how is not None and not same]
        why = f"under {names[shows]}: {why}{_by_chance(chance)}"
    return Judgement(ClaimVerdict.REFUTED, shown, why, evidence, "", details)


def _by_chance(names: Sequence[str]) -> str:
    if not names:
        return ""
    return f"; under {', '.join(names)} it agrees, but there the plan exchanges other bytes than are printed"


def _any_instance(pairs: Sequence[tuple[Case, Case]], statement: Gain, component: str, plans: PlanCache) -> Judgement:
    """Return the verdict where it is open which instance is meant: that none of these gives it refutes nothing."""
    expected = statement.expected
    each, without = _candidates(pairs, statement, component, plans)
    if not each:
        why = f"it is open which network is meant, and no candidate has a plan: {without[0].why}"
        return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, "-", why, without[0].evidence)
    details: dict[str, Any] = {"gains": [{**one.row, "gain": str(one.gain)} for one in each]}
    if without:
        details["without_plan"] = [*map(_where, without)]
    agreeing = [expected.how(one.gain) for one in each]
    names = [one.case.instance.name for one in each]
    shown = _each([expected.shown(one.gain, how) for one, how in zip(each, agreeing, strict=True)], names)
    evidence = _evidence(each, statement)
    if any(how is not None for how in agreeing):
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    why = f"it is open which network is meant, and none of {len(pairs)} candidates gives what is printed"
    return Judgement(ClaimVerdict.NOT_REPRODUCIBLE, shown, why, evidence, "", details)


def _candidates(
    pairs: Sequence[tuple[Case, Case]], statement: Gain, component: str, plans: PlanCache
) -> tuple[list[Found], list[Judgement]]:
    """Return what the instances give, and what is said of those that have no plan: they are not the one meant."""
    each, without = [], []
    for pair in pairs:
        try:
            each.append(found(*pair, statement, component, plans))
        except MissingPlan as none:
            without.append(none.judgement)
    return each, without


def _where(without: Judgement) -> str:
    return f"{without.evidence}: {without.why}"


def _evidence(each: Sequence[Found], statement: Gain) -> str:
    whose = statement.formulation or "the given plan"
    pair = f"{whose} over {statement.over}"
    if len(each) > 1:
        return f"{pair}: {len(each)} exact ratios"
    one = each[0]
    seconds = [f"{float(Fraction(cost)):.4g} {COMPONENTS[one.component].unit}" for cost in (one.cost, one.base)]
    return f"{pair}: {' against '.join(seconds)} a step"


def _each(texts: Sequence[str], names: Sequence[str]) -> str:
    """Return one text as it is, and of several each with its name."""
    if len(texts) == 1:
        return texts[0]
    return ", ".join(f"{text} ({name})" for text, name in zip(texts, names, strict=True))

"""Evaluators of printed bytes: one plan's, and the geometric mean of several."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.studies.claims import rounding
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.spelling import solve_command, words_of
from hypar_opt.studies.claims.statements import GeometricMean, Total
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.claims.claims import PublishedClaim
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.replacements import Case
    from hypar_opt.studies.claims.statement_parts import PrintedBytes


def judge_total(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a plan's communication: exact bytes within half a unit of the last printed digit."""
    statement = claim.statement
    assert isinstance(statement, Total)
    unit, size = statement.unit
    totals = [_total(case, statement, plans) for case in claim.cases]
    scaled = [total / size for total in totals]
    agreeing = [statement.expected.how(number) for number in scaled]
    texts = [statement.expected.shown(number, how, unit) for number, how in zip(scaled, agreeing, strict=True)]
    whose = statement.formulation or "the given plan"
    rests = f"{whose}: {_each([f'{in_full(total)} bytes' for total in totals], claim.cases)}"
    command = ""
    if statement.formulation is not None and len(totals) == 1:
        command = solve_command(claim.cases[0], statement.formulation)
    details = {"totals": _rows(claim.cases, totals)}
    why = _why(agreeing, statement, scaled)
    return _judgement(why, _each(texts, claim.cases), rests, command, details)


def judge_gmean(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a geometric mean: the exact product against the powers of what rounds to the printed number."""
    statement = claim.statement
    assert isinstance(statement, GeometricMean)
    unit, size = statement.unit
    agreeing, texts, means, details = [], [], [], []
    for cases in claim.by_reading:
        totals = [Fraction(_of_formulation(case, statement.formulation, plans)) for case in cases]
        scaled = [total / size for total in totals]
        agreeing.append(statement.expected.how_mean(scaled))
        means.append(rounding.mean(scaled))
        texts.append(statement.expected.shown(means[-1], agreeing[-1], unit))
        details += _rows(cases, totals)
    firsts = [cases[0] for cases in claim.by_reading]
    rests = f"{statement.formulation}: the product of {len(claim.spec.names)} exact totals"
    why = _why(agreeing, statement, means)
    return _judgement(why, _each(texts, firsts), rests, "", {"totals": details})


def _total(case: Case, statement: Total, plans: PlanCache) -> Fraction:
    if statement.formulation is not None:
        return _of_formulation(case, statement.formulation, plans)
    words = words_of(case, statement.strategies, statement.others)
    require_allowed(case, plans.problem(case), words)
    return Fraction(plans.problem(case).bytes_of(words).total)


def _of_formulation(case: Case, formulation: str, plans: PlanCache) -> Fraction:
    return Fraction(plans.problem(case).bytes_of(plans.strategies(case, formulation)).total)


def _why(agreeing: Sequence[str | None], statement: PrintedBytes, numbers: Sequence[Fraction]) -> str:
    """Return why none of the numbers agrees; of the first where they are several. Nothing where one does."""
    if any(how is not None for how in agreeing):
        return ""
    return statement.expected.why_not(numbers[0])


def _judgement(why: str, recomputed: str, evidence: str, command: str, details: dict[str, Any]) -> Judgement:
    verdict = ClaimVerdict.REFUTED if why else ClaimVerdict.CONFIRMED
    return Judgement(verdict, recomputed, why, evidence, command, details)


def _each(texts: Sequence[str], cases: Sequence[Case]) -> str:
    """Return one text as it is, and of several each once with its accountings."""
    if len(texts) == 1:
        return texts[0]
    names: dict[str, list[str]] = {}
    for text, case in zip(texts, cases, strict=True):
        names.setdefault(text, []).append(case.instance.accounting)
    return ", ".join(f"{text} ({', '.join(accountings)})" for text, accountings in names.items())


def _rows(cases: Sequence[Case], totals: Sequence[Fraction]) -> list[dict[str, Any]]:
    return [
        {"instance": case.instance.name, "accounting": case.instance.accounting, "communication_bytes": exact(total)}
        for case, total in zip(cases, totals, strict=True)
    ]

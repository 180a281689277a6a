"""Evaluators of what is printed of plans: their words, their bytes, and the geometric mean of several."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import Judgement, PublishedClaim
from hypar_opt.studies.claims.legality import require_allowed
from hypar_opt.studies.claims.printed import geometric_mean
from hypar_opt.studies.claims.replacements import Case, difference, solve_command, worded, words_of
from hypar_opt.studies.claims.statements import GeometricMean, PlanOf, Total
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.statement_parts import PrintedBytes


def judge_plan(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge the words that a formulation is said to yield, letter by letter."""
    statement, case = claim.statement, claim.cases[0]
    assert isinstance(statement, PlanOf)
    printed = words_of(case, statement.strategies, statement.others)
    require_allowed(case, plans.problem(case), printed)
    found = plans.strategies(case, statement.formulation)
    total = plans.problem(case).bytes_of(found).total
    differs = difference(printed, found)
    details = {"plan": dict(found), "communication_bytes": exact(total), "differs": differs}
    evidence = f"{statement.formulation}'s plan exchanges {in_full(total)} bytes"
    command = solve_command(case, statement.formulation)
    if not differs:
        return Judgement.confirmed_unless("", "the same", evidence, details, command)
    recomputed = worded({layer: words[1] for layer, words in differs.items()})
    why = f"{len(differs)} layers differ" if len(differs) > 1 else "one layer differs"
    if len(printed) == len(found):
        other = plans.problem(case).bytes_of(printed).total
        evidence += f", the printed one {in_full(other)}"
        why += "; the printed plan exchanges as many bytes" if other == total else ""
    return Judgement.confirmed_unless(why, recomputed, evidence, details, command)


def judge_total(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a plan's communication: exact bytes within half a unit of the last printed digit."""
    statement = claim.statement
    assert isinstance(statement, Total)
    totals = [_total(case, plans.words(case, statement), plans) for case in claim.cases]
    whose = statement.formulation or "the given plan"
    rests = f"{whose}: {_each([f'{in_full(total)} bytes' for total in totals], claim.cases)}"
    alone = statement.formulation is not None and len(totals) == 1
    command = solve_command(claim.cases[0], whose) if alone else ""
    return _judged(claim, statement, [[total] for total in totals], rests, command)


def judge_gmean(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a geometric mean: the exact product against the powers of what rounds to the printed number."""
    statement = claim.statement
    assert isinstance(statement, GeometricMean)
    totals = [
        [_total(case, plans.strategies(case, statement.formulation), plans) for case in cases]
        for cases in claim.by_reading
    ]
    rests = f"{statement.formulation}: the product of {len(claim.spec.names)} exact totals"
    return _judged(claim, statement, totals, rests)


def _total(case: Case, words: Mapping[str, str], plans: PlanCache) -> Fraction:
    return Fraction(plans.problem(case).bytes_of(words).total)


def _judged(
    claim: PublishedClaim, statement: PrintedBytes, totals: Sequence[Sequence[Fraction]], rests: str, command: str = ""
) -> Judgement:
    """Judge the mean of each reading, of a single total the total; where none agrees, the first says why."""
    (unit, size), expected = statement.unit, statement.expected
    scaled = [[total / size for total in several] for several in totals]
    agreeing = [expected.how_mean(several) for several in scaled]
    means = [geometric_mean(several) for several in scaled]
    texts = [expected.shown(mean, how, unit) for mean, how in zip(means, agreeing, strict=True)]
    why = "" if any(how is not None for how in agreeing) else expected.why_not(means[0])
    rows = [
        {"instance": case.instance.name, "accounting": case.instance.accounting, "communication_bytes": exact(total)}
        for case, total in zip(claim.cases, chain(*totals), strict=True)
    ]
    firsts = [cases[0] for cases in claim.by_reading]
    return Judgement.confirmed_unless(why, _each(texts, firsts), rests, {"totals": rows}, command)


def _each(texts: Sequence[str], cases: Sequence[Case]) -> str:
    """Return one text as it is, and of several each once with its accountings."""
    if len(texts) == 1:
        return texts[0]
    names: dict[str, list[str]] = {}
    for text, case in zip(texts, cases, strict=True):
        names.setdefault(text, []).append(case.instance.accounting)
    return ", ".join(f"{text} ({', '.join(accountings)})" for text, accountings in names.items())

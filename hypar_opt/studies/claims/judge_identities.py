"""Evaluators of whether several printed numbers, or several printed formulae, can be one."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.arithmetic_statements import Agreeing, EqualFormulae
from hypar_opt.studies.claims.claims import Judgement, PublishedClaim
from hypar_opt.studies.claims.judge_arithmetic import between
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.studies.claims.plans import PlanCache


def judge_agreeing(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether numbers that are printed of one thing can be the same: whether something rounds to all of them.

    Numbers that are a unit of their last digit apart are not: one number is rounded one way.
    """
    statement = claim.statement
    assert isinstance(statement, Agreeing)
    apart = [(a, b) for a, b in combinations(statement.numbers, 2) if not _overlap(a.interval, b.interval)]
    least = max(one.interval[0] for one in statement.numbers)
    most = min(one.interval[1] for one in statement.numbers)
    why = f"nothing rounds to both {apart[0][0].text} and {apart[0][1].text}" if apart else ""
    found = "-" if apart else between(least, most)
    return Judgement.confirmed_unless(why, found, "all that rounds to each of them", {"apart": len(apart)})


def _overlap(one: tuple[Fraction, Fraction], other: tuple[Fraction, Fraction]) -> bool:
    """Return whether intervals have more in common than an end."""
    return max(one[0], other[0]) < min(one[1], other[1])


def judge_identity(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge whether formulae come to the same for every choice of values; exact."""
    statement = claim.statement
    assert isinstance(statement, EqualFormulae)
    found = [(case, statement.values(case)) for case in statement.cases]
    apart = [(case, values) for case, values in found if len(set(values)) > 1]
    cases = counted(len(found), "case")
    why, shown = "", "the same"
    if apart:
        case, values = apart[0]
        at = ", ".join(f"{name} = {value}" for name, value in case.items())
        why = f"in {len(apart)} of {cases} they are not: {' and '.join(map(str, values))} ({at})"
        case, values = apart[-1]
        at = ", ".join(f"{name} = {value}" for name, value in case.items())
        shown = f"{', '.join(map(str, values))} ({at})"
    return Judgement.confirmed_unless(why, shown, f"each computed in {cases}, exact", {"apart": len(apart)})

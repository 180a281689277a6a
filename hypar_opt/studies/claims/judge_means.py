"""Evaluator of geometric means of printed numbers."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.claims.printed import geometric_mean
from hypar_opt.studies.claims.statement_parts import Numeric
from hypar_opt.studies.claims.statements import MeanOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.studies.claims.plans import PlanCache


def judge_mean_of(
    claim: PublishedClaim, plans: PlanCache, judge: Callable[[PublishedClaim, PlanCache], Judgement]
) -> Judgement:
    """Judge a mean by the printed numbers: it stands if they do, and no better than they.

    Parameters
    ----------
    claim, plans
        As every evaluator has them.
    judge
        Judges the claims whose numbers these are.
    """
    statement = claim.statement
    assert isinstance(statement, MeanOf)
    numbers = [part.statement.printed for part in claim.parts if isinstance(part.statement, Numeric)]
    mean = geometric_mean([Fraction(number) for number in numbers])
    low, high = (prod(ends, start=Fraction(1)) for ends in zip(*(one.interval for one in numbers), strict=True))
    how = statement.expected.how_root(low, high, len(numbers))  # by all that may round to each of the numbers
    shown = statement.expected.shown(mean, how)
    rests = f"the geometric mean of {len(numbers)} printed numbers"
    if how is None:
        return Judgement(ClaimVerdict.REFUTED, shown, f"{rests} does not give it", rests)
    verdicts = {part.id: judge(part, plans).verdict for part in claim.parts}
    details = {"parts": {name: verdict.value for name, verdict in verdicts.items()}}
    open_ones = [name for name, verdict in verdicts.items() if verdict is not ClaimVerdict.CONFIRMED]
    if not open_ones:
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", rests, "", details)
    undecided = ClaimVerdict.UNDECIDED in verdicts.values()
    verdict = ClaimVerdict.UNDECIDED if undecided else ClaimVerdict.NOT_REPRODUCIBLE
    why = f"it is {rests}, of which {len(open_ones)} are not confirmed"
    return Judgement(verdict, shown, why, rests, "", details)

"""Evaluator of geometric means of printed numbers."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.studies.claims import rounding
from hypar_opt.studies.claims.model_statements import MeanOf
from hypar_opt.studies.claims.statement_parts import Numeric
from hypar_opt.studies.claims.verdict import ClaimVerdict, Judgement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    from hypar_opt.studies.claims.claims import PublishedClaim
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
    numbers = [_printed(part) for part in claim.parts]
    mean = rounding.mean([Fraction(number) for number in numbers])
    how = _how(numbers, statement)
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


def _printed(part: PublishedClaim) -> Decimal:
    statement = part.statement
    assert isinstance(statement, Numeric)
    return statement.printed


def _how(numbers: Sequence[Decimal], statement: MeanOf) -> str | None:
    """Return how the mean agrees, by all that may round to each of the numbers."""
    ends = [rounding.interval(number) for number in numbers]
    count = len(ends)
    low, high = (prod((end[side] for end in ends), start=Fraction(1)) for side in (0, 1))
    return statement.expected.how_root(low, high, count)

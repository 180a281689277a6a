"""Evaluator of geometric means of printed numbers."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.audit import rounding
from hypar_opt.audit.model_statements import MeanOf
from hypar_opt.audit.statement_parts import Numeric
from hypar_opt.audit.verdict import Judgement, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from decimal import Decimal

    from hypar_opt.audit.claims import Claim
    from hypar_opt.audit.plans import Plans


def judge_mean_of(claim: Claim, plans: Plans, judge: Callable[[Claim, Plans], Judgement]) -> Judgement:
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
        return Judgement(Verdict.REFUTED, shown, f"{rests} does not give it", rests)
    verdicts = {part.id: judge(part, plans).verdict for part in claim.parts}
    details = {"parts": {name: verdict.value for name, verdict in verdicts.items()}}
    open_ones = [name for name, verdict in verdicts.items() if verdict is not Verdict.CONFIRMED]
    if not open_ones:
        return Judgement(Verdict.CONFIRMED, shown, "", rests, "", details)
    undecided = Verdict.UNDECIDED in verdicts.values()
    verdict = Verdict.UNDECIDED if undecided else Verdict.NOT_REPRODUCIBLE
    why = f"it is {rests}, of which {len(open_ones)} are not confirmed"
    return Judgement(verdict, shown, why, rests, "", details)


def _printed(part: Claim) -> Decimal:
    statement = part.statement
    assert isinstance(statement, Numeric)
    return statement.printed


def _how(numbers: Sequence[Decimal], statement: MeanOf) -> str | None:
    """Return how the mean agrees, by all that may round to each of the numbers."""
    ends = [rounding.interval(number) for number in numbers]
    count = len(ends)
    low, high = (prod((end[side] for end in ends), start=Fraction(1)) for side in (0, 1))
    return statement.expected.how_root(low, high, count)

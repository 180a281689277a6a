"""Evaluator of means of printed numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.arithmetic_statements import MeanOfNumbers
from hypar_opt.studies.claims.claims import Judgement, PublishedClaim
from hypar_opt.studies.claims.judge_arithmetic import between, but_cut_off
from hypar_opt.studies.claims.number_means import MEANS
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from hypar_opt.studies.claims.number_means import NumberMean
    from hypar_opt.studies.claims.plans import PlanCache


def judge_mean_of_numbers(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge a mean of printed numbers, each of them anywhere that rounds to it; without a root.

    Parameters
    ----------
    claim
        The claim.
    plans
        Not looked at: nothing is solved.
    """
    statement = claim.statement
    assert isinstance(statement, MeanOfNumbers)
    means = [MEANS[name] for name in statement.how]
    values = {mean.name: mean.of([Fraction(one) for one in statement.numbers]) for mean in means}
    agreeing = next((mean for mean in means if _agrees(statement, mean)), None)
    shown = "; ".join(
        f"{_shown(statement, mean, values[mean.name])}{'' if len(means) == 1 else f' {mean.name}'}"
        for mean in ([agreeing] if agreeing else means)
    )
    why = "" if agreeing else _why(statement, values)
    of = counted(len(statement.numbers), "printed number")
    evidence = f"{', or '.join(mean.summary for mean in means)}; of {of}, each all that rounds to it"
    return Judgement.confirmed_unless(why, shown, evidence, {"means": {k: str(v) for k, v in values.items()}})


def _agrees(statement: MeanOfNumbers, mean: NumberMean) -> bool:
    low, high = zip(*(one.interval for one in statement.numbers), strict=True)
    if not statement.printed.rough and mean.meets(low, high, statement.printed.interval):
        return True
    at = [Fraction(one) for one in statement.numbers]
    return statement.within is not None and mean.meets(at, at, statement.within.interval(statement.printed))


def _shown(statement: MeanOfNumbers, mean: NumberMean, value: Fraction) -> str:
    """Return the mean, and where it agrees only by what the numbers were rounded by, between what it may be."""
    text = statement.expected.shown(value, statement.expected.how(value))
    if statement.expected.how(value) is not None or not _agrees(statement, mean):
        return text
    low, high = zip(*(one.interval for one in statement.numbers), strict=True)
    return f"{text}, {between(mean.of(low), mean.of(high))}"


def _why(statement: MeanOfNumbers, values: dict[str, Fraction]) -> str:
    if len(values) > 1:
        return f"none of the {len(values)} means rounds to what is printed"
    (value,) = values.values()
    return f"{statement.expected.why_not(value)}{but_cut_off(statement.expected, value, value)}"

"""Evaluators of what is computed from printed numbers alone, each of them anywhere that rounds to it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.arithmetic_statements import PrintedArithmetic
from hypar_opt.studies.claims.claims import ClaimVerdict, Judgement, PublishedClaim
from hypar_opt.studies.sweep import counted
from hypar_opt.util.numbers import exact, number

if TYPE_CHECKING:
    from hypar_opt.studies.claims.intervals import NumberInterval
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.printed import Expected
MORE_DIGITS = 7
"""Of the ends of intervals, as shown: significant ones."""


def judge_arithmetic(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge what an expression of printed numbers comes to.

    It is confirmed where what it may come to and what rounds to the printed result overlap, and refuted where they do
    not; also where they do only if the result was cut off instead of rounded, which is said.

    Parameters
    ----------
    claim
        The claim.
    plans
        Not looked at: nothing is solved.
    """
    statement = claim.statement
    assert isinstance(statement, PrintedArithmetic)
    found = statement.found
    rounded = sum(map(len, statement.numbers.values()))
    of = f", of {counted(rounded, 'printed number')}, each all that rounds to it" if rounded else ""
    evidence = f"{statement.equals}, exact{of}"
    details = {"low": str(found.low), "as_printed": str(found.at), "high": str(found.high)}
    if statement.value is None:
        return _compared(statement, found, evidence, details)
    why, shown = _against(statement.expected, found), _shown(statement.expected, found)
    return Judgement.confirmed_unless(why, shown, evidence, details)


def but_cut_off(expected: Expected, low: Fraction, high: Fraction) -> str:
    """Return what to say of a number between two that gives the printed digits where further ones are left out."""
    if expected.printed.rough:
        return ""
    printed = Fraction(expected.printed)
    unit = expected.printed.interval[1] - expected.printed.interval[0]
    least, most = (printed, printed + unit) if printed >= 0 else (printed - unit, printed)
    meets = low < most and least <= high if printed >= 0 else low <= most and least < high
    return "; it gives it only where further digits are cut off" if meets else ""


def between(low: Fraction, high: Fraction) -> str:
    """Return what a number is between, as shown."""
    return f"{number(low, MORE_DIGITS)} to {number(high, MORE_DIGITS)}"


def _against(expected: Expected, found: NumberInterval) -> str:
    """Return what is against it: nothing where it agrees."""
    least, most = expected.printed.interval
    rounds = expected.printed.agrees(found.at) or (found.low < most and least < found.high)
    if (rounds and not expected.printed.rough) or expected.how(found.at) is not None:
        return ""
    return f"{expected.why_not(found.at)}{but_cut_off(expected, found.low, found.high)}"


def _shown(expected: Expected, found: NumberInterval) -> str:
    """Return the number, and where its own digits do not round to what is printed, between what it may be."""
    text = expected.shown(found.at, expected.how(found.at))
    if found.is_exact or expected.printed.agrees(found.at):
        return text
    return f"{text}, {between(found.low, found.high)}"


def _compared(statement: PrintedArithmetic, found: NumberInterval, evidence: str, details: dict[str, str]) -> Judgement:
    """Judge that it is more or less than a number: open where only some of what rounds to the numbers is."""
    bound = Fraction(statement.printed)
    more = statement.more_than is not None
    nearest, furthest = (found.low, found.high) if more else (found.high, found.low)
    side = 1 if more else -1
    shown = str(exact(found.at)) if found.at.denominator == 1 else number(found.at, MORE_DIGITS)
    if side * (nearest - bound) > 0:
        return Judgement(ClaimVerdict.CONFIRMED, shown, "", evidence, "", details)
    if side * (furthest - bound) <= 0:
        return Judgement(ClaimVerdict.REFUTED, shown, f"it is not {statement.says}", evidence, "", details)
    why = f"the printed digits leave it open: {between(found.low, found.high)}"
    return Judgement(ClaimVerdict.UNDECIDED, shown, why, evidence, "", details)

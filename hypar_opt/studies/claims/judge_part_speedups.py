"""Evaluator of how much faster a whole gets of which a part does (Amdahl, 1967)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.studies.claims.arithmetic_statements import WHOLE, PartSpeedup
from hypar_opt.studies.claims.claims import Judgement, PublishedClaim

if TYPE_CHECKING:
    from hypar_opt.studies.claims.plans import PlanCache
    from hypar_opt.studies.claims.printed import PrintedNumber


def judge_part_speedup(claim: PublishedClaim, plans: PlanCache) -> Judgement:
    """Judge how many times as fast a whole gets whose part of share s gets k times as fast: 1 / (1 - s + s / k).

    Where s is not said it may be all of the whole, and where k is not said the part may take no time, so that what
    comes out is the most there can be.

    Parameters
    ----------
    claim
        The claim.
    plans
        Not looked at: nothing is solved.
    """
    statement = claim.statement
    assert isinstance(statement, PartSpeedup)
    least, at, most = (_whole(statement, end) for end in range(3))
    low, high = statement.whole.interval
    bound = statement.percent is None or statement.speedup is None
    holds = low <= most if bound and not statement.at_most else low <= most and least <= high
    shown = f"{'at most ' if bound else ''}{statement.whole.beside(at, statement.whole.agrees(at))}"
    needs = _needs(statement)
    details = {"whole": str(at)} | {name: str(one) for name, one in needs.items() if one is not None}
    return Judgement.confirmed_unless(
        "" if holds else _why(needs),
        shown if not holds or statement.percent is not None else f"{shown}, {_share(needs)}",
        "a part of share s that gets k times as fast leaves 1 - s + s / k of the time",
        details,
    )


def _ends(number: PrintedNumber, end: int) -> Fraction:
    low, high = number.interval
    return (low, Fraction(number), high)[end]


def _whole(statement: PartSpeedup, end: int) -> Fraction:
    """Return the speed-up of the whole by the lower ends, the digits as they stand, or the upper ends."""
    share = Fraction(1) if statement.percent is None else _ends(statement.percent, end) / WHOLE
    kept = Fraction(0) if statement.speedup is None else 1 / _ends(statement.speedup, end)
    return 1 / (1 - share + share * kept)


def _needs(statement: PartSpeedup) -> dict[str, Fraction | None]:
    """Return which share and which speed-up the printed whole needs, the other as it is; None where none is enough."""
    saved = 1 - 1 / Fraction(statement.whole)
    share = saved if statement.speedup is None else saved / (1 - 1 / Fraction(statement.speedup))
    left = 1 - saved / (1 if statement.percent is None else Fraction(statement.percent) / WHOLE)
    return {"needs_share": share if share <= 1 else None, "needs_speedup": 1 / left if left > 0 else None}


def _share(needs: dict[str, Fraction | None]) -> str:
    share = needs["needs_share"]
    return "" if share is None else f"and that where it is {float(WHOLE * share):.4g} % of the time"


def _why(needs: dict[str, Fraction | None]) -> str:
    share, speedup = needs["needs_share"], needs["needs_speedup"]
    of_share = "no share is enough" if share is None else f"it needs a part of {float(WHOLE * share):.4g} % of the time"
    of_speed = (
        "no speed-up of the part is enough" if speedup is None else f"the part {float(speedup):.4g} times as fast"
    )
    return f"{of_share}; {of_speed}" if share is None or speedup is None else f"{of_share}, or {of_speed}"

"""Gains of plans whose bytes are printed as well: does the one number follow from the other."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.audit import rounding
from hypar_opt.audit.verdict import Judgement, Verdict
from hypar_opt.plan_file import in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.audit.gains import Found
    from hypar_opt.audit.model_statements import Gain

GB = 10**9


def judge_given(one: Found, statement: Gain, details: dict[str, Any]) -> Judgement:
    """Judge a gain by the printed bytes in place of the plan's own: by all that may round to them."""
    low, middle, high = _gains(one, statement)
    expected = statement.expected
    how = expected.how(low, high)
    shown = expected.shown(middle, None) + (f" ({how})" if how else "")
    evidence = f"{_printed(statement)} in place of the plan's own {in_full(one.bytes)} bytes"
    details = {**details, "from_printed_bytes": [str(low), str(high)]}
    if how is not None:
        return Judgement(Verdict.CONFIRMED, shown, "", evidence, "", details)
    return Judgement(Verdict.REFUTED, shown, expected.why_not(middle), evidence, "", details)


def exchanges_printed(one: Found, statement: Gain) -> bool:
    """Return whether a plan's own bytes are those that are printed; also where none are."""
    number = statement.communication_GB
    return number is None or rounding.agrees(one.bytes / GB, number)


def why_unlike(each: Sequence[Found], statement: Gain) -> str:
    """Return that a plan's bytes are those that are printed under no accounting, and what those would give."""
    low, _, high = _gains(each[0], statement)
    follows = "would follow" if statement.expected.how(low, high) is not None else "would not follow either"
    own = "the plan exchanges other bytes than are printed"
    if len(each) > 1:
        own = f"under none of {len(each)} accountings does the plan exchange the bytes that are printed"
    return f"{own}; from those, the number {follows}"


def _gains(one: Found, statement: Gain) -> tuple[Fraction, Fraction, Fraction]:
    """Return the least gain that the printed bytes may mean, that of the number itself, and the largest."""
    number = statement.communication_GB
    assert number is not None
    least, most = rounding.interval(number)
    low, middle, high = (one.exchanging(Fraction(amount) * GB) for amount in (most, number, least))
    return low, middle, high


def _printed(statement: Gain) -> str:
    assert statement.communication_GB is not None
    return f"printed {statement.communication_GB.text} GB"

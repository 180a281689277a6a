"""The best share of given words, exactly, where one is open and may be any number.

Every class's seconds are a polynomial of degree two in the share, concave. Between two neighbouring shares at which two
classes need the same a step's time is a sum of concave functions, so that it is least at such a crossing, a root of a
polynomial, or at an end: of the shares that are allowed, or of those at which the words fit into the memories.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import combinations
from operator import add
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.cost.mixed.seconds import Polynomial
from hypar_opt.util.surd import roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.cost.mixed.model import Shares
    from hypar_opt.cost.mixed.seconds import Entries
    from hypar_opt.solver.mixed.box import ShareBox

NEAR: Final = 1e-9
"""Steps whose times differ by more, as a part of the largest number in them, are told apart in floating point."""


class ShareRange(NamedTuple):
    """Shares from one to another, both of them allowed."""

    low: Fraction
    high: Fraction


def best_exact_share(entries: Entries, box: ShareBox, split: int, within: ShareRange) -> tuple[Fraction, Shares]:
    """Return the least time of a step, and shares at which it takes that.

    Parameters
    ----------
    entries
        Of the words.
    box
        Has the other splits' shares.
    split
        Whose share is open.
    within
        Where it may be.
    """
    rows = entries.in_share(box.low, split)
    about = {share: _about(rows, float(share)) for share in dict.fromkeys(_candidates(rows, within))}
    most = max(abs(float(x)) for row in rows for one in row for x in one)
    least = min(about.values()) + NEAR * len(rows) * most
    time, share = min((_time(rows, share), share) for share, near in about.items() if near <= least)
    return time, (*box.low[:split], share, *box.low[split + 1 :])


def crossings(row: Sequence[Polynomial], within: ShareRange) -> Iterator[Fraction]:
    """Yield the shares at which two of several polynomials are the same."""
    for one, other in combinations(row, 2):
        for root in roots(*(a - b for a, b in zip(one, other, strict=True))):
            if within.low < root < within.high:
                yield root


def line(at_low: Fraction, at_high: Fraction, within: ShareRange) -> Polynomial:
    """Return the linear function that has these values at the ends of a range."""
    slope = (at_high - at_low) / (within.high - within.low) if within.high > within.low else Fraction(0)
    return Polynomial(at_low - slope * within.low, slope, Fraction(0))


def range_below(needs: Sequence[Polynomial], limits: Sequence[Fraction], within: ShareRange) -> ShareRange | None:
    """Return the shares at which linear functions are within their limits, or None where there are none."""
    low, high = within
    for need, limit in zip(needs, limits, strict=True):
        room = limit - need.constant
        if not need.linear and room < 0:
            return None
        if need.linear > 0:
            high = min(high, room / need.linear)
        if need.linear < 0:
            low = max(low, room / need.linear)
    return ShareRange(low, high) if low <= high else None


def _candidates(rows: Sequence[Sequence[Polynomial]], within: ShareRange) -> Iterator[Fraction]:
    yield from within
    for row in rows:
        yield from crossings(row, within)


def _time(rows: Sequence[Sequence[Polynomial]], share: Fraction) -> Fraction:
    return reduce(add, (max(one.at(share) for one in row) for row in rows), Fraction(0))


def _about(rows: Sequence[Sequence[Polynomial]], share: float) -> float:
    """Return about how long a step takes."""
    return sum(max(float(c) + share * (float(x) + share * float(s)) for c, x, s in row) for row in rows)

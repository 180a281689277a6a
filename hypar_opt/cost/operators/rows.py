"""How many rows each part of a dimension needs of each other that windows slide along, in closed form.

Positions o to p - 1 of the output read, of a run of L rows that each position reads side by side from its t-th on, the
rows i with

    stride o + t - before  <=  spacing i  <  stride (p - 1) + t + L - before,

one interval if runs of positions that follow each other touch (L >= stride), and an interval a position otherwise. A
window has one run where its rows are dense, and as many as its kernel where they are dilated. Of the rows that are
there, the parts have intervals, too, so that what a part needs of another is what two intervals have in common.

Positions and rows fall into blocks that belong together. Where the parts do not divide these, rows are fractions: their
number is the mean over all ways to round the parts' ends to blocks, each of which gives whole rows.
"""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from functools import cache
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.operators import Operand, Window

NeededRows: TypeAlias = "tuple[Mapping[int, Fraction], ...]"
"""By part, the rows that it needs of each part that has some of them, itself included."""


def sliding(operand: Operand, need: Sequence[int]) -> dict[int, Window]:
    """Return by number the dimensions of an operand that are split and read through windows."""
    found = ((operand.position(name), window) for name, window in operand.windows.items())
    return {place: window for place, window in found if place is not None and place in need}


def total_rows(window: Window, rows: int, parts: int, *, padded: bool) -> tuple[Fraction, Fraction]:
    """Return the rows that all parts need, and those among them that they have; parameters as of `needed_rows`."""
    if parts == 1:
        return Fraction(rows), Fraction(rows)
    found = needed_rows(window, rows, parts, padded=padded)
    own = sum((one.get(part, Fraction(0)) for part, one in enumerate(found)), start=Fraction(0))
    return sum((count for one in found for count in one.values()), start=Fraction(0)), own


@cache
def needed_rows(window: Window, rows: int, parts: int, *, padded: bool) -> NeededRows:
    """Return what each part needs of each.

    Parameters
    ----------
    window, rows
        What slides over how many.
    parts
        Of the dimension.
    padded
        Whether each part but the last ones is as long as the longest.
    """
    found: list[dict[int, Fraction]] = [{} for _ in range(parts)]
    ways = list(_ends(window.blocks(rows), parts, padded=padded))
    for ends in ways:
        own = [end * (rows // window.blocks(rows)) for end in ends]
        made = [end * (window.positions // window.blocks(rows)) for end in ends]
        for part, needs in enumerate(found):
            for first, end in _intervals(window, range(made[part], made[part + 1]), rows):
                for giver, count in _by_giver(first, end, own):
                    needs[giver] = needs.get(giver, Fraction(0)) + Fraction(count, len(ways))
    return tuple(found)


def _ends(blocks: int, parts: int, *, padded: bool) -> Iterator[tuple[int, ...]]:
    """Yield every way in which parts begin and end at blocks, each as likely as any other."""
    if padded or blocks % parts == 0:
        longest = -(-blocks // parts)
        yield tuple(min(part * longest, blocks) for part in range(parts + 1))
        return
    for shift in range(0, parts, gcd(parts, blocks)):  # others round as these do
        yield tuple(-((shift - part * blocks) // parts) for part in range(parts + 1))


def _intervals(window: Window, positions: range, rows: int) -> Iterator[tuple[int, int]]:
    """Yield what positions read, as first rows and ends, those of one way apart from each other."""
    if not positions:
        return
    dense = window.dilation == 1 or window.kernel == 1
    length = window.kernel if dense else 1
    starts = [0] if dense else [tap * window.dilation for tap in range(window.kernel)]
    at = [window.stride * one - window.before for one in positions]
    whole = length >= window.stride
    runs = [(at[0], at[-1])] if whole else [(one, one) for one in at]
    reached = 0
    spans = sorted((first + start, last + start + length) for start in starts for first, last in runs)
    for begin, behind in spans:
        first = max(-(-begin // window.spacing), reached)
        end = min(-(-behind // window.spacing), rows)
        if first < end:
            yield first, end
            reached = end


def _by_giver(first: int, end: int, own: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the parts that rows lie in, and how many of them."""
    part = bisect_right(own, first) - 1
    while first < end:
        last = min(end, own[part + 1])
        if first < last:
            yield part, last - first
        first, part = max(first, last), part + 1

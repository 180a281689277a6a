"""Lengths of links by which all chunks of an all-to-all have far to get for what links carry.

Whatever ways chunks take, the busiest link is busy for at least the sum of how far all have to get, over the sum of
lengths times rates (Shahrokhi and Matula, The maximum concurrent flow problem, 1990). The best lengths are those of the
dual of the linear programme of all flows; what is counted by any of them is proven.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_ROWS: Final = 40_000
"""Sources times links."""
_FINEST: Final = 5040


def best_lengths(
    nodes: int, rates: Mapping[tuple[int, int], Fraction], wanted: Mapping[int, Mapping[int, int]]
) -> dict[tuple[int, int], int] | None:
    """Return lengths of links, in whole numbers; None where the programme would be too large.

    Parameters
    ----------
    rates
        By (from, to).
    wanted
        By source, how many chunks each target is to get from it.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    links, sources = list(rates), list(wanted)
    count, rows = len(links), len(links) * len(sources)
    if rows > MOST_ROWS:
        return None
    first, second = np.array(links).T
    number = np.arange(rows)
    begin = count + np.repeat(np.arange(len(sources)), count) * nodes
    # how far a node is from a source is no more than how far another is, and the link from there
    entries = np.concatenate((np.ones(rows), -np.ones(rows), -np.ones(rows)))
    columns = np.concatenate(
        (begin + np.tile(second, len(sources)), begin + np.tile(first, len(sources)), number % count)
    )
    size = count + nodes * len(sources)
    far = coo_array((entries, (np.tile(number, 3), columns)), shape=(rows, size))
    goal = np.zeros(size)
    most: list[tuple[float, float | None]] = [(0.0, None)] * size
    for place, source in enumerate(sources):
        most[count + place * nodes + source] = (0.0, 0.0)
        for target, chunks in wanted[source].items():
            goal[count + place * nodes + target] -= chunks
    slowest = min(rates.values())
    whole = coo_array(
        ([float(rate / slowest) for rate in rates.values()], ([0] * count, range(count))), shape=(1, size)
    )
    found = linprog(goal, far, np.zeros(rows), whole, [1.0], bounds=most, method="highs")
    if found.x is None:
        return None
    longest = max(found.x[:count])
    exact = [Fraction(max(0.0, float(one / longest))).limit_denominator(_FINEST) for one in found.x[:count]]
    unit = lcm(*(one.denominator for one in exact))
    return {hop: int(one * unit) for hop, one in zip(links, exact, strict=True)}

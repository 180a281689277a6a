"""The best shares of given words.

With one share left open every class's seconds are a polynomial of degree two, concave; so between two neighbouring
shares at which two classes need the same, what a step takes is concave too, and least at an end. Of whole-number shares
the best is therefore next to such a crossing, on either side, or at an end. Several shares are improved one at a time.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.solver.mixed.dual import step_seconds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hypar_opt.cost.mixed.model import Shares
    from hypar_opt.cost.mixed.seconds import Entries
    from hypar_opt.solver.mixed.box import ShareBox


def best_shares(entries: Entries, box: ShareBox, start: Shares, fits: Callable[[Shares], bool]) -> Shares:
    """Return shares of a box that no change of one of them improves; the start where nothing fits.

    Parameters
    ----------
    entries
        Of the words.
    box
        Where shares are looked for.
    start
        In the box.
    fits
        Whether the words fit into the memories at some shares.
    """
    if box.is_point:
        return start
    shares = start
    best = step_seconds(entries.at(shares)) if fits(shares) else None
    improved = True
    while improved:
        improved = False
        for split in range(len(shares)):
            for share in _candidates(entries, box, shares, split):
                other = (*shares[:split], share, *shares[split + 1 :])
                found = step_seconds(entries.at(other))
                if (best is None or found < best) and fits(other):
                    shares, best, improved = other, found, len(shares) > 1
    return shares


def _candidates(entries: Entries, box: ShareBox, shares: Shares, split: int) -> Iterator[Fraction]:
    """Yield the shares next to a crossing, and the ends, of a box."""
    assert box.parts is not None  # what is given is a point
    low, high = (int(end[split] * box.parts) for end in (box.low, box.high))
    whole = {low, high}
    for row in entries.in_share(shares, split):
        for one, other in combinations(row, 2):
            for root in roots(*(float(a - b) for a, b in zip(one, other, strict=True))):
                whole |= {int(root * box.parts) + step for step in (0, 1)}
    yield from (Fraction(k, box.parts) for k in sorted(whole) if low <= k <= high)


def roots(constant: float, linear: float, square: float) -> list[float]:
    """Return about where a polynomial is 0, inside (0, 1)."""
    scale = max(abs(constant), abs(linear), abs(square))
    if not scale:
        return []
    roots = np.roots([x / scale if abs(x) > 1e-12 * scale else 0.0 for x in (square, linear, constant)])
    return [float(root.real) for root in roots if abs(root.imag) < 1e-6 and 0 < root.real < 1]

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

from hypar_opt.evaluation.mixed import quadratics
from hypar_opt.solver.mixed.dual import step_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.mixed import Quadratics
    from hypar_opt.solver.mixed.box import Box, Shares
    from hypar_opt.solver.mixed.problem import MixedProblem


def best_shares(problem: MixedProblem, strategies: Mapping[str, str], box: Box, start: Shares) -> Shares:
    """Return shares of a box that no change of one of them improves, of words that fit there; else the start.

    Parameters
    ----------
    strategies
        By layer.
    start
        In the box.
    """
    if box.is_point:
        return start
    shares = start
    best = _seconds(problem, strategies, shares)
    improved = True
    while improved:
        improved = False
        for split in range(len(shares)):
            for share in _candidates(problem, strategies, box, shares, split):
                other = (*shares[:split], share, *shares[split + 1 :])
                found = _seconds(problem, strategies, other)
                if found is not None and (best is None or found < best):
                    shares, best, improved = other, found, len(shares) > 1
    return shares


def _seconds(problem: MixedProblem, strategies: Mapping[str, str], shares: Shares) -> Fraction | None:
    """Return a step's seconds; None where the words do not fit."""
    if problem.fault_of(strategies, shares) is not None:
        return None
    return step_seconds(problem.seconds(strategies, shares))


def _candidates(
    problem: MixedProblem, strategies: Mapping[str, str], box: Box, shares: Shares, split: int
) -> Iterator[Fraction]:
    """Yield the shares next to a crossing, and the ends, of a box."""
    assert box.parts is not None  # what is given is a point
    low, high = (int(end[split] * box.parts) for end in (box.low, box.high))
    named = problem.named(shares)
    found = quadratics(problem.work, strategies, named, problem.judged_by, problem.array.splits[split])
    whole = {low, high}
    for root in _crossings(found):
        whole |= {int(root * box.parts) + step for step in (0, 1)}
    yield from (Fraction(k, box.parts) for k in sorted(whole) if low <= k <= high)


def _crossings(found: Quadratics) -> Iterator[float]:
    """Yield about where two classes need the same between barriers, inside (0, 1)."""
    for row in found:
        for one, other in combinations(row, 2):
            powers = [float(a - b) for a, b in zip(reversed(one), reversed(other), strict=True)]
            yield from (float(root.real) for root in np.roots(powers) if abs(root.imag) < 1e-9 and 0 < root.real < 1)

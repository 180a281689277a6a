"""The best plan on an array of several kinds whose one share may be any number: all words, each at its best share.

In floating point, from what the evaluator says waits take at three shares: roots by numpy, and the least of all.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from mixed_brute_force import words_of

from hypar_opt.evaluation.mixed import quadratics, resident


class About(NamedTuple):
    """About how long the best plan takes, its words, and its share."""

    seconds: float
    strategies: dict[str, str]
    share: float


def best_exact_plan(work, setting, rules):
    """Return the best plan, or None where none fits."""
    names = [layer.name for layer in work.layers]
    words = [words_of(layer, setting, rules) for layer in work.layers]
    found = (at_best_share(work, dict(zip(names, chosen, strict=True)), setting) for chosen in product(*words))
    return min((one for one in found if one is not None), key=lambda one: one.seconds, default=None)


def at_best_share(work, strategies, setting):
    """Return words at their best share, or None where they fit at none."""
    (split,) = setting.array.splits
    low, high = ends(work, strategies, setting, split)
    if low > high:
        return None
    rows = np.array(quadratics(work, strategies, {}, setting, split), dtype=float)
    places = [low, high]
    for row in rows:
        for one, other in combinations(row, 2):
            places += [root.real for root in np.roots((one - other)[::-1]) if abs(root.imag) < 1e-9]
    seconds = {share: time_at(rows, share) for share in places if low <= share <= high}
    share = min(seconds, key=seconds.get)
    return About(seconds[share], strategies, share)


def time_at(rows, share):
    """Return what a step takes at a share, of polynomials by wait and class."""
    return float((rows @ np.array([1, share, share**2])).max(axis=1).sum())


def ends(work, strategies, setting, split):
    """Return the least and the largest share at which words fit, as far as memories and the batch say."""
    at = Fraction(1, 4), Fraction(3, 4)
    kept = [[float(sum(one.values())) for one in resident(work, strategies, {split: x}, setting)] for x in at]
    low, high = 1 / setting.batch, 1 - 1 / setting.batch
    for one, first, second in zip(setting.array.classes, *kept, strict=True):
        capacity = setting.array.kinds[one.kind].accelerator.capacity
        if capacity is not None:
            slope = 2 * (second - first)
            room = float(capacity) - first + slope / 4
            if slope > 0:
                high = min(high, room / slope)
            elif slope < 0:
                low = max(low, room / slope)
            elif room < 0:
                return 1.0, 0.0
    return low, high

"""Weights of seconds by wait and class that bound a step's time from below.

A step takes the sum over waits of the most that any class needs. With weights that add up to one at every wait that is
at least the weighted sum of all classes' seconds, whatever the plan; so the least weighted sum is a bound. The best
weights are those of the Lagrangian dual, found by cutting planes (Kelley, J. SIAM 1960) over the plans seen so far:
they come in floating point and are rounded, for any weights are sound.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.cost.mixed.model import WaitSeconds, WaitWeights

FINENESS: Final = 2**7
"""Weights are multiples of one over this."""


def even_weights(waits: int, classes: int) -> WaitWeights:
    """Return weights that are the same for every class."""
    return ((Fraction(1, classes),) * classes,) * waits


def weighted_seconds(seconds: WaitSeconds, weights: WaitWeights) -> Fraction:
    """Return the weighted sum of all classes' seconds."""
    pairs = ((s, w) for row in zip(seconds, weights, strict=True) for s, w in zip(*row, strict=True))
    return sum((s * w for s, w in pairs), start=Fraction(0))


def step_seconds(seconds: WaitSeconds) -> Fraction:
    """Return the sum over waits of the most that a class needs."""
    return sum(map(max, seconds), start=Fraction(0))


def best_weights(cuts: NDArray[np.float64]) -> tuple[WaitWeights, float]:
    """Return the weights whose least weighted sum over some plans is the largest, and about how large that is.

    Parameters
    ----------
    cuts
        The seconds of plans by wait and class, at least one; shape (plans, waits, classes).
    """
    from scipy.optimize import linprog  # which every command would wait for, if it were asked for above

    count, waits, classes = cuts.shape
    scale = float(cuts.max(axis=2).sum(axis=1).max()) or 1.0
    rows = cuts.reshape(count, -1) / scale
    # maximise t with t - sum of weights x seconds <= 0
    above = np.hstack([-rows, np.ones((count, 1))])
    ones = np.hstack([np.kron(np.eye(waits), np.ones(classes)), np.zeros((waits, 1))])
    gain = np.zeros(waits * classes + 1)
    gain[-1] = -1.0
    found = linprog(
        gain, A_ub=above, b_ub=np.zeros(count), A_eq=ones, b_eq=np.ones(waits),
        bounds=[(0, 1)] * (waits * classes) + [(None, None)],
    )  # fmt: skip
    if not found.success:
        return even_weights(waits, classes), float("inf")
    return tuple(map(_rounded, found.x[:-1].reshape(waits, classes))), float(-found.fun) * scale


def _rounded(weights: Sequence[float]) -> tuple[Fraction, ...]:
    """Return multiples of one over `FINENESS` that add up to 1: the largest takes what rounding leaves."""
    whole = [max(0, round(float(one) * FINENESS)) for one in weights]
    whole[whole.index(max(whole))] += FINENESS - sum(whole)
    return tuple(Fraction(one, FINENESS) for one in whole)

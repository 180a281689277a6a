"""The annealed loop: random forests settled under prices and noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from formulations.lagrangian.forests import members, rooted, settle
from formulations.lagrangian.pricing import priced

if TYPE_CHECKING:
    from formulations.lagrangian.flat import Flat
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def sweep(
    flat: Flat, choices: Array, prices: Array, temperature: float, order: Array, noise: np.random.Generator
) -> int:
    """Give the variables of one random forest the values that are best together under prices and noise.

    Parameters
    ----------
    choices
        Changed in place.
    temperature
        The mean of the exponential noise that every value costs besides.
    order
        The variables that have a choice; shuffled in place.

    Returns
    -------
    changed
        How many values changed.
    """
    for k in range(len(order) - 1, 0, -1):
        other = int(noise.random() * (k + 1))
        order[k], order[other] = order[other], order[k]
    inside = members(flat, order)
    sequence, hangs = rooted(flat, inside, order)
    costs = priced(flat, prices)
    if temperature > 0.0:
        for one in sequence:
            for at in range(flat.starts[one], flat.starts[one + 1]):
                costs[at] += temperature * noise.standard_exponential()
    before = choices.copy()
    settle(flat, costs, inside, sequence, hangs, choices)
    return int(np.sum(before != choices))

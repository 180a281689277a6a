"""The annealed loop: random forests settled under prices and noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from formulations.lagrangian.pricing import priced
from formulations.lagrangian.trees import members, rooted
from formulations.neighbourhood_search.trees import settle

if TYPE_CHECKING:
    from formulations.neighbourhood_search.layout import Layout
    from hypar_opt.costgraph import Array


@njit(cache=True, nogil=True)
def sweep(
    layout: Layout, choices: Array, prices: Array, temperature: float, order: Array, noise: np.random.Generator
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
    sequence, hangs, place = rooted(layout, members(layout, order), order)
    costs = priced(layout, prices)
    if temperature > 0.0:
        for one in sequence:
            for at in range(layout.starts[one], layout.starts[one + 1]):
                costs[at] += temperature * noise.standard_exponential()
    found = np.empty_like(sequence)
    settle(layout, costs, sequence, hangs, place, choices, costs, found)
    changed = int(np.sum(choices[sequence] != found))
    choices[sequence] = found
    return changed

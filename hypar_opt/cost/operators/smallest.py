"""A plan that takes little memory: a guess, by which it can be shown that some plan fits."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.holdings import Difference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.operators.memory import Occupancy
    from hypar_opt.costgraph import Array

SWEEPS: Final = 2
"""How often each variable is chosen anew beside the others."""
NEAR: Final = 0.9
"""Moments count at which no less than this share of the most is needed at the least."""


def smallest(occupancy: Occupancy) -> tuple[int, ...]:
    """Return an assignment that takes little at the moments at which most is needed: each variable beside the others.

    Parameters
    ----------
    occupancy
        What is in the memory when.
    """
    weights = _weights(occupancy.least())
    own = [np.zeros(len(domain.values), dtype=object) for domain in occupancy.domains]
    pairs = defaultdict[int, list[tuple[Difference, int]]](list)
    for one in occupancy.holdings:
        weight = weights[one.last + 1] - weights[one.first]
        if not isinstance(one, Difference):
            own[one.variable] = own[one.variable] + weight * one.taken
        elif one.taken.any():
            for end in (one.variable, one.other):
                pairs[end].append((one, weight))
    choices = [int(np.argmin(costs)) for costs in own]
    for _ in range(SWEEPS):
        for place, costs in enumerate(own):
            total = sum((weight * _beside(one, place, choices) for one, weight in pairs[place]), start=costs)
            choices[place] = int(np.argmin(total))
    return tuple(choices)


def _weights(least: Sequence[int]) -> list[int]:
    """Return the sums of what moments count, up to each; those that need less count as little as can be."""
    most, sums = NEAR * max(least), [0]
    for one in least:
        sums.append(sums[-1] + (len(least) if one >= most else 1))
    return sums


def _beside(one: Difference, place: int, choices: Sequence[int]) -> Array:
    """Return by a variable's values what a difference takes beside the other's choice."""
    if place == one.variable:
        return np.where((one.lies == one.there[choices[one.other]]).all(axis=1), 0, one.taken)
    value = choices[one.variable]
    return np.where((one.there == one.lies[value]).all(axis=1), 0, one.taken[value])

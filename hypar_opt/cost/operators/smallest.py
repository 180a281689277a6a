"""A plan that takes little memory: a guess, by which it can be shown that some plan fits."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.operators.holdings import Misfit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.memory import Occupancy
    from hypar_opt.costgraph import Array

SWEEPS: Final = 2
"""How often each variable is chosen anew beside the others, by the same weights."""
ROUNDS: Final = 3
"""How often moments are weighed anew, by what the assignment before takes."""
NEAR: Final = 0.9
"""Moments count at which no less than this share of the most is taken."""


def smallest(occupancy: Occupancy, *, again: bool = False) -> tuple[int, ...]:
    """Return an assignment that takes little at the moments at which most is taken: each variable beside the others.

    Parameters
    ----------
    occupancy
        What is in the memory when.
    again
        Whether those blocks run once more of which that is decided.
    """
    open_ = [_open(domain, again=again) for domain in occupancy.domains]
    pairs = defaultdict[int, list[Misfit]](list)
    for one in occupancy.holdings:
        if isinstance(one, Misfit) and one.taken.any():
            for end in (one.variable, one.other):
                pairs[end].append(one)
    taken, choices = occupancy.least(), [0] * len(occupancy.domains)
    found: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(ROUNDS):
        weights = _weights(taken)
        own = _own(occupancy, weights)
        if not found:
            choices = [int(left[np.argmin(costs[left])]) for left, costs in zip(open_, own, strict=True)]
        for _ in range(SWEEPS):
            for place, costs in enumerate(own):
                beside = (
                    (weights[one.last + 1] - weights[one.first]) * _beside(one, place, choices) for one in pairs[place]
                )
                costs, left = sum(beside, start=costs), open_[place]
                choices[place] = int(left[np.argmin(costs[left])])
        taken = occupancy.used(choices)
        found.append((max(taken), tuple(choices)))
    return min(found)[1]


def _open(domain: Domain, *, again: bool) -> NDArray[np.intp]:
    """Return which values say of blocks what is asked for, or say nothing as there is but one way."""
    flags, last = [one.again for one in domain.values], max(one.until for one in domain.values)
    until = min(last, int(again))  # if all do, the first one
    return np.flatnonzero([
        one.until == until and (one.again == again or len(set(flags)) == 1) for one in domain.values
    ])  # fmt: skip


def _own(occupancy: Occupancy, weights: Sequence[int]) -> list[Array]:
    """Return what values of each variable take by themselves, weighed by the moments."""
    own: list[Array] = [np.zeros(len(domain.values), dtype=object) for domain in occupancy.domains]
    for one in occupancy.holdings:
        if not isinstance(one, Misfit):
            own[one.variable] = own[one.variable] + (weights[one.last + 1] - weights[one.first]) * one.taken
    return own


def _weights(least: Sequence[int]) -> list[int]:
    """Return the sums of what moments count, up to each; those that need less count as little as can be."""
    most, sums = NEAR * max(least), [0]
    for one in least:
        sums.append(sums[-1] + (len(least) if one >= most else 1))
    return sums


def _beside(one: Misfit, place: int, choices: Sequence[int]) -> Array:
    """Return by a variable's values what a difference takes beside the other's choice."""
    if place == one.variable:
        return np.where((one.lies == one.there[choices[one.other]]).all(axis=1), 0, one.taken)
    value = choices[one.variable]
    return np.where((one.there == one.lies[value]).all(axis=1), 0, one.taken[value])

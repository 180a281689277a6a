"""The loops of the smoothed dual: the passes of `passing`, with every least of a pass made soft.

    soft least of v_1, ..., v_n = -mu log(sum over k of exp(-v_k / mu)),

at most the least, and below it by mu log n at most. Hard passes rest where no single message is worth changing, which
can be far below the best bound; soft ones are block coordinate ascent of a smooth concave function and are not caught,
and the shares exp(-v / mu) / sum say what of a variable's values is used, so what the prices are to move by. (Meshi,
Jaakkola and Globerson, Convergence Rate Analysis of MAP Coordinate Minimization Algorithms, 2012.)

No exponential is taken by pair and pass: with exp(-(pair - reference) / mu) kept, a message is a product of a matrix
and a vector; the references follow the messages now and then (absorption; Schmitzer, Stabilized Sparse Scaling
Algorithms for Entropy Regularized Transport Problems, 2019). What single precision cannot hold is summed up anew.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from formulations.neighbourhood_search.layout import TableLayout
from hypar_opt.costgraph import Array

SPREAD = 43.0
"""Of an exponent, beyond which it counts as nothing: two of them multiplied are still a normal number of 32 bits."""
NOTHING = np.float32(1e-16)
"""Of a sum below it, what has been dropped for being beyond `SPREAD`, at most 2e-19 each, may be a part that tells."""


@njit(cache=True, nogil=True, fastmath=True)
def absorbed(layout: TableLayout, begins: Array, messages: Array, mu: float, references: Array, kernels: Array) -> None:
    """Write down exp(-(pair - its two references) / mu) for all arcs, at most 1 and 1 once for every edge.

    Parameters
    ----------
    begins, messages
        As in `passed`.
    mu
        Above 0, in the unit of the costs.
    references
        Set to the messages, less one number by edge; as long as them.
    kernels
        Set; as long as `layout.pairs`, of 32 bits.
    """
    references[:] = messages
    for one in range(len(layout.starts) - 1):
        size = layout.starts[one + 1] - layout.starts[one]
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[arc]
            if other < one:
                continue
            width = layout.starts[other + 1] - layout.starts[other]
            mine = references[begins[arc, 0] : begins[arc, 0] + size]
            theirs = references[begins[arc, 1] : begins[arc, 1] + width]
            at, turned = layout.mine[arc], layout.theirs[arc]
            least = layout.pairs[at] - mine[0] - theirs[0]  # not from infinity, which fast arithmetic leaves undefined
            for a in range(size):
                for b in range(width):
                    least = min(least, layout.pairs[at + a * width + b] - mine[a] - theirs[b])
            theirs += least
            for a in range(size):
                for b in range(width):
                    far = max((layout.pairs[at + a * width + b] - mine[a] - theirs[b]) / mu, 0.0)
                    near = np.float32(np.exp(-far)) if far < SPREAD else np.float32(0.0)
                    kernels[at + a * width + b] = kernels[turned + b * size + a] = near


@njit(cache=True, nogil=True, fastmath=True)
def softly_passed(
    layout: TableLayout,
    costs: Array,
    messages: Array,
    begins: Array,
    order: Array,
    rank: Array,
    mu: float,
    references: Array,
    kernels: Array,
    shares: Array,
) -> float:
    """Pass soft messages along an order of the variables.

    Parameters
    ----------
    costs, messages, begins, order, rank
        As in `passed`.
    mu, references, kernels
        As in `absorbed`.
    shares
        Set by value to its share of its variable; as long as `layout.unary`.

    Returns
    -------
    bound
        Of the smoothed dual, which is at most the dual; without what the rows' room is worth.
    """
    bound = 0.0
    most = np.diff(layout.starts).max()
    total, weights, sums = np.empty(most), np.empty(most), np.empty(most, np.float32)
    for one in order:
        start, size = layout.starts[one], layout.starts[one + 1] - layout.starts[one]
        total[:size] = costs[start : start + size]
        ahead = 0
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            given = messages[begins[arc, 0] : begins[arc, 0] + size]
            for a in range(size):
                total[a] += given[a]
            if rank[layout.others[arc]] > rank[one]:
                ahead += 1
        chains = max(ahead, layout.arcs[one + 1] - layout.arcs[one] - ahead, 1)
        bound += (chains - ahead) * _shared(total[:size], chains, mu, shares[start : start + size])
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[arc]
            if rank[other] > rank[one]:
                width = layout.starts[other + 1] - layout.starts[other]
                mine, theirs = begins[arc]
                at = layout.mine[arc]
                for a in range(size):
                    messages[mine + a] -= total[a] / chains
                _give_softly(
                    layout.pairs[at : at + size * width],
                    kernels[at : at + size * width],
                    messages[mine : mine + size],
                    messages[theirs : theirs + width],
                    references[mine : mine + size],
                    references[theirs : theirs + width],
                    mu,
                    weights,
                    sums,
                )
    return bound


@njit(cache=True, nogil=True, fastmath=True)
def _shared(total: Array, chains: int, mu: float, shares: Array) -> float:
    """Set the shares of a variable's values in each of its chains; return the soft least of what a chain costs."""
    least, whole = total.min(), 0.0
    for a in range(len(total)):
        shares[a] = np.exp(-max((total[a] - least) / (chains * mu), 0.0))
        whole += shares[a]
    whole = max(whole, 1.0)  # which it is, but for rounding, where mu is next to nothing beside the costs
    for a in range(len(total)):
        shares[a] /= whole
    return float(least / chains - mu * np.log(whole))


@njit(cache=True, nogil=True, fastmath=True)
def _give_softly(
    pairs: Array,
    kernels: Array,
    mine: Array,
    theirs: Array,
    my_references: Array,
    their_references: Array,
    mu: float,
    weights: Array,
    sums: Array,
) -> None:
    """Give an edge's soft least to its other end, by value."""
    size, width = len(mine), len(theirs)
    highest = mine[0] - my_references[0]
    for a in range(size):
        weights[a] = mine[a] - my_references[a]
        highest = max(highest, weights[a])
    sums[:width] = np.float32(0.0)
    for a in range(size):
        far = max((highest - weights[a]) / mu, 0.0)
        if far < SPREAD:
            weight = np.float32(np.exp(-far))
            row = kernels[a * width : (a + 1) * width]
            for b in range(width):
                sums[b] += row[b] * weight
    for b in range(width):
        if sums[b] > NOTHING:
            theirs[b] = their_references[b] - highest - mu * np.log(sums[b])
        else:
            theirs[b] = _soft_least(pairs[b::width], mine, mu)


@njit(cache=True, nogil=True, fastmath=True)
def _soft_least(column: Array, mine: Array, mu: float) -> float:
    """Return the soft least of what an edge costs with one value of its other end."""
    least, whole = column[0] - mine[0], 0.0
    for a in range(1, len(mine)):
        least = min(least, column[a] - mine[a])
    for a in range(len(mine)):
        whole += np.exp(-max((column[a] - mine[a] - least) / mu, 0.0))
    return float(least - mu * np.log(max(whole, 1.0)))

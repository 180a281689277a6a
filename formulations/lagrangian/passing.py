"""The loops of the dual: sequential reweighted message passing, forwards and backwards.

At its turn a variable i collects its own costs and what its edges give, theta_i, and hands to each of the n edges ahead
of it gamma_i theta_i, gamma_i = 1 / max(edges ahead, edges behind); an edge (i, j) then gives to j the least that it
costs, by j's value. What is left of the variables' costs sums up to a lower bound, and no pass lowers it
(Kolmogorov, Convergent Tree-Reweighted Message Passing for Energy Minimization, 2006; A New Look at Reweighted Message
Passing, 2015).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from formulations.neighbourhood_search.layout import TableLayout, layout_of
from hypar_opt.costgraph import FORBIDDEN, Array, Tables


@njit(cache=True, nogil=True)
def passed(
    layout: TableLayout, costs: Array, messages: Array, begins: Array, order: Array, rank: Array, choices: Array
) -> float:
    """Pass messages along an order of the variables.

    Parameters
    ----------
    costs
        What every value costs, its memory included.
    messages, begins
        What edges give to their variables, and by arc where what its variable gets begins, and what the one at its
        other end gets; shape (arcs, 2). Messages are changed in place.
    order, rank
        The variables in turn, and the turn of each.
    choices
        Set to an assignment: every variable's best value, given those before it and what the edges ahead give.

    Returns
    -------
    bound
        Of every assignment's cost.
    """
    bound = 0.0
    most = 0
    for one in order:
        most = max(most, layout.starts[one + 1] - layout.starts[one])
    total, guided, least = np.empty(most), np.empty(most), np.empty(most)
    for one in order:
        size = layout.starts[one + 1] - layout.starts[one]
        ahead = _collect(layout, costs, messages, begins, rank, choices, one, total, guided)
        choices[one] = np.argmin(guided[:size])
        behind = layout.arcs[one + 1] - layout.arcs[one] - ahead
        share = 1.0 / max(ahead, behind, 1)
        bound += (1.0 - ahead * share) * _least(total, size)
        for arc in range(layout.arcs[one], layout.arcs[one + 1]):
            other = layout.others[arc]
            if rank[other] > rank[one]:
                width = layout.starts[other + 1] - layout.starts[other]
                mine, theirs = begins[arc]
                _give(
                    layout.pairs[layout.mine[arc] : layout.mine[arc] + size * width],
                    messages[mine : mine + size],
                    messages[theirs : theirs + width],
                    share,
                    total,
                    least,
                )
    return bound


@njit(cache=True, nogil=True)
def _least(total: Array, size: int) -> float:
    least: float = total[0]
    for a in range(1, size):
        least = min(least, total[a])
    return least


@njit(cache=True, nogil=True)
def _collect(
    layout: TableLayout,
    costs: Array,
    messages: Array,
    begins: Array,
    rank: Array,
    choices: Array,
    one: int,
    total: Array,
    guided: Array,
) -> int:
    """Sum up what a variable's values cost, by messages and by the choices behind it; return its edges ahead."""
    start, ahead = layout.starts[one], 0
    size = layout.starts[one + 1] - start
    for a in range(size):
        total[a] = guided[a] = costs[start + a]
    for arc in range(layout.arcs[one], layout.arcs[one + 1]):
        other, mine = layout.others[arc], begins[arc, 0]
        given = messages[mine : mine + size]
        for a in range(size):
            total[a] += given[a]
        if rank[other] > rank[one]:
            ahead += 1
            for a in range(size):
                guided[a] += given[a]
        else:
            at = layout.theirs[arc] + choices[other] * size
            for a in range(size):
                guided[a] += layout.pairs[at + a]
    return ahead


@njit(cache=True, nogil=True)
def _give(pairs: Array, mine: Array, theirs: Array, share: float, total: Array, least: Array) -> None:
    """Move a share of a variable's costs onto an edge, and the least of what the edge then costs to its other end."""
    width = len(theirs)
    for b in range(width):
        least[b] = np.inf
    for a in range(len(mine)):
        mine[a] -= share * total[a]
        own = mine[a]
        for b in range(width):
            least[b] = min(least[b], pairs[a * width + b] - own)
    for b in range(width):
        theirs[b] = least[b]


def penalised(tables: Tables) -> TableLayout:
    """Return the layout of tables in which what is forbidden costs more than any two assignments differ by.

    With infinity instead, messages would be infinite, and their differences no numbers.
    """
    return layout_of(tables, float(min(tables.span + 1, FORBIDDEN)))

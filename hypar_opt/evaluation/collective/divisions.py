"""Cuts through the middle of an array, which an all-to-all has to cross most: such as are between two far nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from fractions import Fraction

MOST_PAIRS: Final = 4096
"""Of nodes between which cuts are looked for."""


def middle_cut(nodes: int, rates: Mapping[tuple[int, int], Fraction], members: Collection[int]) -> frozenset[int]:
    """Return a set of nodes that members inside and outside of it have most to exchange for what its links carry.

    For two nodes all others are put in order by how much nearer they are to one than to the other, and every beginning
    of that order is tried. Figures are floating point: whichever set it is, what is counted of it is proven.

    Parameters
    ----------
    rates
        By (from, to), both ways.
    members
        Each of whom has something for each other.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    first, second = np.array(list(rates)).T
    carried = np.array([float(rate) for rate in rates.values()])
    near = shortest_path(csr_array((np.ones(len(carried)), (first, second)), shape=(nodes, nodes)), unweighted=True)
    taking_part = np.isin(np.arange(nodes), list(members))
    sizes = range(nodes)
    best, inside = 0.0, frozenset[int]()
    for one, other in [(one, other) for one in sizes for other in sizes if one < other][:MOST_PAIRS]:
        order = np.argsort(near[one] - near[other], kind="stable")
        place = np.argsort(order)
        among = np.cumsum(taking_part[order])[:-1]
        crossing = np.zeros(nodes + 1)
        ahead = place[first] < place[second]
        np.add.at(crossing, place[first[ahead]] + 1, carried[ahead])
        np.add.at(crossing, place[second[ahead]] + 1, -carried[ahead])
        ratio = among * (len(members) - among) / np.cumsum(crossing)[1:-1]
        most = int(np.argmax(ratio))
        if ratio[most] > best:
            best, inside = float(ratio[most]), frozenset(map(int, order[: most + 1]))
    return inside

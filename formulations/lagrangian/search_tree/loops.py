"""The loops over pairs: what messages and prices leave open, in integers, and the pairs of values that stay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numba import njit

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Priced, Tables, offsets
from hypar_opt.costgraph.duals import ROOM
from hypar_opt.costgraph.memory import least_of, ranges
from hypar_opt.costgraph.reduced_cost import FAR


@dataclass(frozen=True, eq=False)
class Leeway:
    """A bound, and by how much every value lifts it: `Priced.bound` and `Excess.values` in one look at the pairs.

    Parameters
    ----------
    bound
        What no assignment costs less than; exact.
    stars
        By value, its excess with its star, in units of 2^-scale; FAR where nothing allowed has it, and only there.
    scale
        As of the duals.
    """

    bound: Fraction
    stars: Array
    scale: int

    @staticmethod
    def of(tables: Tables, duals: Duals) -> Leeway:
        """Return it for messages and prices without a fault."""
        unary = Priced(tables, duals).unary
        least = least_of(unary, tables.starts)
        most = (FAR - 1) // (1 + int(np.diff(tables.incident[1]).max(initial=0)))  # what is capped is still sound
        above = np.minimum(unary - np.repeat(least, tables.sizes), FAR)
        own = np.where(tables.unary < FORBIDDEN, np.minimum(above, most), FAR)
        stars, edges = own.copy(), np.empty(len(tables.ends), dtype=np.int64)
        give_stars(
            tables.starts,
            tables.ends,
            tables.edges,
            duals.scale,
            duals.first,
            duals.second,
            np.minimum(own, most),
            most,
            stars,
            edges,
        )
        paid = sum(p * room for p, room in zip(duals.prices.tolist(), tables.memory.room.tolist(), strict=True) if p)
        total = sum(least.tolist()) + sum(edges.tolist()) - paid
        return Leeway(tables.constant + Fraction(total, 1 << duals.scale), stars, duals.scale)

    def within(self, most: int) -> Array:
        """Return by value whether an assignment that costs no more than a number may have it."""
        reach = (most - self.bound) * 2**self.scale
        found: Array = self.stars <= min(int(reach), FAR - 1) if reach >= 0 else np.zeros(len(self.stars), dtype=bool)
        return found


@njit(cache=True, nogil=True)
def give_stars(
    starts: Array,
    ends: Array,
    pairs: Array,
    scale: int,
    first: Array,
    second: Array,
    own: Array,
    most: int,
    stars: Array,
    least: Array,
) -> None:
    """Add to every value's excess what each of its edges costs beyond its least, beside the best of the other end.

    Parameters
    ----------
    starts, ends, pairs
        Of tables: where a variable's values begin, the edges' variables, and the costs of pairs, edge by edge.
    scale, first, second
        Of duals.
    own
        By value, its own excess, at most `most`.
    most
        No edge adds more.
    stars
        Changed in place.
    least
        Set to the least cost of every edge, less its messages; ROOM where nothing is allowed.
    """
    at = mine = theirs = 0
    for edge in range(len(ends)):
        one, other = starts[ends[edge, 0]], starts[ends[edge, 1]]
        height, width = starts[ends[edge, 0] + 1] - one, starts[ends[edge, 1] + 1] - other
        lowest = ROOM
        for a in range(height):
            for b in range(width):
                cost = pairs[at + a * width + b]
                if cost < FORBIDDEN:
                    lowest = min(lowest, (cost << scale) - first[mine + a] - second[theirs + b])
        least[edge] = lowest
        columns = np.full(width, FAR, np.int64)
        for a in range(height):
            row = FAR
            for b in range(width):
                cost = pairs[at + a * width + b]
                if cost < FORBIDDEN:
                    more = min((cost << scale) - first[mine + a] - second[theirs + b] - lowest, most)
                    row = min(row, more + own[other + b])
                    columns[b] = min(columns[b], more + own[one + a])
            stars[one + a] = min(stars[one + a] + min(row, most if row < FAR else FAR), FAR)
        for b in range(width):
            stars[other + b] = min(stars[other + b] + min(columns[b], most if columns[b] < FAR else FAR), FAR)
        at += height * width
        mine += height
        theirs += width


def narrowed(tables: Tables, kept: Array) -> Tables:
    """Return tables of some of the values, of which every variable has one.

    Parameters
    ----------
    kept
        By value, whether it stays.
    """
    sizes = np.add.reduceat(kept, tables.starts[:-1], dtype=np.int64)
    pairs = np.empty(int((sizes[tables.ends[:, 0]] * sizes[tables.ends[:, 1]]).sum()), dtype=np.int64)
    copy_pairs(tables.starts, tables.ends, tables.edges, kept, pairs)
    memory = tables.memory
    items = kept[ranges(tables.starts[memory.holders], tables.sizes[memory.holders])]
    return tables.replace(
        sizes=sizes,
        unary=tables.unary[kept],
        edges=pairs,
        memory=replace(memory, starts=offsets(sizes[memory.holders]), usages=memory.usages[items]),
    )


@njit(cache=True, nogil=True)
def copy_pairs(starts: Array, ends: Array, pairs: Array, kept: Array, found: Array) -> None:
    """Set to the costs of pairs of which both values are kept, in their order."""
    at = to = 0
    for edge in range(len(ends)):
        one, other = ends[edge]
        for a in range(starts[one], starts[one + 1]):
            if kept[a]:
                for b in range(starts[other], starts[other + 1]):
                    if kept[b]:
                        found[to] = pairs[at + b - starts[other]]
                        to += 1
            at += starts[other + 1] - starts[other]

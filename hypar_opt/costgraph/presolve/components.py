"""Components: variables that nothing joins to the others are a problem of their own.

Two variables belong together where an edge joins them, or where both have an item in the same row of the memory; and
whoever belongs to one of them belongs to both. An assignment of the whole is one of every component: costs add up, and

    bound(whole, prices side by side) = constant + sum over components of bound(component, its prices).

The links are as many as edges, items and rows: every holder is joined to the first row of an item, and that to the next
as long as some item goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import Array, Duals, Priced, Tables
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.sums import adjacency, side_starts

if TYPE_CHECKING:
    from collections.abc import Sequence


MOST: Final = 8
"""How many parts tables are taken into: a search of each has a price of its own."""


@dataclass(frozen=True, eq=False)
class Component:
    """A part of tables that nothing joins to the rest: a component, or several.

    Parameters
    ----------
    variables, edges, rows
        Their numbers in the whole, in ascending order.
    tables
        Its own; without the whole's constant.
    """

    variables: Array
    edges: Array
    rows: Array
    tables: Tables

    @property
    def size(self) -> int:
        """Number of costs."""
        return len(self.tables.unary) + len(self.tables.edges)


def count_components(tables: Tables) -> int:
    """Return the number of components."""
    return len(np.unique(_labels(tables)[: tables.count]))


def components(tables: Tables, most: int = MOST) -> tuple[Component, ...]:
    """Return the components, the smallest first.

    Parameters
    ----------
    most
        Where there are more, the smallest are one part.
    """
    labels = _labels(tables)
    found, part = np.unique(labels[: tables.count], return_inverse=True)
    if len(found) <= 1 or most == 1:
        variables, edges, rows = map(np.arange, (tables.count, len(tables.ends), tables.memory.rows))
        return (Component(variables, edges, rows, tables.replace(constant=0)),)
    sizes = np.zeros(len(found), dtype=np.int64)
    np.add.at(sizes, part, tables.sizes)
    np.add.at(sizes, part[tables.ends[:, 0]], np.diff(tables.edge_starts))
    ranks = np.empty(len(found), dtype=np.int64)
    ranks[np.argsort(-sizes, kind="stable")] = np.arange(len(found))
    ranks = np.minimum(ranks, most - 1)
    # a row that nobody takes anything of goes with the largest
    by_label = np.zeros(int(labels.max()) + 1, dtype=np.int64)
    by_label[found] = ranks
    ranked = by_label[labels]
    parts = [_part(tables, ranked == rank) for rank in range(min(len(found), most))]
    return tuple(sorted(parts, key=lambda one: one.size))


def _labels(tables: Tables) -> Array:
    """Return by variable, then by row, the number of its component."""
    from scipy.sparse.csgraph import connected_components

    memory, nodes = tables.memory, tables.count + tables.memory.rows
    taking = memory.spans[:, 0] < memory.spans[:, 1]
    firsts, lasts = memory.spans[taking, 0], memory.spans[taking, 1] - 1
    steps = np.zeros(memory.rows, dtype=np.int64)
    np.add.at(steps, firsts, 1)
    np.subtract.at(steps, lasts, 1)
    going_on = np.flatnonzero(np.cumsum(steps) > 0) + tables.count
    heads = np.concatenate([tables.ends[:, 0], memory.holders[taking], going_on])
    tails = np.concatenate([tables.ends[:, 1], firsts + tables.count, going_on + 1])
    labels: Array = connected_components(adjacency(nodes, heads, tails), directed=False)[1]
    return labels


def _part(tables: Tables, own: Array) -> Component:
    """Return a part.

    Parameters
    ----------
    own
        By variable, then by row, whether it is the part's.
    """
    variables, rows = own[: tables.count], own[tables.count :]
    edges = np.flatnonzero(variables[tables.ends[:, 0]])
    part = tables.restricted(variables, rows).replace(constant=0)
    return Component(np.flatnonzero(variables), edges, np.flatnonzero(rows), part)


def choices_together(parts: Sequence[Component], choices: Sequence[Sequence[int] | Array]) -> Array:
    """Return the assignment of the whole that consists of one of every part."""
    whole = np.zeros(sum(len(part.variables) for part in parts), dtype=np.int64)
    for part, own in zip(parts, choices, strict=True):
        whole[part.variables] = own
    return whole


def duals_together(tables: Tables, parts: Sequence[Component], duals: Sequence[Duals]) -> Duals:
    """Return the parts' duals as the whole's, whose bound is the sum of theirs and of the constant.

    (Unless nothing is allowed of a variable or an edge: that counts as much as there is room for, whatever the scale.)
    Where sums would leave 64 bits at the finest of their scales they are made coarser, which may cost some units of
    2^-scale; where they do at any, there are none but those that say nothing.
    """
    for scale in range(max(one.scale for one in duals), -1, -1):
        if all(one.fits_at(scale) for one in duals):
            whole = _side_by_side(tables, parts, [one.coarser(one.scale - scale) for one in duals])
            if Priced(tables, whole).fault is None:
                return whole
    return Duals.zero(tables)


def _side_by_side(tables: Tables, parts: Sequence[Component], duals: Sequence[Duals]) -> Duals:
    """Put duals of one scale into their places."""
    whole = Duals.zero(tables)
    for part, own in zip(parts, duals, strict=True):
        for side, (messages, more) in enumerate(zip(whole.messages, own.messages, strict=True)):
            starts, lengths = side_starts(tables, side)[:-1], tables.edge_sizes[:, side]
            messages[ranges(starts[part.edges], lengths[part.edges])] = more
        whole.prices[part.rows] = own.prices
    return replace(whole, scale=duals[0].scale)

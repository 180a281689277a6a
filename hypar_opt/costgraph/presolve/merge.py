"""Parts of tables put together again: what is known of each becomes the whole's."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve.sums import ranges, side_starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, Tables
    from hypar_opt.costgraph.presolve.components import Component
    from hypar_opt.costgraph.presolve.reduction import Reduction


def lifted(reduction: Reduction, duals: Duals) -> Duals:
    """Return duals of `reduction.leaders` whose bound is no lower than that of duals of the reduced tables.

    Where sums would leave 64 bits the duals are made coarser first, which may cost some units of 2^-scale.

    Raises
    ------
    NotImplementedError
        If variables of two neighbours were eliminated.
    ValueError
        If the costs leave no room for duals.
    """
    for scale in range(duals.scale, -1, -1):
        coarse = coarser(duals, duals.scale - scale)
        found = coarse
        for step in reversed(reduction.steps[reduction.liftable :]):
            found = step.lift(found)
        priced, reduced = Priced(reduction.leaders, found), Priced(reduction.tables, coarse)
        # sums that wrapped around give duals that are sound, and bound nothing
        if priced.fault is None and reduced.fault is None and priced.bound >= reduced.bound:
            return found
    raise ValueError("the duals can't be lifted within 64 bits")


def coarser(duals: Duals, bits: int) -> Duals:
    """Return duals at a scale of so many bits less, rounded down; below 0, of so many more."""
    each = (duals.first, duals.second, duals.prices)
    first, second, prices = (one >> bits if bits >= 0 else one << -bits for one in each)
    return replace(duals, scale=duals.scale - bits, first=first, second=second, prices=prices)


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
        if all(_fits(one, scale) for one in duals):
            whole = _side_by_side(tables, parts, [coarser(one, one.scale - scale) for one in duals])
            if Priced(tables, whole).fault is None:
                return whole
    return Duals.zero(tables)


def _fits(duals: Duals, scale: int) -> bool:
    """Return whether no number leaves 64 bits at a scale."""
    each = (duals.first, duals.second, duals.prices)
    most = max((max(int(one.max()), -int(one.min())) for one in each if len(one)), default=0)
    return most << max(0, scale - duals.scale) < 2**63


def _side_by_side(tables: Tables, parts: Sequence[Component], duals: Sequence[Duals]) -> Duals:
    """Put duals of one scale into their places."""
    whole = Duals.zero(tables)
    for part, own in zip(parts, duals, strict=True):
        for side, (messages, more) in enumerate(((whole.first, own.first), (whole.second, own.second))):
            starts, lengths = side_starts(tables, side)[:-1], tables.edge_sizes[:, side]
            messages[ranges(starts[part.edges], lengths[part.edges])] = more
        whole.prices[part.rows] = own.prices
    return Duals(duals[0].scale, whole.first, whole.second, whole.prices)

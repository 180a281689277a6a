"""Bounds of reduced tables as bounds of the tables of the leaders, which certificates are of."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.costgraph import Duals, Priced

if TYPE_CHECKING:
    from hypar_opt.presolve.reduction import Reduction


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

"""The nodes that are left once those that follow others are merged with them, and prices for these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.errors import Refusal
from hypar_opt.presolve import lifted
from hypar_opt.presolve.followers import Followers

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Duals, Tables
    from hypar_opt.presolve import Reduction


@dataclass(frozen=True, eq=False)
class Leaders:
    """Tables of the nodes that follow none, and prices of theirs.

    Parameters
    ----------
    tables, duals
        Of one another; a variable has its node's strategies.
    nodes
        By variable, the node; in ascending order.
    ties
        Leaders and nodes that follow them: whenever it is a node's turn, an edge joins the two, once those that had
        their turn before are merged with their leaders; shape (ties, 2).
    """

    tables: Tables
    duals: Duals
    nodes: Array
    ties: Array


def leaders_of(reduction: Reduction, duals: Duals) -> Leaders:
    """Return the leaders, and prices of the reduced tables as prices of theirs, whose bound is no lower.

    Raises
    ------
    Refusal
        If presolve made a step behind which there are none.
    """
    try:
        duals = lifted(reduction, duals)
    except (NotImplementedError, ValueError) as error:
        why = str(error) or "presolve went further than prices can follow"
        raise Refusal(f"the bound cannot be carried back to the graph: {why}; try --no-presolve") from None
    first = reduction.steps[0] if reduction.liftable else None
    if not isinstance(first, Followers):
        return Leaders(reduction.leaders, duals, np.arange(reduction.original.count), np.zeros((0, 2), np.int64))
    return Leaders(reduction.leaders, duals, first.variables, _ties(first))


def _ties(merged: Followers) -> Array:
    """Return all who follow, each behind its parent, with their leaders."""
    roots = np.flatnonzero(merged.parents < 0)
    following = np.argsort(_depths(merged.parents), kind="stable")[len(roots) :]
    return np.stack([roots[merged.leaders[following]], following], axis=1)


def _depths(parents: Array) -> Array:
    """Return by variable how many it follows: its parent, its parent's parent and so on."""
    depths, above = np.zeros_like(parents), parents
    while (follows := above >= 0).any():
        depths += follows
        above = np.where(follows, parents[above], -1)
    return depths

"""What a node of the tree is: some of the values of every variable, and the messages and prices to begin with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from formulations.lagrangian.search_tree.loops import narrowed
from hypar_opt.costgraph.duals import places

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Tables


@dataclass(frozen=True, eq=False)
class Subproblem:
    """Some of the values of a problem.

    Parameters
    ----------
    tables
        Of these values alone.
    values
        By value, where in the whole problem's `unary` it stands.
    messages
        What edges give to their first variables' values, edge by edge, and then to their second variables'.
    prices, average
        By row of the memory: of one unit of it, and what the passes' choices use on average.
    bound
        What no plan of these values costs less than.
    excess
        By value, how much more than the bound one that has it costs at least; empty where nobody has looked.
    shares
        By value, of its variable, as of the dual; empty where nobody has looked.
    depth
        How many divisions it is away from the root.
    """

    tables: Tables
    values: Array
    messages: Array
    prices: Array
    average: Array
    bound: int
    excess: Array = field(default_factory=lambda: np.zeros(0))
    shares: Array = field(default_factory=lambda: np.zeros(0))
    depth: int = 0

    @property
    def taken(self) -> int:
        """Bytes of its largest arrays."""
        arrays = self.tables.unary, self.tables.edges, self.values, self.messages, self.excess, self.shares
        return sum(int(one.nbytes) for one in arrays)

    def among(self, kept: Array, deeper: int = 0) -> Subproblem:
        """Return the problem of some of the values, of which every variable has one.

        Parameters
        ----------
        kept
            By value, whether it stays.
        deeper
            How many divisions that is.
        """
        if kept.all():
            return self
        tables = self.tables
        given = np.concatenate([kept[places(tables, side)] for side in (0, 1)])
        return Subproblem(
            narrowed(tables, kept),
            self.values[kept],
            self.messages[given],
            self.prices,
            self.average,
            self.bound,
            self.excess[kept] if len(self.excess) else self.excess,
            self.shares[kept] if len(self.shares) else self.shares,
            self.depth + deeper,
        )

    def choices(self, chosen: Array, starts: Array) -> Array:
        """Return the whole problem's assignment for one of these values.

        Parameters
        ----------
        starts
            Of the whole problem's tables.
        """
        found: Array = self.values[self.tables.starts[:-1] + chosen] - starts[:-1]
        return found

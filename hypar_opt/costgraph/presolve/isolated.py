"""Variables without edges whose memory is the same whatever they are: each takes its cheapest value and is gone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Tables
from hypar_opt.costgraph.presolve.reduction import Step
from hypar_opt.costgraph.presolve.sums import without_variables

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array


@dataclass(frozen=True, eq=False)
class Isolated(Step):
    """Variables solved on their own.

    Parameters
    ----------
    kept
        By variable, whether it stays.
    cheapest
        By variable, the value that it takes if it goes.
    """

    kept: Array
    cheapest: Array

    @property
    def name(self) -> str:
        """What it takes away."""
        return "isolated variables"

    @property
    def removed(self) -> int:
        """Number of those variables."""
        return int((~self.kept).sum())

    @property
    def variables(self) -> Array:
        """The others."""
        return np.flatnonzero(self.kept)

    def expand(self, choices: Array) -> Array:
        """Return the others' values, and the cheapest."""
        found = self.cheapest.copy()
        found[self.kept] = choices
        return found

    def contract(self, choices: Array) -> Array | None:
        """Return the others' values."""
        found: Array = choices[self.kept]
        return found


def solve_isolated(tables: Tables) -> tuple[Tables, Isolated] | None:
    """Solve every variable that nothing joins to others."""
    if not tables.count:
        return None
    least = np.minimum.reduceat(tables.unary, tables.starts[:-1])
    alone = least < FORBIDDEN
    alone[tables.ends.reshape(-1)] = False
    alone[tables.memory.holders] = False
    if not alone.any():
        return None
    first = np.flatnonzero(tables.unary == np.repeat(least, tables.sizes))
    cheapest = first[np.searchsorted(first, tables.starts[:-1])] - tables.starts[:-1]
    constant = tables.constant + sum(least[alone].tolist())
    return without_variables(tables, alone).replace(constant=constant), Isolated(tables, ~alone, cheapest)

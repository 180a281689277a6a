"""The tree over the smoothed dual: a well connected variable that keeps plan and bound apart is divided by its values.

One such variable may hold the bound down alone: in strategy graphs some variable that a hundred others agree with has
two values of a half each, and with either of them, or any other, the bound rises by half of the gap. Which ones do is
not to be seen from the shares; but the best plan pays for them above the bound. Several are tried, and what they
brought is remembered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from formulations.lagrangian.passing import penalised
from formulations.lagrangian.pricing import first_prices
from formulations.lagrangian.search_tree.search import BranchSearch
from formulations.lagrangian.smoothed_dual import SmoothedDual

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from formulations.lagrangian.dual import Dual
    from formulations.lagrangian.search import AnnealingSearch
    from formulations.lagrangian.search_tree.subproblem import Subproblem
    from hypar_opt.costgraph import Array

TRIALS = 6
"""Variables that are tried at a subproblem, at most."""
NEAR, ALONE = 0.05, 8
"""Of a share: such values have parts of their own, so many at most, all others of the variable one together."""
COOL = 0.3
"""Of the gap, a variable's or an edge's share, what mu is: higher ones rise faster at first, and end lower."""
ENOUGH = 0.1
"""Of the gap, by which all parts' bounds have risen: no other division is tried."""
LEAST = 0.02
"""What a variable counts for that brought nothing, of one that brought `ENOUGH`."""


class SmoothedBranchSearch(BranchSearch):
    """The tree of a smoothed dual.

    Parameters
    ----------
    dual, search
        As of the tree.
    """

    trial: ClassVar[int] = 20
    passes: ClassVar[int] = 40
    begun: ClassVar[int] = 0
    narrow: ClassVar[float] = 0.8
    patience: ClassVar[float] = 3
    copies: ClassVar[int] = 2 * (ALONE + 1)
    enough: ClassVar[float] = ENOUGH

    def __init__(self, dual: Dual, search: AnnealingSearch) -> None:
        super().__init__(dual, search)
        self._brought = np.ones(dual.tables.count)
        self._tried = 0

    def _divisions(self, node: Subproblem) -> Iterator[Iterable[Subproblem]]:
        weights = self._weights(node) * self._brought * (1 + np.diff(node.tables.incident[1]))
        several = np.flatnonzero(node.tables.sizes > 1)
        for variable in several[np.argsort(-weights[several], kind="stable")][:TRIALS].tolist():
            self._tried = variable
            yield (node.among(mask, 1) for mask in _masks(node, variable))

    def _weights(self, node: Subproblem) -> Array:
        """Return what the best plan pays for each variable above the root's bound; its ties, where no plan is known."""
        if self.incumbent.choices is None:
            ties: Array = 1.0 - np.maximum.reduceat(node.shares, node.tables.starts[:-1])
            return ties
        return self.dual.excess(np.array(self.incumbent.choices))

    def _worth(self, node: Subproblem, parts: int, left: list[Subproblem]) -> float:
        """Return by how much of the gap the least bound of a part has risen; remember it of the variable."""
        gap = max(self.limit - node.bound, 1)
        risen = min((one.bound - node.bound for one in left), default=gap) / gap
        self._brought[self._tried] = np.clip(risen / ENOUGH, LEAST, 1.0)
        return risen

    def _dual_of(self, sub: Subproblem) -> Dual:
        """Return the dual that goes on; mu is a variable's or an edge's share of the gap."""
        mu = COOL * (self.limit - sub.bound) / max(sub.tables.count + len(sub.tables.ends), 1)
        reach = first_prices(self.dual.bound, sub.tables.memory.room)
        own = sub.messages, sub.prices, sub.average, mu, reach, self.dual.bound
        dual = SmoothedDual.resumed(sub.tables, penalised(sub.tables), *own)
        dual.shares = sub.shares
        return dual


def _masks(node: Subproblem, variable: int) -> Iterator[Array]:
    """Yield the values of each part: those of a variable with a share each alone, and the others together."""
    start, end = node.tables.starts[variable : variable + 2]
    own = node.shares[start:end]
    ranked = np.argsort(-own, kind="stable")
    alone = min(max(int((own >= NEAR).sum()), 1), ALONE)
    for part in (*np.split(ranked[:alone], alone), ranked[alone:]):
        mask = np.ones(len(node.tables.unary), dtype=np.bool_)
        mask[start:end] = False
        mask[start + part] = True
        if len(part):
            yield mask

"""MultiTree (Huang et al., Communication algorithm-architecture co-design for distributed deep learning, ISCA 2021).

One tree a chunk, rooted where the chunk begins. In each synchronous step every link serves as many trees as it carries
chunks; trees take turns, and in its turn a tree gets one node: its members of before this step are asked in the order
in which they joined, and the first with a free way to a node that is not in the tree gets that as a child. When no
tree gets any, the step ends. A gathering goes down the trees, a reduction up them in mirrored order.

Where links take different times the same is done as time goes on, too: whenever a link is free or a chunk has arrived,
trees take turns. The better of both is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, ClassVar, Final

from formulations.collective.finish import concluded
from formulations.collective.growing import grown, grown_in_time, grows_in_time
from formulations.collective.halves import constructed
from formulations.collective.timing import until
from hypar_opt.costgraph.collective import value_of, written
from hypar_opt.costgraph.collective.bounds import lower_bound
from hypar_opt.formulation.protocol import Capabilities
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run

MOST_ORDERS: Final = 16
_SENDS_TRIED: Final = 20_000
"""Of all orders together, after the first."""


@dataclass(frozen=True)
class MultiTree:
    """Trees that take turns."""

    name: ClassVar[str] = "multitree"
    summary: ClassVar[str] = "one tree a chunk, grown in turns (MultiTree, ISCA 2021)"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", groups=True, reads_shares=True, rank=402, default_for={"collective": 5}
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline what has no trees."""
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "its trees bring a chunk to several accelerators, and here each goes to one; try collective-cp-sat"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Grow the trees."""
        try:
            moves, how = _trees(graph, run)
        except Stopped:
            return Solution(Status.NO_SOLUTION, native_status="stopped")
        return concluded(graph, run, moves, how)


def _trees(graph: CollectiveGraph, run: Run, order: Sequence[int] | None = None) -> tuple[list[Move] | None, str]:
    """Return the better of trees in steps and, where links differ, in time; and which it is."""
    moves = constructed(graph, partial(grown, run=run, order=order))
    if moves is not None and grows_in_time(graph):
        other = constructed(graph, partial(grown_in_time, run=run, order=order))
        if other is not None and until(other) < until(moves):
            return other, "trees in turns as time goes on"
    return moves, "trees in turns"


@dataclass(frozen=True)
class MultiTreeOrders:
    """The same in several orders of trees, the best of which is kept."""

    name: ClassVar[str] = "multitree-orders"
    summary: ClassVar[str] = "MultiTree with trees in several orders, of which the best is kept"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", groups=True, rank=419)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline what has no trees."""
        return FORMULATION.accepts(graph, run)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Grow the trees, order after order, until the bound is met."""
        least, best, how, which = lower_bound(graph).value, None, "trees in turns", "as given"
        sends = sum(max(len(one.sources), len(one.targets)) for one in graph.demands)
        tried = 0
        for name, order in orders(len(graph.demands), run.limits.seed, 1 + _SENDS_TRIED // sends):
            if best is not None and (run.limits.over or _value(graph, best) <= least):
                break
            try:
                moves, grew = _trees(graph, run, order)
            except Stopped:
                break
            tried += 1
            if moves is not None and (best is None or _value(graph, best) > _value(graph, moves)):
                best, how, which = moves, grew, name
        found = concluded(graph, run, best, f"{how}, {which}")
        return replace(found, statistics={**found.statistics, "orders": tried, "order": which})


def _value(graph: CollectiveGraph, moves: Sequence[Move]) -> int:
    return value_of(graph, written(moves))


def orders(trees: int, seed: int, most: int) -> Iterator[tuple[str, list[int]]]:
    """Yield orders of trees with their names: by the numbers of chunks, backwards, and by chance.

    Parameters
    ----------
    seed
        Of the latter.
    most
        How many at most.
    """
    order = list(range(trees))
    random = Random(seed)
    for number in range(min(most, MOST_ORDERS)):
        if number == 0:
            yield "as given", order
        elif number == 1:
            yield "backwards", order[::-1]
        else:
            yield f"shuffled {number - 1}", random.sample(order, trees)


FORMULATION = MultiTree()
ORDERS = MultiTreeOrders()

"""The tightest cut of an array: most chunks that have to get into a set of nodes, over what its links let in.

If links could carry r times what they do in a step, and what everyone has to get came from one place, then everyone
would have its flow just where no cut's ratio is above r. So the greatest ratio is found by maximum flows, beginning
with the best cut known: where a flow is too small the minimum cut has a greater ratio, which is taken then (Dinkelbach,
1967). For an all-gather this is the bound that ForestColl packs trees up to (Zhao et al., 2024).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hypar_opt.costgraph.collective.mirror import mirrored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.costgraph.collective.graph import CollectiveGraph

MOST_ACCELERATORS: Final = 64
"""Of arrays whose cuts are searched: each has flows of its own."""
_SCALE: Final = 10**4
"""Of what a link carries, where links have times: as a share of the quickest."""


class TightestCut(NamedTuple):
    """A cut, and how tight it is.

    Parameters
    ----------
    ratio
        Chunks that have to get in over what links let in in a step, of all that one accelerator has to get; in time,
        over shares of the quickest link.
    inside
        The nodes into which they have to get.
    """

    ratio: Fraction
    inside: frozenset[int]


def tightest_cut(graph: CollectiveGraph) -> TightestCut | None:
    """Return the cut by which most has to get in for what links let in; None where no cut was searched.

    Of an all-gather and a reduce-scatter in steps it is the tightest of all: no schedule, however finely chunks are
    cut, moves all of them in fewer steps than its ratio, and one can come as near to that as is wished (Edmonds'
    branchings, as ForestColl packs them).
    """
    if graph.accelerators > MOST_ACCELERATORS or not graph.demands:
        return None
    if graph.reducing:
        turned = tightest_cut(mirrored(graph))
        return turned and turned._replace(inside=frozenset(range(graph.nodes)) - turned.inside)
    carried = _carried(graph)
    ratio, best = Fraction(0), None
    needs = list(_needs(graph))
    found = True
    while found:
        found = False
        for sink, begins in needs:
            inside = _short(graph, carried, ratio, sink, begins)
            if inside is not None:
                capacity = sum(count for ends, count in carried.items() if ends[1] in inside and ends[0] not in inside)
                needed = sum(count for node, count in begins.items() if node not in inside)
                ratio, best, found = Fraction(needed, capacity), inside, True
    return None if best is None else TightestCut(ratio, best)


def _carried(graph: CollectiveGraph) -> dict[tuple[int, int], int]:
    """Return what each link carries: chunks in a step, or in time a share of the quickest."""
    if graph.goal != "time":
        return {link.ends: link.messages for link in graph.links}
    each = {link.ends: link.transfer + (0 if graph.joined else link.latency) for link in graph.links}
    quickest = min(each.values())
    return {ends: max(1, _SCALE * quickest // one) for ends, one in each.items()}


def _needs(graph: CollectiveGraph) -> Iterator[tuple[int, Mapping[int, int]]]:
    """Yield who has to get how many chunks from where; of a sum at least one message, from any one contributor."""
    begins: dict[int, Counter[int]] = {}
    for one in graph.demands:
        for target in one.targets:
            source = next((node for node in one.sources if node != target), target)
            if source != target:
                begins.setdefault(target, Counter())[source] += 1
    yield from sorted(begins.items())


def _short(
    graph: CollectiveGraph,
    carried: Mapping[tuple[int, int], int],
    ratio: Fraction,
    sink: int,
    begins: Mapping[int, int],
) -> frozenset[int] | None:
    """Return the nodes behind a cut through which less can flow to a sink than has to; None where all of it can."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    start = graph.nodes
    ends = [*carried, *((start, node) for node in begins)]
    capacity = [count * ratio.numerator for count in carried.values()]
    capacity += [count * ratio.denominator for count in begins.values()]
    rows, columns = zip(*ends, strict=True)
    whole = csr_array((np.array(capacity, dtype=np.int32), (rows, columns)), shape=(start + 1, start + 1))
    whole.eliminate_zeros()
    flow = maximum_flow(whole, start, sink)
    if flow.flow_value >= ratio.denominator * sum(begins.values()):
        return None
    left = csr_array(whole - flow.flow)
    left.eliminate_zeros()
    reached = {int(node) for node in breadth_first_order(left, start, return_predecessors=False)}
    return frozenset(range(graph.nodes)) - reached

"""Levels of the partition tree one after the other, from the innermost: at each an all-reduce between halves.

Whoever is in one half exchanges with its counterpart in the other all it has, as HyPar's levels do with gradients. The
tree halves the accelerators in their order, as the levels of a network's array do; on a grid it halves each dimension.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.collective.doubling import by_halving, order_of
from formulations.collective.joined_blocks import JoinedBlocks
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.collective.doubling import Joining
    from hypar_opt.costgraph.collective import CollectiveGraph


def tree(graph: CollectiveGraph) -> Joining:
    """Return the levels of the partition tree."""
    order = order_of(graph)
    whole = order == tuple(range(graph.accelerators))
    return by_halving(order, [size for size in graph.dims if size > 1][:-1] if whole else ())


FORMULATION = JoinedBlocks(
    "hierarchical",
    "levels of the partition tree one after the other, halves exchange all they have",
    Capabilities(exact=False, decides="sends", rank=415),
    tree,
    "levels of the partition tree",
)

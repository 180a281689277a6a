"""Recursive doubling: in each stage twice as many have what all of them had (Thakur, Rabenseifner and Gropp, 2005).

In an all-reduce two exchange all they have and add it up, in lg p stages; in a gathering what the other lacks; a
reduction is the mirror of that, recursive halving. Of other numbers of accelerators than powers of two those that are
too many give what they have to another first, and get everything in the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from formulations.collective.doubling import by_doubling, order_of
from formulations.collective.joined_blocks import JoinedBlocks
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from formulations.collective.doubling import Joining
    from hypar_opt.costgraph.collective import CollectiveGraph


def doubled(graph: CollectiveGraph) -> Joining:
    """Return pairs of neighbours in order, then of pairs, then of fours."""
    return by_doubling(order_of(graph))


FORMULATION = JoinedBlocks(
    "recursive-doubling",
    "two exchange all they have, then four, then eight",
    Capabilities(exact=False, decides="sends", rank=413),
    doubled,
    "recursive doubling",
)

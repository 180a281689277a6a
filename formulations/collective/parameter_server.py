"""Parameter servers: all push what they have to servers, which add it up, and pull the sums (Li et al., OSDI 2014).

One server has all parameters: an accelerator that does not take part, if there is one, and the one that has the
shortest ways to all. Or every accelerator is the server of its own share. Where a way leads through other
accelerators these add up, or pass on, what comes by them, for they hold what they pass on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.doubling import order_of
from formulations.collective.finish import concluded, for_all
from formulations.collective.halves import staged
from formulations.collective.spreading import Spreading, around, by_source
from hypar_opt.costgraph.collective.bounds import distances
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph, Move
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


def server_of(graph: CollectiveGraph) -> int:
    """Return who is the server."""
    workers = order_of(graph)
    others = [node for node in range(graph.accelerators) if node not in set(workers)]

    def ways(node: int) -> int:
        far = distances(graph, node)
        return sum(far[one] for one in workers)

    return min(others or workers, key=ways)


def by_server(graph: CollectiveGraph, server: int, order: Sequence[int]) -> list[Move]:
    """Return the sends of a gathering by one server: all to it, then from it to all."""
    sends = Spreading(graph)
    for chunk, one in enumerate(graph.demands):
        sends.send(chunk, one.sources[0], server)
    sends.end_stage()
    for target in order:
        for chunk in range(len(graph.demands)):
            sends.send(chunk, server, target)
    return sends.moves


def by_everyone(graph: CollectiveGraph, order: Sequence[int]) -> list[Move]:
    """Return the sends of a gathering by which everyone sends what it has to all others, each in another order."""
    sends, begins = Spreading(graph), by_source(graph)
    for far in range(1, len(order)):
        for place, node in enumerate(order):
            for chunk in begins.get(node, ()):
                sends.send(chunk, node, around(order, place, far))
        sends.end_stage()
    return sends.moves


@dataclass(frozen=True)
class ParameterServer:
    """One has all parameters."""

    name: ClassVar[str] = "parameter-server"
    summary: ClassVar[str] = "one accelerator adds everything up and sends it to all"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=417)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls."""
        return for_all(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Push, and pull."""
        server, order = server_of(graph), order_of(graph)
        owners = [server] * len(graph.demands)
        moves = staged(graph, lambda gathering: by_server(gathering, server, order), owners)
        return concluded(graph, run, moves, f"accelerator {server} serves")


@dataclass(frozen=True)
class ShardedParameterServer:
    """Everyone has a share of the parameters."""

    name: ClassVar[str] = "parameter-server-sharded"
    summary: ClassVar[str] = "every accelerator is the server of a share, and sends it to all"
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", rank=418)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline all-to-alls."""
        return for_all(graph)

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Push, and pull."""
        order = order_of(graph)
        return concluded(graph, run, staged(graph, lambda one: by_everyone(one, order)), "everyone serves a share")


ONE = ParameterServer()
SHARDED = ShardedParameterServer()

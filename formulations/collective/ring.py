"""The ring: every accelerator passes on to the next what it got from the one before (Patarasuk and Yuan, 2009)."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import concluded
from formulations.collective.halves import constructed
from hypar_opt.costgraph.collective import Move
from hypar_opt.formulation.protocol import Capabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.formulation.solution import Solution


def ways(graph: CollectiveGraph, start: int, free: dict[tuple[int, int], int]) -> dict[int, tuple[int, ...]]:
    """Return the shortest way by free links to every accelerator that can be reached through switches alone."""
    found: dict[int, tuple[int, ...]] = {}
    waiting: deque[tuple[int, ...]] = deque([(start,)])
    seen = {start}
    while waiting:
        route = waiting.popleft()
        for other in graph.after[route[-1]]:
            if other in seen or not free[route[-1], other]:
                continue
            seen.add(other)
            if other < graph.accelerators:
                found[other] = (*route, other)
            else:
                waiting.append((*route, other))
    return found


def members(graph: CollectiveGraph) -> list[int]:
    """Return the accelerators that take part."""
    return sorted({node for one in graph.demands for node in (*one.sources, *one.targets)})


def ring_of(graph: CollectiveGraph, run: Run) -> dict[int, tuple[int, ...]] | str:
    """Return the way from each to the next around a Hamiltonian cycle, or why there is none, or none was found.

    From one to another it is the shortest way; all of them together are within what links carry in a step.
    """
    nodes = members(graph)
    free = {link.ends: link.messages for link in graph.links}
    known = frozenset(nodes)
    routes = [route for node in nodes for other, route in ways(graph, node, free).items() if other in known]
    leaving = Counter(route[0] for route in routes)
    lonely = next((node for node in nodes if leaving[node] < min(2, len(nodes) - 1)), None)
    if lonely is not None:
        return f"there is no Hamiltonian cycle: accelerator {lonely} has fewer than two neighbours"
    sides = _sides(nodes, routes)
    if sides is not None and sides[0] != sides[1]:
        said = f"neighbours are on either of two sides, of {sides[0]} and {sides[1]} accelerators"
        return f"there is no Hamiltonian cycle: {said}"
    return _searched(graph, nodes, routes, run)


def _searched(
    graph: CollectiveGraph, nodes: Sequence[int], routes: Sequence[tuple[int, ...]], run: Run
) -> dict[int, tuple[int, ...]] | str:
    """Return a cycle of routes that share no more of a link than it carries, or why there is none."""
    from ortools.sat.python.cp_model import CpModel

    from formulations.cp_sat.search import solver_within, watched

    model, place = CpModel(), {node: number for number, node in enumerate(nodes)}
    taken = {route: model.new_bool_var("") for route in routes}
    model.add_circuit([(place[route[0]], place[route[-1]], one) for route, one in taken.items()])
    on_link: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for route in routes:
        for hop in pairwise(route):
            on_link.setdefault(hop, []).append(route)
    for hop, across in on_link.items():
        model.add(sum(taken[route] for route in across) <= graph.link_of[hop].messages)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        name = solver.status_name(solver.solve(model))
    if name in ("OPTIMAL", "FEASIBLE"):
        return {route[0]: route for route, one in taken.items() if solver.boolean_value(one)}
    if name != "INFEASIBLE":
        return "no Hamiltonian cycle was found"
    shared = " whose ways share no link" if graph.switches else ""
    return f"there is no Hamiltonian cycle{shared}, by CP-SAT"


def _sides(nodes: Sequence[int], routes: Sequence[tuple[int, ...]]) -> tuple[int, int] | None:
    """Return how many are on either side of a bipartite graph of three or more; None where it is none."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((route[0], route[-1]) for route in routes)
    if len(nodes) < 3 or not nx.is_connected(graph) or not nx.is_bipartite(graph):
        return None
    first, second = nx.bipartite.sets(graph)
    return len(first), len(second)


def gathered(graph: CollectiveGraph, routes: dict[int, tuple[int, ...]]) -> list[Move]:
    """Return the sends of a gathering around a ring, wave by wave: a chunk of each source on its way at a time."""
    moves, waves = [], dict.fromkeys(routes, 0)
    alone = len({one.sources for one in graph.demands}) == 1
    for number, demand in enumerate(graph.demands):
        (node,) = demand.sources
        # from one source chunks follow each other, from all they would meet
        begin = waves[node] * (1 if alone else 0 if graph.joined else len(routes) - 1)
        waves[node] += 1
        for step in range(begin, begin + len(routes) - 1):
            moves.append(Move(step, step + 1, number, routes[node]))
            node = routes[node][-1]
    return moves


@dataclass(frozen=True)
class Ring:
    """Around a Hamiltonian cycle."""

    name: ClassVar[str] = "ring"
    summary: ClassVar[str] = "around a Hamiltonian cycle of the array"
    capabilities: ClassVar[Capabilities] = Capabilities(
        exact=False, decides="sends", packages=("ortools",), reads_shares=True, rank=401
    )

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline where there is no cycle."""
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "around a ring a chunk gets to all, and here each goes to one; try collective-cp-sat"
        found = ring_of(graph, run)
        return f"{found}; try multitree" if isinstance(found, str) else None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Send around the cycle."""
        found = ring_of(graph, run)
        routes = None if isinstance(found, str) else found
        turned = None if routes is None else {route[-1]: route[::-1] for route in routes.values()}

        def gather(gathering: CollectiveGraph) -> list[Move] | None:
            # in a mirror links are turned, and the ring with them
            there = routes if set(gathering.links) == set(graph.links) else turned
            return None if there is None else gathered(gathering, there)

        return concluded(graph, run, constructed(graph, gather), "around a ring")


FORMULATION = Ring()

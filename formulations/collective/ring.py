"""The ring: every accelerator passes on to the next what it got from the one before (Patarasuk and Yuan, 2009)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from formulations.collective.finish import concluded
from formulations.collective.halves import moves_by
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


def cycle_of(graph: CollectiveGraph, run: Run) -> list[int] | str:
    """Return a Hamiltonian cycle through those that take part, or why there is none, or none was found."""
    from ortools.sat.python.cp_model import CpModel

    from formulations.cp_sat.search import solver_within, watched

    nodes = members(graph)
    place = {node: number for number, node in enumerate(nodes)}
    free = {link.ends: link.messages for link in graph.links}
    pairs = [(node, other) for node in nodes for other in ways(graph, node, free) if other in place]
    lonely = next((node for node in nodes if sum(first == node for first, _ in pairs) < min(2, len(nodes) - 1)), None)
    if lonely is not None:
        return f"there is no Hamiltonian cycle: accelerator {lonely} has fewer than two neighbours"
    sides = _sides(nodes, pairs)
    if sides is not None and sides[0] != sides[1] and len(nodes) > 2:
        said = f"neighbours are on either of two sides, of {sides[0]} and {sides[1]} accelerators"
        return f"there is no Hamiltonian cycle: {said}"
    model = CpModel()
    arcs = [(place[first], place[second], model.new_bool_var("")) for first, second in pairs]
    model.add_circuit(arcs)
    solver = solver_within(run.limits)
    with watched(run.limits.stop, solver.stop_search):
        native = solver.solve(model)
    name = solver.status_name(native)
    if name not in ("OPTIMAL", "FEASIBLE"):
        return "there is no Hamiltonian cycle, by CP-SAT" if name == "INFEASIBLE" else "no Hamiltonian cycle was found"
    after = {nodes[first]: nodes[second] for first, second, taken in arcs if solver.boolean_value(taken)}
    cycle = [nodes[0]]
    while after[cycle[-1]] != nodes[0]:
        cycle.append(after[cycle[-1]])
    return cycle


def _sides(nodes: Sequence[int], pairs: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return how many are on either side of a bipartite graph; None where it is none."""
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(pairs)
    if not nx.is_connected(graph) or not nx.is_bipartite(graph):
        return None
    first, second = nx.bipartite.sets(graph)
    return len(first), len(second)


def routes_of(graph: CollectiveGraph, cycle: Sequence[int]) -> dict[int, tuple[int, ...]] | None:
    """Return from each to the next a way, all of them together within what links carry; None where it is not found."""
    free = {link.ends: link.messages for link in graph.links}
    found = {}
    for node, other in pairwise([*cycle, cycle[0]]):
        route = ways(graph, node, free).get(other)
        if route is None:
            return None
        for hop in pairwise(route):
            free[hop] -= 1
        found[node] = route
    return found


def gathered(graph: CollectiveGraph, routes: dict[int, tuple[int, ...]]) -> list[Move]:
    """Return the sends of a gathering around a ring, wave by wave: a chunk of each source on its way at a time."""
    moves, waves = [], dict.fromkeys(routes, 0)
    alone = len({one.sources for one in graph.demands}) == 1
    for number, demand in enumerate(graph.demands):
        (node,) = demand.sources
        # from one source chunks follow each other, from all they would meet
        begin = waves[node] * (1 if alone else len(routes) - 1)
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
    capabilities: ClassVar[Capabilities] = Capabilities(exact=False, decides="sends", packages=("ortools",), rank=401)

    def accepts(self, graph: CollectiveGraph, run: Run) -> str | None:
        """Decline where there is no cycle."""
        if any(len(one.sources) == len(one.targets) == 1 for one in graph.demands):
            return "around a ring a chunk gets to all, and here each goes to one; try collective-cp-sat"
        found = cycle_of(graph, run)
        if isinstance(found, str):
            return f"{found}; try multitree"
        if routes_of(graph, found) is None:
            return "the ways of its ring through switches share links; try multitree"
        return None

    def solve(self, graph: CollectiveGraph, run: Run) -> Solution:
        """Send around the cycle."""
        cycle = cycle_of(graph, run)
        routes = None if isinstance(cycle, str) else routes_of(graph, cycle)
        turned = None if routes is None else {route[-1]: route[::-1] for route in routes.values()}

        def gather(gathering: CollectiveGraph) -> list[Move] | None:
            # in a mirror links are turned, and the ring with them
            there = routes if set(gathering.links) == set(graph.links) else turned
            return None if there is None else gathered(gathering, there)

        return concluded(graph, run, moves_by(graph, gather), "around a ring")


FORMULATION = Ring()

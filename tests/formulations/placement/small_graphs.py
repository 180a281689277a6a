"""Small placement problems, and the least that any placement of theirs costs, by looking at all."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import numpy as np

from hypar_opt.cost.links import compile_placement
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.util.partition import halves

ONE = Fraction(1)


def machine(count, links, switches=0, rule="shortest"):
    """Nodes 0 .. count - 1 are accelerators; a link is two nodes, and a bandwidth."""
    made = tuple(Link((one[0], one[1]), Fraction(one[2]) if len(one) > 2 else ONE) for one in links)
    return Machine("custom", tuple(map(str, range(count))), tuple(f"s{i}" for i in range(switches)), made, rule)


def ring(count):
    return machine(count, [(i, (i + 1) % count) for i in range(count)])


def path(count):
    return machine(count, [(i, i + 1) for i in range(count - 1)])


def mesh(rows, columns):
    across = [(i * columns + j, i * columns + j + 1) for i in range(rows) for j in range(columns - 1)]
    down = [(i * columns + j, i * columns + j + columns) for i in range(rows - 1) for j in range(columns)]
    return machine(rows * columns, across + down)


def star(count):
    return machine(count, [(i, count) for i in range(count)], 1)


def cube(levels):
    return machine(1 << levels, [(i, i | 1 << j) for i in range(1 << levels) for j in range(levels) if not i >> j & 1])


def tree(levels):
    """A heap's nodes: 1 is the root; leaves come first here."""
    leaves = 1 << levels
    number = {heap: heap - leaves if heap >= leaves else leaves + heap - 1 for heap in range(1, 2 * leaves)}
    return machine(leaves, [(number[heap], number[heap // 2]) for heap in range(2, 2 * leaves)], leaves - 1)


def problem(array, volumes, weights=None):
    exact = {name: Fraction(weight) for name, weight in (weights or {"hop-bytes": 1}).items()}
    return compile_placement(array, exact, halves(len(volumes)), volumes)


def random_costs(seed, levels, sites, most=6):
    """Any symmetric costs: not even a metric."""
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(0, most, (sites, sites)), 1)
    return PlacementGraph(halves(levels), upper + upper.T, tuple(int(x) for x in random.integers(0, 5, levels)))


def random_machine(seed, count, switches=0):
    """A tree at random, and some links more."""
    random = np.random.default_rng(seed)
    nodes = count + switches
    found = {(int(random.integers(0, node)), node) for node in range(1, nodes)}
    for _ in range(int(random.integers(0, nodes))):
        first, second = sorted(random.choice(nodes, 2, replace=False))
        found.add((int(first), int(second)))
    links = [(*pair, int(random.integers(1, 4))) for pair in sorted(found)]
    return machine(count, links, switches, ("shortest", "split")[seed % 2])


def placements(graph):
    return permutations(range(graph.sites), graph.leaves)


def least(graph):
    """Return the least that a placement costs."""
    every = np.array(list(placements(graph)), dtype=np.int64)
    return int(values(graph, every).min())


def values(graph, every):
    """Return what each of many placements costs, as the definition has it; shape (placements, leaves)."""
    total = np.full(len(every), graph.base * sum(graph.volumes), dtype=np.int64)
    for h, volume in enumerate(graph.volumes):
        busy = 0 if graph.usage is None else np.zeros((len(every), graph.usage.count), dtype=np.int64)
        for first, second in graph.pairs(h):
            u, v = every[:, first], every[:, second]
            total += volume * graph.pair_costs[u, v]
            if graph.usage is not None:
                table = dense(graph)
                busy += table[u, v] + table[v, u]
        if graph.usage is not None:
            total += volume * busy.max(axis=1)
    return total


def dense(graph):
    """Return what every ordered pair keeps every link busy with; shape (sites, sites, links)."""
    table = np.zeros((graph.sites, graph.sites, graph.usage.count), dtype=np.int64)
    for u in range(graph.sites):
        for v in range(graph.sites):
            links, costs = graph.usage.of(u, v, graph.sites)
            table[u, v, links] = costs
    return table

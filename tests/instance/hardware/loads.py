"""What links carry, from the routes alone; and closed forms of it, from the structure alone."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import networkx as nx

from hypar_opt.instance.hardware import Machine, routing_of


def all_to_all(machine: Machine):
    """Every ordered pair of accelerators."""
    nodes = range(len(machine.accelerators))
    return [(u, v) for u in nodes for v in nodes if u != v]


def exchange(count: int, bit: int):
    """Every accelerator with the one whose position differs in a bit: a level under the placement identity."""
    return [(u, u ^ 1 << bit) for u in range(count)]


def link_loads(machine: Machine, pairs):
    """What every link carries in each direction if every pair sends one byte; links without load left out."""
    routing = routing_of(machine)
    whole: Counter = Counter()
    parts: dict = {}
    for pair in pairs:
        shares = routing.shares(*pair)
        if len({id(share) for share in shares.values()}) == 1 and 1 in shares.values():  # one path: quick to count
            whole.update(shares.keys())
            continue
        for hop, share in shares.items():
            parts[hop] = parts.get(hop, 0) + share
    return {hop: Fraction(whole[hop]) + parts.get(hop, 0) for hop in {*whole, *parts}}


def hops(machine: Machine, pairs):
    """How many links the pairs' shortest paths cross, by networkx."""
    far = dict(nx.all_pairs_shortest_path_length(machine.graph))
    return sum(far[u][v] for u, v in pairs)


def without_zeros(loads):
    return {hop: load for hop, load in loads.items() if load}


def both_ways(links):
    """From {(a, b): load} the same in both directions."""
    return {**links, **{(b, a): load for (a, b), load in links.items()}}


def below_in_tree(machine: Machine):
    """For every link of a tree, upwards: how many accelerators hang below it."""
    found = {}
    for link in machine.links:
        graph = machine.graph
        graph.remove_edge(*link.ends)
        parts = [nx.node_connected_component(graph, end) for end in link.ends]
        graph.add_edge(*link.ends)
        lower = min(range(2), key=lambda i: machine_root(machine) in parts[i])
        up = (link.ends[lower], link.ends[1 - lower])
        found[up] = sum(node < len(machine.accelerators) for node in parts[lower])
    return found


def machine_root(machine: Machine) -> int:
    """The first switch: that of the top."""
    return len(machine.accelerators)


def line_all_to_all(size: int):
    """All pairs of a row: those on the one side of a link times those on the other."""
    return both_ways({(i, i + 1): (i + 1) * (size - i - 1) for i in range(size - 1)})


def ring_all_to_all(size: int, ascending_ties: bool = True):
    """All pairs of a ring: distances 1 .. m pass a link in as many ways each; of a tie all go up."""
    if size <= 2:
        return line_all_to_all(size)
    m = size // 2
    up = m * (m + 1) // 2
    down = up if size % 2 else m * (m - 1) // 2
    ways = ((i, (i + 1) % size) for i in range(size))
    return {way: load for a, b in ways for way, load in (((a, b), up), ((b, a), down))}


def line_exchange(size: int, bit: int):
    """Partners 2^bit apart in aligned blocks of twice that: every link of a block is crossed from both its sides."""
    block = 2 << bit
    return without_zeros(both_ways({(i, i + 1): min(i % block + 1, block - 1 - i % block) for i in range(size - 1)}))


def ring_exchange(size: int, bit: int):
    """As in a row, unless the partners are half the ring apart: then each goes up, past size / 2 links."""
    if size == 2 or 2 << bit < size:
        return line_exchange(size, bit)
    return {(i, (i + 1) % size): size // 2 for i in range(size)}


def on_lines(dims, along: int, line, times: int = 1):
    """The loads of a line, on all lines of a grid along a dimension."""
    stride = 1
    for size in dims[along + 1 :]:
        stride *= size
    count = stride * dims[along]
    for size in dims[:along]:
        count *= size
    starts = [node for node in range(count) if node // stride % dims[along] == 0]
    return {(s + a * stride, s + b * stride): times * load for s in starts for (a, b), load in line.items()}

"""Link loads, from the routes, against closed forms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import prod

import pytest
from loads import (
    all_to_all,
    below_in_tree,
    both_ways,
    exchange,
    hops,
    line_all_to_all,
    line_exchange,
    link_loads,
    on_lines,
    ring_all_to_all,
    ring_exchange,
)

from hypar_opt.cost.links import level_weights
from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire, machine_of
from hypar_opt.instance.hardware import routing as routing_module
from hypar_opt.util.partition import halves

GRIDS = [
    (1,),
    (2,),
    (5,),
    (4, 4),
    (2, 2),
    (1, 3),
    (3, 1, 2),
    (2, 3, 4),
    (8, 4),
    (5, 7),
    (2, 2, 2, 2),
    (16, 16),
    (4, 8, 8),
]
POWERS = [dims for dims in GRIDS if prod(dims).bit_count() == 1 and all(size.bit_count() == 1 for size in dims)]


def grid(topology, dims):
    return machine_of(topology, Shape(0, dims=dims))


@pytest.mark.parametrize("levels", range(9))
@pytest.mark.parametrize("topology", ["h-tree", "binary-tree"])
def test_all_to_all_in_a_tree_crosses_a_link_from_each_below_to_each_above(topology, levels):
    machine = machine_of(topology, Shape(levels))
    count = 2**levels
    expected = both_ways({up: m * (count - m) for up, m in below_in_tree(machine).items()})
    assert link_loads(machine, all_to_all(machine)) == expected


@pytest.mark.parametrize("levels", range(1, 9))
def test_a_level_in_a_tree_loads_the_links_below_its_own_switches(levels):
    machine = machine_of("h-tree", Shape(levels))
    below = below_in_tree(machine)
    for bit in range(levels):
        expected = both_ways({up: m for up, m in below.items() if m <= 2**bit})
        assert link_loads(machine, exchange(2**levels, bit)) == expected


@pytest.mark.parametrize("count", [1, 2, 3, 8, 255, 256])
def test_all_to_all_in_a_star(count):
    machine = machine_of("star", Shape(0, accelerators=count))
    expected = both_ways({(node, count): count - 1 for node in range(count)}) if count > 1 else {}
    assert link_loads(machine, all_to_all(machine)) == expected


def antipodal(size):
    """Half a ring apart the lower neighbour comes first: up from 0 and from the last, down from all others."""
    m, loads = size // 2, {}
    for source in range(size):
        step = 1 if source in (0, size - 1) else -1
        for i in range(m):
            hop = ((source + step * i) % size, (source + step * (i + 1)) % size)
            loads[hop] = loads.get(hop, 0) + 1
    return loads


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [3, 5, 7, 33, 255])
def test_all_to_all_in_an_odd_ring(size):
    machine = machine_of("ring", Shape(0, accelerators=size))
    assert link_loads(machine, all_to_all(machine)) == ring_all_to_all(size)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("size", [4, 6, 8, 34, 256])
def test_all_to_all_in_an_even_ring(size):
    machine = machine_of("ring", Shape(0, accelerators=size))
    m = size // 2
    ties = antipodal(size)
    nearer = m * (m - 1) // 2
    expected = {way: nearer + ties.get(way, 0) for link in machine.links for way in (link.ends, link.ends[::-1])}
    assert link_loads(machine, all_to_all(machine)) == expected


@pytest.mark.parametrize("size", [4, 6, 8, 32])
def test_all_to_all_in_an_even_ring_is_even_if_split(size):
    machine = replace(machine_of("ring", Shape(0, accelerators=size)), rule="split")
    loads = link_loads(machine, all_to_all(machine))
    assert len(loads) == 2 * size
    assert set(loads.values()) == {Fraction((size // 2) ** 2, 2)}


@pytest.mark.parametrize("levels", range(2, 9))
def test_a_level_in_a_ring(levels):
    machine = machine_of("ring", Shape(levels))
    for bit in range(levels - 1):
        assert link_loads(machine, exchange(2**levels, bit)) == line_exchange(2**levels, bit)
    assert link_loads(machine, exchange(2**levels, levels - 1)) == antipodal(2**levels)


@pytest.mark.sampled(12)
@pytest.mark.parametrize("dims", GRIDS)
@pytest.mark.parametrize(("topology", "line"), [("mesh", line_all_to_all), ("torus", ring_all_to_all)])
def test_all_to_all_in_a_grid_is_a_lines_times_all_sources_and_targets_beside_it(topology, line, dims):
    machine = grid(topology, dims)
    expected = {}
    for along, size in enumerate(dims):
        expected |= on_lines(dims, along, line(size), prod(dims) // size)
    assert link_loads(machine, all_to_all(machine)) == expected


@pytest.mark.parametrize("dims", POWERS)
@pytest.mark.parametrize(("topology", "line"), [("mesh", line_exchange), ("torus", ring_exchange)])
def test_a_level_in_a_grid_stays_in_its_lines(topology, line, dims):
    machine = grid(topology, dims)
    bits = [(along, i) for along, size in enumerate(dims) for i in reversed(range(size.bit_length() - 1))]
    for bit, (along, of_line) in enumerate(reversed(bits)):
        expected = on_lines(dims, along, line(dims[along], of_line))
        assert link_loads(machine, exchange(prod(dims), bit)) == expected


@pytest.mark.parametrize("levels", range(9))
def test_all_to_all_in_a_hypercube_loads_all_links_alike(levels):
    machine = machine_of("hypercube", Shape(levels))
    loads = link_loads(machine, all_to_all(machine))
    assert len(loads) == levels * 2**levels
    assert set(loads.values()) == ({2 ** (levels - 1)} if levels else set())


@pytest.mark.parametrize("levels", range(1, 9))
def test_a_level_in_a_hypercube_is_one_hop(levels):
    machine = machine_of("hypercube", Shape(levels))
    for bit in range(levels):
        pairs = exchange(2**levels, bit)
        assert link_loads(machine, pairs) == dict.fromkeys(pairs, 1)


@pytest.mark.parametrize("count", [1, 2, 3, 16, 64])
def test_all_to_all_where_all_are_connected(count):
    machine = machine_of("fully-connected", Shape(0, accelerators=count))
    assert link_loads(machine, all_to_all(machine)) == dict.fromkeys(all_to_all(machine), 1)


@pytest.mark.parametrize("count", [1, 2, 3, 16, 64])
def test_all_to_all_in_a_chain_of_cubes(count):
    machine = machine_of("hmc-chain", Shape(0, accelerators=count))
    assert link_loads(machine, all_to_all(machine)) == line_all_to_all(count)


@pytest.mark.parametrize("ports", [2, 4, 6])
def test_all_to_all_in_a_split_fat_tree(ports):
    """What leaves an edge switch or a pod is spread evenly over as many links up as there are accelerators below."""
    machine = replace(machine_of("fat-tree", Shape(0, ports=ports)), rule="split")
    count, half = ports**3 // 4, ports // 2
    cores = count + ports * ports
    loads = link_loads(machine, all_to_all(machine))
    for link in machine.links:
        low, high = sorted(link.ends)
        expected = count - 1 if low < count else count - half if high < cores else count - half * half
        assert loads.get((low, high), 0) == loads.get((high, low), 0) == expected


@pytest.mark.parametrize(("side", "each"), [(1, 1), (2, 2), (3, 2), (4, 4)])
def test_all_to_all_in_a_split_bigraph(side, each):
    """A link between switches carries its own pairs, and a share of those that turn round at either end."""
    count = 2 * side * each
    machine = replace(machine_of("bigraph", Shape(0, accelerators=count, switches=side)), rule="split")
    loads = link_loads(machine, all_to_all(machine))
    between = each * each * (1 + Fraction(2 * (side - 1), side))
    for link in machine.links:
        low, high = link.ends
        expected = count - 1 if low < count else between
        assert loads[low, high] == loads[high, low] == expected


SHAPES = [(name, Shape(levels)) for name in TOPOLOGIES if name != "custom" for levels in range(5)]


@pytest.mark.sampled(55)
@pytest.mark.parametrize("rule", ["own", "split"])
@pytest.mark.parametrize(("topology", "shape"), SHAPES)
def test_hop_bytes_are_the_sum_of_the_link_loads(topology, shape, rule):
    machine = machine_of(topology, shape)
    machine = machine if rule == "own" else replace(machine, rule="split")
    pairs = all_to_all(machine)
    assert sum(link_loads(machine, pairs).values()) == hops(machine, pairs)


@pytest.mark.parametrize(("topology", "shape"), SHAPES)
def test_level_weights_are_link_loads(topology, shape):
    """An accelerator sends 2^-H of a level's bytes: hops add up, and the busiest link takes its load / bandwidth."""
    machine = machine_of(topology, replace(shape, wire=Wire(Fraction(7))))
    count = 2**shape.levels
    hop_bytes = level_weights(machine, {"hop-bytes": Fraction(1)}, range(count), halves(shape.levels))
    time = level_weights(machine, {"comm-time": Fraction(1)}, range(count), halves(shape.levels))
    for h in range(shape.levels):
        loads = link_loads(machine, exchange(count, shape.levels - 1 - h))
        slowest = max(load / machine.link_of[hop].bandwidth for hop, load in loads.items())
        assert hop_bytes[h] * count == sum(loads.values())
        assert time[h] * count == slowest


def test_in_an_h_tree_every_level_takes_as_long():
    """2^k accelerators share a link of 2^k times a leaf's bandwidth."""
    machine = machine_of("h-tree", Shape(4, wire=Wire(Fraction(3))))
    assert level_weights(machine, {"comm-time": Fraction(1)}, range(16), halves(4)) == (Fraction(1, 48),) * 4
    plain = machine_of("binary-tree", Shape(4, wire=Wire(Fraction(3))))
    assert level_weights(plain, {"comm-time": Fraction(1)}, range(16), halves(4)) == tuple(
        Fraction(2**k, 48) for k in (3, 2, 1, 0)
    )


def test_a_rule_that_goes_the_long_way_round_is_noticed(monkeypatch):
    monkeypatch.setattr(routing_module._DimensionOrder, "_steps", lambda self, a, b, size: b - a)
    machine = grid("torus", (5, 5))
    loads = link_loads(machine, all_to_all(machine))
    assert sum(loads.values()) != hops(machine, all_to_all(machine))
    assert loads != {**on_lines((5, 5), 0, ring_all_to_all(5), 5), **on_lines((5, 5), 1, ring_all_to_all(5), 5)}


def test_a_rule_that_breaks_ties_downwards_is_noticed(monkeypatch):
    def down(self, here, there, size):
        up, below = (there - here) % size, (here - there) % size
        return up if up < below else -below

    monkeypatch.setattr(routing_module._DimensionOrder, "_steps", down)
    machine = grid("torus", (4,))
    assert link_loads(machine, all_to_all(machine)) == {(b, a): n for (a, b), n in ring_all_to_all(4).items()}
    assert link_loads(machine, all_to_all(machine)) != ring_all_to_all(4)

"""Routes against brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from loads import all_to_all, link_loads

from hypar_opt.cost.links import compile_placement
from hypar_opt.instance.hardware import TOPOLOGIES, Link, Machine, Shape, machine_of, routing_of
from hypar_opt.util.partition import halves

SMALL = [machine_of(name, Shape(levels)) for name in TOPOLOGIES if name != "custom" for levels in range(4)]
ODD = [machine_of("ring", Shape(0, accelerators=n)) for n in (3, 5)] + [
    machine_of(name, Shape(0, dims=dims)) for name in ("torus", "mesh") for dims in [(1, 1), (2, 1, 3), (3, 3), (2, 5)]
]


def with_rule(machine, rule):
    return machine if rule == "own" else replace(machine, rule=rule)


@st.composite
def machines(draw, rule="shortest"):
    """Connected graphs: a random tree and more links."""
    count = draw(st.integers(1, 9))
    accelerators = draw(st.integers(1, count))
    tree = [(draw(st.integers(0, node - 1)), node) for node in range(1, count)]
    others = [(a, b) for a in range(count) for b in range(a + 1, count) if (a, b) not in tree]
    more = draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    names = tuple(draw(st.permutations([f"n{i}" for i in range(count)])))
    links = tuple(Link(ends) for ends in draw(st.permutations([*tree, *more])))
    return Machine("custom", names[:accelerators], names[accelerators:], links, rule)


def path_of(shares, source, target):
    """The nodes on the way, where there is one way."""
    step = dict(shares)
    assert len(step) == len({a for a, _ in step}), "two ways go on from one node"
    onward = dict(step.keys())
    path = [source]
    while path[-1] != target:
        path.append(onward[path[-1]])
    assert len(path) == len(step) + 1
    return path


def check_flow(machine, shares, source, target):
    """All of a byte leaves the source, arrives at the target, and is lost or found nowhere between."""
    left = dict.fromkeys(range(len(machine.names)), Fraction(0))
    for (a, b), share in shares.items():
        assert (a, b) in machine.link_of, f"no link leads from {a} to {b}"
        assert 0 < share <= 1, f"{share} of a byte"
        left[a] += share
        left[b] -= share
    expected = {source: 1, target: -1} if source != target else {}
    assert {node: share for node, share in left.items() if share} == expected, "bytes are lost or found"


def check_shortest(machine, shares, source, target):
    """The links crossed, by share, are as many as the distance."""
    far = nx.shortest_path_length(machine.graph, source, target)
    assert sum(shares.values()) == far, f"{sum(shares.values())} hops instead of {far}"


def pairs_of(machine):
    """All nodes' pairs, switches' too."""
    nodes = range(len(machine.names))
    return [(u, v) for u in nodes for v in nodes]


@pytest.mark.parametrize("rule", ["own", "split"])
@pytest.mark.parametrize("machine", [*SMALL, *ODD], ids=lambda one: f"{one.topology}-{len(one.accelerators)}")
def test_routes_are_whole_and_shortest(machine, rule):
    machine = with_rule(machine, rule)
    routing = routing_of(machine)
    nodes = range(len(machine.accelerators))
    for pair in [(u, v) for u in nodes for v in nodes]:
        check_flow(machine, routing.shares(*pair), *pair)
        check_shortest(machine, routing.shares(*pair), *pair)


@given(machines())
def test_shortest_is_the_first_of_all_shortest_paths(machine):
    routing = routing_of(machine)
    for u, v in pairs_of(machine):
        assert path_of(routing.shares(u, v), u, v) == min(nx.all_shortest_paths(machine.graph, u, v))


@given(machines(rule="split"))
def test_split_is_an_equal_share_over_all_shortest_paths(machine):
    routing = routing_of(machine)
    for u, v in pairs_of(machine):
        paths = list(nx.all_shortest_paths(machine.graph, u, v))
        expected = {}
        for path in paths:
            for hop in pairwise(path):
                expected[hop] = expected.get(hop, 0) + Fraction(1, len(paths))
        assert routing.shares(u, v) == expected


@given(st.sampled_from(["shortest", "split"]).flatmap(machines))
def test_routes_through_any_graph_are_whole_and_shortest(machine):
    routing = routing_of(machine)
    for pair in pairs_of(machine):
        check_flow(machine, routing.shares(*pair), *pair)
        check_shortest(machine, routing.shares(*pair), *pair)


@given(st.sampled_from(["shortest", "split"]).flatmap(machines))
def test_link_loads_of_any_graph_sum_to_the_hops(machine):
    far = dict(nx.all_pairs_shortest_path_length(machine.graph))
    pairs = all_to_all(machine)
    assert sum(link_loads(machine, pairs).values()) == sum(far[u][v] for u, v in pairs)


SQUARE = Machine("custom", ("a", "b", "c", "d"), (), tuple(map(Link, [(0, 1), (1, 3), (0, 2), (2, 3)])))
WRONG = {
    "a share is lost": ({(0, 1): Fraction(1), (1, 3): Fraction(1, 2)}, "bytes are lost or found"),
    "half never leaves": ({(0, 1): Fraction(1, 2), (1, 3): Fraction(1, 2)}, "bytes are lost or found"),
    "no such link": ({(0, 3): Fraction(1)}, "no link leads from 0 to 3"),
    "against the way": ({(1, 0): Fraction(1), (3, 1): Fraction(1)}, "bytes are lost or found"),
    "more than all": ({(0, 1): Fraction(2), (1, 3): Fraction(1)}, "2 of a byte"),
}


@pytest.mark.parametrize(("shares", "fault"), WRONG.values(), ids=WRONG)
def test_routes_that_are_not_whole_are_noticed(shares, fault):
    with pytest.raises(AssertionError, match=fault):
        check_flow(SQUARE, shares, 0, 3)


def test_routes_that_are_not_shortest_are_noticed():
    with pytest.raises(AssertionError, match="3 hops instead of 1"):
        check_shortest(SQUARE, dict.fromkeys([(0, 2), (2, 3), (3, 1)], Fraction(1)), 0, 1)


def test_the_square_by_hand():
    assert routing_of(SQUARE).shares(0, 3) == {(0, 1): 1, (1, 3): 1}
    half = Fraction(1, 2)
    split = routing_of(replace(SQUARE, rule="split"))
    assert split.shares(0, 3) == {(0, 1): half, (1, 3): half, (0, 2): half, (2, 3): half}
    assert split.shares(0, 1) == {(0, 1): 1}
    assert split.shares(2, 2) == {}


BY_HAND = [
    # the first dimension first: 0 is (0, 0), 7 is (1, 3), 5 is (1, 1)
    ("mesh", (2, 4), 0, 7, [0, 4, 5, 6, 7]),
    ("mesh", (2, 4), 7, 0, [7, 3, 2, 1, 0]),
    # round the back where that is shorter
    ("torus", (2, 4), 0, 7, [0, 4, 7]),
    ("torus", (2, 4), 7, 0, [7, 3, 0]),
    ("torus", (5,), 0, 3, [0, 4, 3]),
    ("torus", (5,), 0, 2, [0, 1, 2]),
    # as far either way: up, from both ends
    ("torus", (4,), 1, 3, [1, 2, 3]),
    ("torus", (4,), 3, 1, [3, 0, 1]),
    # lines of one and two
    ("torus", (1, 3, 1), 0, 2, [0, 2]),
    ("torus", (2,), 1, 0, [1, 0]),
    ("mesh", (2, 1, 2), 0, 3, [0, 2, 3]),
]


@pytest.mark.parametrize(("topology", "dims", "source", "target", "path"), BY_HAND)
def test_dimension_order_by_hand(topology, dims, source, target, path):
    machine = machine_of(topology, Shape(0, dims=dims))
    assert path_of(routing_of(machine).shares(source, target), source, target) == path


def test_e_cube_by_hand():
    routing = routing_of(machine_of("hypercube", Shape(3)))
    assert path_of(routing.shares(0b000, 0b111), 0, 7) == [0b000, 0b001, 0b011, 0b111]
    assert path_of(routing.shares(0b110, 0b011), 6, 3) == [0b110, 0b111, 0b011]


def test_a_ring_by_hand():
    """Half the ring apart, the neighbour of the lower position."""
    routing = routing_of(machine_of("ring", Shape(2)))
    assert path_of(routing.shares(0, 2), 0, 2) == [0, 1, 2]
    assert path_of(routing.shares(1, 3), 1, 3) == [1, 0, 3]
    assert path_of(routing.shares(2, 0), 2, 0) == [2, 1, 0]
    assert path_of(routing.shares(3, 1), 3, 1) == [3, 0, 1]


@pytest.mark.parametrize("topology", [name for name in TOPOLOGIES if name != "custom"])
def test_an_array_without_levels_has_one_placement_that_costs_nothing(topology):
    machine = machine_of(topology, Shape(0))
    graph = compile_placement(machine, {"hop-bytes": Fraction(1)}, halves(0), ())
    assert (graph.leaves, graph.value((0,))) == (1, 0)


def test_distances_are_forgotten_in_large_arrays_without_harm(monkeypatch):
    monkeypatch.setattr("hypar_opt.instance.hardware.routing.REMEMBERED", 1)
    for rule in ("shortest", "split"):
        machine = with_rule(machine_of("ring", Shape(3)), rule)
        forgetful = [routing_of(machine).shares(*pair) for pair in all_to_all(machine)]
        monkeypatch.setattr("hypar_opt.instance.hardware.routing.REMEMBERED", 2**24)
        assert forgetful == [routing_of(machine).shares(*pair) for pair in all_to_all(machine)]

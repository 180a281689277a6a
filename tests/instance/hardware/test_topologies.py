"""Every topology's structure, and the shapes that cannot be."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import networkx as nx
import pytest

from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire, accelerator_count, machine_of
from hypar_opt.instance.hardware.shape import check_buildable
from hypar_opt.util.errors import MachineError

BUILT = [name for name in TOPOLOGIES if name != "custom"]
WIRE = Wire(Fraction(5), Fraction(1, 3), Fraction(2))


def ends(machine):
    return {frozenset(link.ends) for link in machine.links}


def same_graph(machine, graph):
    return nx.is_isomorphic(machine.graph, graph)


@pytest.mark.parametrize("levels", range(7))
@pytest.mark.parametrize("topology", BUILT)
def test_sizes_are_those_of_the_array_that_is_built(topology, levels):
    shape = Shape(levels, wire=WIRE)
    machine, entry = machine_of(topology, shape), TOPOLOGIES[topology]
    size = entry.size(shape)
    assert size == (len(machine.accelerators), len(machine.switches), len(machine.links))
    assert size.accelerators == accelerator_count(topology, shape) >= 2**levels
    assert size.nodes == len(machine.names)
    assert (machine.topology, machine.rule) == (topology, entry.rule)
    assert machine.accelerators == tuple(f"a{i}" for i in range(size.accelerators))
    assert {(link.latency, link.energy) for link in machine.links} <= {(WIRE.latency, WIRE.energy)}


@pytest.mark.parametrize("topology", [name for name in BUILT if name != "fat-tree"])
def test_by_default_there_are_as_many_accelerators_as_leaves(topology):
    assert [accelerator_count(topology, Shape(levels)) for levels in range(12)] == [2**n for n in range(12)]


@pytest.mark.parametrize("topology", BUILT)
def test_nobody_needs_bandwidth_or_energy_to_build(topology):
    links = machine_of(topology, Shape(3)).links
    assert {(link.bandwidth, link.latency, link.energy) for link in links} == {(None, 0, None)}


@pytest.mark.parametrize("topology", BUILT)
def test_every_array_can_split_its_routes(topology):
    assert replace(machine_of(topology, Shape(2)), rule="split").rule == "split"


def test_networkx_gets_names_kinds_and_numbers():
    graph = machine_of("star", Shape(1, wire=WIRE)).graph
    assert dict(graph.nodes(data=True)) == {
        0: {"name": "a0", "kind": "accelerator"},
        1: {"name": "a1", "kind": "accelerator"},
        2: {"name": "s0", "kind": "switch"},
    }
    numbers = {"bandwidth": 5, "latency": Fraction(1, 3), "energy": 2}
    assert list(graph.edges(data=True)) == [(0, 2, numbers), (1, 2, numbers)]


def test_an_h_trees_bandwidth_doubles_towards_the_root():
    machine = machine_of("h-tree", Shape(2, wire=WIRE))
    # s0 is the root, s1 and s2 hang below it
    assert {(link.ends, link.bandwidth) for link in machine.links} == {
        ((5, 4), 10), ((6, 4), 10), ((0, 5), 5), ((1, 5), 5), ((2, 6), 5), ((3, 6), 5),
    }  # fmt: skip


def test_a_plain_binary_trees_links_are_alike():
    machine = machine_of("binary-tree", Shape(3, wire=WIRE))
    assert ends(machine) == ends(machine_of("h-tree", Shape(3)))
    assert {link.bandwidth for link in machine.links} == {5}


@pytest.mark.parametrize("topology", ["h-tree", "binary-tree", "hypercube"])
def test_more_accelerators_than_leaves(topology):
    machine = machine_of(topology, Shape(1, accelerators=8))
    assert machine == machine_of(topology, Shape(3))


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_arrays_of_any_number(count):
    shape = Shape(0, accelerators=count)
    circle = nx.cycle_graph(count) if count > 2 else nx.path_graph(count)
    assert same_graph(machine_of("ring", shape), circle)
    assert same_graph(machine_of("hmc-chain", shape), nx.path_graph(count))
    assert same_graph(machine_of("fully-connected", shape), nx.complete_graph(count))
    assert same_graph(machine_of("star", shape), nx.star_graph(count))


def test_neighbouring_cubes_have_two_links_in_one():
    links = machine_of("hmc-chain", Shape(2, wire=WIRE)).links
    assert [link.ends for link in links] == [(0, 1), (1, 2), (2, 3)]
    assert {(link.bandwidth, link.latency, link.energy) for link in links} == {(10, Fraction(1, 3), 2)}


@pytest.mark.parametrize("levels", range(1, 6))
def test_hypercubes_are_those_of_networkx(levels):
    assert same_graph(machine_of("hypercube", Shape(levels)), nx.hypercube_graph(levels))


@pytest.mark.parametrize("dims", [(1,), (3,), (4,), (1, 1), (3, 3), (2, 3, 4), (4, 1, 2), (5, 6)])
def test_grids_are_those_of_networkx(dims):
    assert same_graph(machine_of("mesh", Shape(0, dims=dims)), nx.grid_graph(dims))
    torus = nx.grid_graph(dims, periodic=True)
    torus.remove_edges_from(list(nx.selfloop_edges(torus)))
    assert same_graph(machine_of("torus", Shape(0, dims=dims)), torus)


def test_of_a_grid_the_last_dimension_is_the_fastest():
    assert ends(machine_of("mesh", Shape(0, dims=(2, 3)))) == {
        frozenset(pair) for pair in [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]
    }


@pytest.mark.parametrize(("levels", "dims"), [(0, (1, 1)), (1, (2, 1)), (2, (2, 2)), (3, (4, 2)), (4, (4, 4))])
@pytest.mark.parametrize("topology", ["mesh", "torus"])
def test_grids_are_as_square_as_can_be(topology, levels, dims):
    assert machine_of(topology, Shape(levels)).dims == dims


def test_a_torus_of_four_by_four_is_a_hypercube():
    assert same_graph(machine_of("torus", Shape(4)), machine_of("hypercube", Shape(4)).graph)


@pytest.mark.parametrize(("levels", "accelerators"), [(0, 2), (1, 2), (2, 16), (4, 16), (5, 54), (6, 128), (7, 128)])
def test_a_fat_tree_has_the_fewest_ports_that_suffice(levels, accelerators):
    assert accelerator_count("fat-tree", Shape(levels)) == accelerators


@pytest.mark.parametrize("ports", [2, 4, 6])
def test_a_fat_tree_is_what_its_paper_says(ports):
    """Al-Fares et al., Section 3: every switch has k ports in use; hosts of a pod are 4 hops apart, others 6."""
    machine = machine_of("fat-tree", Shape(0, ports=ports))
    count, half = len(machine.accelerators), ports // 2
    assert (count, len(machine.switches)) == (ports**3 // 4, ports * ports + half * half)
    assert [len(others) for others in machine.neighbours] == [1] * count + [ports] * len(machine.switches)
    far = nx.single_source_shortest_path_length(machine.graph, 0)
    hops = [far[node] for node in range(count)]
    assert hops == [0] + [2] * (half - 1) + [4] * (half * half - half) + [6] * (count - half * half)
    # k^2 / 4 equally short ways between pods
    assert len(list(nx.all_shortest_paths(machine.graph, 0, count - 1))) == half * half


def test_a_bigraph_by_hand():
    machine = machine_of("bigraph", Shape(3, wire=WIRE))
    below = [(0, 8), (1, 8), (2, 9), (3, 9), (4, 10), (5, 10), (6, 11), (7, 11)]
    between = [(8, 10), (8, 11), (9, 10), (9, 11)]
    assert [link.ends for link in machine.links] == below + between


def test_accelerators_that_do_not_divide_are_spread_as_evenly_as_can_be():
    machine = machine_of("bigraph", Shape(0, accelerators=10, switches=2))
    assert [len(others) - 2 for others in machine.neighbours[10:]] == [3, 2, 3, 2]
    assert nx.is_connected(machine_of("bigraph", Shape(0, accelerators=1, switches=3)).graph)


IMPOSSIBLE = {
    "too few": ("ring", Shape(3, accelerators=7), "accelerators", "has 7 accelerators, 3 levels need 8"),
    "too few for one level": ("ring", Shape(1, accelerators=1), "accelerators", "has 1 accelerator, 1 level needs 2"),
    "too small a grid": ("torus", Shape(4, dims=(3, 5)), "dims", "has 15 accelerators, 4 levels need 16"),
    "too few ports": ("fat-tree", Shape(5, ports=4), "ports", "has 16 accelerators, 5 levels need 32"),
    "too few of a tree": ("h-tree", Shape(3, accelerators=4), "accelerators", "has 4 accelerators, 3 levels need 8"),
    "none": ("star", Shape(0, accelerators=0), "accelerators", "expected at least 1, got 0"),
    "fewer than none": ("bigraph", Shape(0, switches=-1), "switches", "expected at least 1, got -1"),
    "a dimension of nothing": ("mesh", Shape(0, dims=(4, 0)), "dims", "expected at least 1, got 0"),
    "no dimension": ("mesh", Shape(0, dims=()), "dims", "expected at least one dimension"),
    "odd ports": ("fat-tree", Shape(0, ports=5), "ports", "expected an even number of ports, got 5"),
    "no power": ("hypercube", Shape(2, accelerators=6), "accelerators", "expected a power of two, got 6"),
    "no power for a tree": ("binary-tree", Shape(2, accelerators=6), "accelerators", "expected a power of two, got 6"),
    "dims of a ring": ("ring", Shape(2, dims=(4,)), "dims", "'ring' takes no dims; it takes accelerators"),
    "count of a torus": (
        "torus", Shape(2, accelerators=4), "accelerators", "'torus' takes no accelerators; it takes dims",
    ),
    "ports of a BiGraph": (
        "bigraph", Shape(2, ports=4), "ports", "'bigraph' takes no ports; it takes accelerators and switches",
    ),
    "levels below 0": ("ring", Shape(-1), "levels", "expected 0 to 64 levels, got -1"),
    "levels beyond counting": ("ring", Shape(10**9), "levels", "expected 0 to 64 levels, got 1000000000"),
    "no such topology": ("tourus", Shape(1), "topology", "unknown topology 'tourus'; did you mean 'torus'?"),
    "nothing like it": ("x", Shape(1), "topology", "unknown topology 'x'"),
    "custom": ("custom", Shape(1), "graph", "a custom topology is its nodes and links, not a shape"),
}  # fmt: skip


@pytest.mark.parametrize("ask", [machine_of, accelerator_count])
@pytest.mark.parametrize(("topology", "shape", "field", "message"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_shape_that_cannot_be(topology, shape, field, message, ask):
    with pytest.raises(MachineError) as caught:
        ask(topology, shape)
    assert (caught.value.field, caught.value.message) == (field, message)
    assert str(caught.value) == f"array.{field}: {message}"


TOO_LARGE = {
    "ring": ("ring", Shape(21), 2**21, "'ring' would have 2,097,152 nodes; at most 1,048,576 are built"),
    "just": ("star", Shape(20), 2**20, "'star' would have 1,048,577 nodes; at most 1,048,576 are built"),
    "links": (
        "fully-connected", Shape(12), 2**12,
        "'fully-connected' would have 8,386,560 links; at most 2,097,152 are built",
    ),
    "huge": (
        "torus", Shape(0, dims=(10**9, 10**9)), 10**18,
        "'torus' would have 1,000,000,000,000,000,000 nodes; at most 1,048,576 are built",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("topology", "shape", "count", "message"), TOO_LARGE.values(), ids=TOO_LARGE)
def test_what_is_too_large_is_counted_but_not_built(topology, shape, count, message):
    assert accelerator_count(topology, shape) == count
    with pytest.raises(MachineError) as caught:
        machine_of(topology, shape)
    assert str(caught.value) == f"array: {message}"


def test_thousands_of_nodes_are_built():
    """Larger than anything that a formulation takes, and no harm."""
    machine = machine_of("fat-tree", Shape(11))
    assert (len(machine.accelerators), len(machine.switches)) == (2662, 605)


def test_as_many_nodes_and_links_as_are_allowed_can_be_built():
    check_buildable("torus", TOPOLOGIES["torus"].size(Shape(20)))
    assert TOPOLOGIES["torus"].size(Shape(20)) == (2**20, 0, 2**21)

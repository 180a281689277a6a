"""Arrays from an edge list."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from hypar_opt.instance.hardware import Link, Wire, custom
from hypar_opt.util.errors import MachineError

NODES = [{"name": "hub", "kind": "switch"}, {"name": "left", "kind": "accelerator"}, {"name": "right"}]
LINKS = [
    {"ends": ["left", "hub"], "bandwidth": 10, "latency": Decimal("1e-6"), "energy": Fraction(1, 3)},
    {"ends": ("hub", "right"), "energy": 0},
]


def test_an_edge_list_by_hand():
    wire = Wire(Fraction(7), Fraction(2), Fraction(5))
    machine = custom(NODES, LINKS, wire, levels=1)
    assert (machine.topology, machine.rule) == ("custom", "shortest")
    assert (machine.accelerators, machine.switches) == (("left", "right"), ("hub",))
    assert machine.links == (
        Link((0, 2), Fraction(10), Fraction(1, 10**6), Fraction(1, 3)),
        Link((2, 1), Fraction(7), Fraction(2), Fraction(0)),
    )


def test_without_a_wire_nothing_is_known_but_what_is_said():
    links = custom(NODES, LINKS).links
    assert [link.bandwidth for link in links] == [10, None]
    assert [link.latency for link in links] == [Fraction(1, 10**6), 0]


def test_one_accelerator_is_an_array_without_levels():
    assert custom([{"name": "a"}], []).links == ()


def test_numbers_as_far_out_as_can_be():
    for far in (Decimal("1e-100"), Decimal("9.9e99"), 10**99, Decimal("1." + "1" * 399)):
        assert custom(NODES, [{**LINKS[0], "bandwidth": far}, LINKS[1]]).links[0].bandwidth == Fraction(far)


def with_link(**change):
    return NODES, [LINKS[0], {**LINKS[1], **change}]


def with_node(**change):
    return [*NODES, change], LINKS


ABOVE, LEAST = "expected a number above 0, got", "expected a number of at least 0, got"
SPAN = "expected 0 or a number from 1e-100 to 1e100, of at most 400 digits, got"
WRONG = {
    "too few": (NODES, LINKS, "array.graph: has 2 accelerators, 2 levels need 4"),
    "nothing": ([], [], "array.graph: expected at least one accelerator"),
    "switches only": (NODES[:1], [], "array.graph: expected at least one accelerator"),
    "not connected": (NODES, LINKS[:1], "array: is not connected: no path leads from 'left' to 'right'"),
    "one name twice": (*with_node(name="hub"), "array.nodes[3].name: two nodes are called 'hub'"),
    "no name": (*with_node(kind="switch"), "array.nodes[3].name: expected a name, got nothing"),
    "empty name": (*with_node(name=""), "array.nodes[3].name: expected a name, got ''"),
    "a number for a name": (*with_node(name=3), "array.nodes[3].name: expected a name, got 3"),
    "unknown kind": (
        *with_node(name="x", kind="swich"),
        "array.nodes[3].kind: expected accelerator or switch, got 'swich'; did you mean 'switch'?",
    ),
    "no kind": (
        *with_node(name="x", kind=None), "array.nodes[3].kind: expected accelerator or switch, got nothing",
    ),
    "unknown attribute of a node": (
        *with_node(name="x", knd="switch"),
        "array.nodes[3]: unknown attribute 'knd', expected name or kind; did you mean 'kind'?",
    ),
    "unknown attribute of a link": (
        *with_link(bandwith=1),
        "array.links[1]: unknown attribute 'bandwith', expected ends, bandwidth, latency or energy; "
        "did you mean 'bandwidth'?",
    ),
    "no ends": (NODES, [{"energy": 1}], "array.links[0].ends: expected the names of two nodes, got nothing"),
    "three ends": (*with_link(ends=["a"] * 3), "array.links[1].ends: expected the names of two nodes, got a list of 3"),
    "a text of two letters": (*with_link(ends="ab"), "array.links[1].ends: expected the names of two nodes, got 'ab'"),
    "a number for an end": (*with_link(ends=["hub", 2]), "array.links[1].ends: expected the name of a node, got 2"),
    "unknown node": (
        *with_link(ends=["hub", "rihgt"]), "array.links[1].ends: unknown node 'rihgt'; did you mean 'right'?",
    ),
    "to itself": (*with_link(ends=["hub", "hub"]), "array.links[1].ends: joins 'hub' with itself"),
    "twice": (
        NODES, [*LINKS, {"ends": ["left", "hub"]}],
        "array.links[2].ends: joins 'left' and 'hub', which are joined already",
    ),
    "twice, reversed": (
        NODES, [*LINKS, {"ends": ["hub", "left"]}],
        "array.links[2].ends: joins 'hub' and 'left', which are joined already",
    ),
    "no bandwidth": (*with_link(bandwidth=0), f"array.links[1].bandwidth: {ABOVE} 0"),
    "a zero of a kind": (*with_link(bandwidth=Decimal("0E+99999")), f"array.links[1].bandwidth: {ABOVE} 0E+99999"),
    "negative": (*with_link(bandwidth=-1), f"array.links[1].bandwidth: {ABOVE} -1"),
    "NaN": (*with_link(bandwidth=Decimal("NaN")), f"array.links[1].bandwidth: {ABOVE} NaN"),
    "signalling NaN": (*with_link(latency=Decimal("sNaN")), f"array.links[1].latency: {LEAST} sNaN"),
    "infinite": (*with_link(bandwidth=Decimal("Infinity")), f"array.links[1].bandwidth: {ABOVE} Infinity"),
    "nothing said": (*with_link(bandwidth=None), f"array.links[1].bandwidth: {ABOVE} nothing"),
    "text": (*with_link(latency="1"), f"array.links[1].latency: {LEAST} '1'"),
    "truth": (*with_link(energy=True), f"array.links[1].energy: {LEAST} true"),
    "a list": (*with_link(energy=[1]), f"array.links[1].energy: {LEAST} a list of 1"),
    "a float": (*with_link(energy=0.5), f"array.links[1].energy: {LEAST} 0.5; a float is not exact"),
    "negative energy": (*with_link(energy=Decimal("-0.1")), f"array.links[1].energy: {LEAST} -0.1"),
    "too large": (*with_link(bandwidth=Decimal("1e100")), f"array.links[1].bandwidth: {SPAN} 1E+100"),
    "far too large": (*with_link(latency=Decimal("1e99999999")), f"array.links[1].latency: {SPAN} 1E+99999999"),
    "too small": (*with_link(energy=Decimal("1e-101")), f"array.links[1].energy: {SPAN} 1E-101"),
    "an integer too large": (*with_link(energy=1 << 9999), f"array.links[1].energy: {SPAN} an integer of 10000 bits"),
    "too long": (*with_link(energy=Decimal("1" * 401 + "e-401")), f"array.links[1].energy: {SPAN} 0.{'1' * 58}..."),
}  # fmt: skip


@pytest.mark.parametrize(("nodes", "links", "message"), WRONG.values(), ids=WRONG)
def test_an_edge_list_that_cannot_be(nodes, links, message):
    with pytest.raises(MachineError) as caught:
        custom(nodes, links, levels=2)
    assert str(caught.value) == message


def test_too_many_nodes_and_links_are_refused_before_they_are_looked_at():
    class Many(list):
        def __init__(self, count):
            self.count = count

        def __len__(self):
            return self.count

    with pytest.raises(MachineError) as caught:
        custom(Many(2**20 + 1), [])
    assert str(caught.value) == "array.graph: has 1,048,577 nodes; at most 1,048,576 are built"
    with pytest.raises(MachineError) as caught:
        custom(NODES, Many(2**21 + 1))
    assert str(caught.value) == "array.graph: has 2,097,153 links; at most 2,097,152 are built"


def test_of_very_many_names_the_nearest_is_not_looked_for():
    many = [{"name": f"node{i}"} for i in range(5000)]
    with pytest.raises(MachineError) as caught:
        custom(many, [{"ends": ["node1", "nod2"]}])
    assert str(caught.value) == "array.links[0].ends: unknown node 'nod2'"

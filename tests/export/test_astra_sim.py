"""Arrays as ASTRA-sim's networks: built again from what is written, they have the same links."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
import yaml

from hypar_opt.export.astra_sim.folder import collective_folder
from hypar_opt.export.astra_sim.network import analytical_network, topology_text
from hypar_opt.instance.hardware.shape import Shape, Wire
from hypar_opt.instance.hardware.topologies import machine_of
from hypar_opt.util.errors import InputError
from tests.collectives import collective_of

WIRE = Wire(Fraction(3 * 2**29), Fraction(150, 10**9))
"""1.5 of what the network calls GB/s, 150 ns."""


def pairs_of(block, count):
    """Return who is linked with whom in one dimension; a switch is the number behind all."""
    if block == "Switch":
        return {(one, count) for one in range(count)}
    if block == "Ring":
        return {tuple(sorted((one, (one + 1) % count))) for one in range(count)}
    return set(combinations(range(count), 2))


def links_of(document):
    """Return the links of a network file: of dimensions the first counts fastest."""
    counts, found, stride = document["npus_count"], set(), 1
    for block, count in zip(document["topology"], counts, strict=True):
        for first, second in pairs_of(block, count):
            for node in range(prod(counts)):
                if node // stride % count == first:
                    found.add(frozenset((node, node + (second - first) * stride)))
        stride *= count
    return found


@pytest.mark.parametrize(
    ("topology", "shape"),
    [
        ("ring", {"accelerators": 5}),
        ("ring", {"accelerators": 2}),
        ("torus", {"dims": (4, 3)}),
        ("torus", {"dims": (2, 1, 5)}),
        ("hypercube", {"accelerators": 8}),
        ("fully-connected", {"accelerators": 4}),
        ("star", {"accelerators": 3}),
    ],
)
def test_dimensions_have_the_links_of_the_array(topology, shape):
    machine = machine_of(topology, Shape(0, wire=WIRE, **shape))
    document = yaml.safe_load(analytical_network(machine).text)
    count = len(machine.accelerators)
    there = {frozenset(link.ends) for link in machine.links}
    found = links_of(document)
    if topology == "star":
        found = {frozenset((min(pair), count)) for pair in found}
    assert (found, prod(document["npus_count"])) == (there, count)
    assert set(document["bandwidth"]) == {1.5}
    assert set(document["latency"]) == {150}


@pytest.mark.parametrize("topology", ["mesh", "h-tree", "binary-tree", "fat-tree", "bigraph", "hmc-chain"])
def test_any_array_is_a_topology_of_ns_3(topology):
    machine = machine_of(topology, Shape(2, wire=WIRE))
    assert analytical_network(machine) is None
    head, switches, *rows = topology_text(machine).splitlines()
    assert tuple(map(int, head.split())) == (len(machine.names), len(machine.switches), len(machine.links))
    assert list(map(int, switches.split())) == list(range(len(machine.accelerators), len(machine.names)))
    for row, link in zip(rows, machine.links, strict=True):
        first, second, rate, delay, errors = row.split()
        assert ((int(first), int(second)), errors) == (link.ends, "0")
        assert Fraction(rate.removesuffix("bps")) == link.bandwidth * 8
        assert Fraction(delay.removesuffix("ns")) == 150


def test_what_is_written_for_a_collective():
    files = collective_folder(collective_of("ring", "all-reduce", accelerators=3, link={"bandwidth": 1}))
    assert json.loads(files["system.json"])["all-reduce-implementation-custom"] == ["collective"]
    assert json.loads(files["ns3-logical.json"]) == {"logical-dims": ["3"]}
    assert [name for name in files if name.startswith("workload")] == [f"workload.{rank}.et" for rank in range(3)]
    assert files["run.sh"].startswith(b"#!/bin/sh\n")
    mesh = collective_folder(collective_of("mesh", dims=[3], link={"bandwidth": 1}))
    assert "run.sh" not in mesh and "network.yml" not in mesh


def test_links_have_a_bandwidth():
    with pytest.raises(InputError, match=r"array.link.bandwidth.*missing between 'a0' and 'a1'"):
        collective_folder(collective_of("ring", accelerators=3))

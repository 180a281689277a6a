"""What algorithms take, by published formulae: p accelerators, n bytes, a message alpha and its bytes times beta."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from hypar_opt import solve
from tests.collectives import collective_of

ALPHA, BETA = 6, Fraction(1, 5)
"""Seconds of a message on its way, and of a byte."""


def complete(count):
    """Return an array in which any two have a link."""
    links = [{"ends": [f"n{one}", f"n{other}"]} for one, other in combinations(range(count), 2)]
    return {"graph": {"nodes": [{"name": f"n{one}"} for one in range(count)], "links": links}}, ALPHA


def star(count):
    """Return an array around a switch: in and out of everyone one message at a time, by two links that share alpha."""
    nodes = [{"name": f"n{one}"} for one in range(count)]
    links = [{"ends": [node["name"], "hub"]} for node in nodes]
    return {"graph": {"nodes": [*nodes, {"name": "hub", "kind": "switch"}], "links": links}}, ALPHA // 2


def shaped(topology, **size):
    """Return an array with a link from accelerator to accelerator."""
    return {"topology": topology, **size}, ALPHA


def seconds(name, array, *, data, messages="joined", alpha=None, **said):
    """Return what an all-reduce takes by an algorithm."""
    shape, latency = array
    topology = shape.get("topology", "custom")
    rest = {name: one for name, one in shape.items() if name != "topology"}
    link = {"bandwidth": 5, "latency": latency if alpha is None else alpha}
    fields = {"bytes": data, "objective": "time", "messages": messages, **rest, **said}
    plan = solve(collective_of(topology, "all-reduce", link=link, **fields), name)
    assert plan.bound <= plan.objective
    return plan.objective


DUPLEX = [(8, shaped("hypercube", accelerators=8)), (16, shaped("torus", dims=[4, 4])), (4, complete(4)), (8, star(8))]
RINGS = [(5, shaped("ring", accelerators=5)), (8, shaped("torus", dims=[2, 4])), (6, star(6)), (4, complete(4))]


@pytest.mark.parametrize(("count", "array"), DUPLEX)
def test_recursive_doubling_sends_all_in_every_stage(count, array):
    data, stages = 40 * count, count.bit_length() - 1
    assert seconds("recursive-doubling", array, data=data) == stages * (ALPHA + data * BETA)


def test_doubling_of_other_numbers_is_folded_first():
    def stages(count, data):
        return count * (ALPHA + data * BETA)

    # of seven three give what they have to others, and get all in the end: two stages more than of four
    assert seconds("recursive-doubling", complete(7), data=280) == stages(4, 280)
    assert seconds("recursive-doubling", star(6), data=240) == stages(4, 240)
    # of three one is not folded, and begins at once
    assert seconds("recursive-doubling", complete(3), data=120) < stages(3, 120)
    # halves that are not alike need no folds
    assert seconds("hierarchical", complete(6), data=240) == stages(3, 240)


@pytest.mark.parametrize(("count", "array"), DUPLEX)
def test_halving_and_doubling_moves_the_least_bytes_in_the_fewest_messages(count, array):
    data, stages = 40 * count, count.bit_length() - 1
    least = 2 * data * Fraction(count - 1, count) * BETA
    assert seconds("rabenseifner", array, data=data) == 2 * stages * ALPHA + least


@pytest.mark.parametrize(("count", "chunks", "power"), [(6, 2, 4), (3, 2, 2), (5, 4, 4)])
def test_of_other_numbers_the_surplus_is_folded_first(count, chunks, power):
    # the published formula has p where 2^floor(lg p) are meant: of those parts are added up
    data = 60 * count * chunks
    expected = (2 * (power.bit_length() - 1) + 2) * ALPHA + (2 * Fraction(power - 1, power) + 2) * data * BETA
    found = seconds("rabenseifner", star(count), data=data, chunks=chunks)
    assert found == expected
    published = 2 * Fraction(count - 1, count) * data * BETA
    assert published - 2 * Fraction(power - 1, power) * data * BETA == 2 * data * BETA * (
        Fraction(1, power) - Fraction(1, count)
    )


@pytest.mark.parametrize(("count", "array"), RINGS)
@pytest.mark.parametrize("messages", ["single", "joined"])
def test_a_ring_takes_two_times_all_others(count, array, messages):
    data = 60 * count
    expected = 2 * (count - 1) * (ALPHA + Fraction(data, count) * BETA)
    assert seconds("ring", array, data=data, messages=messages) == expected


@pytest.mark.parametrize("count", [5, 7])
def test_a_ring_of_both_directions_takes_half(count):
    ring = seconds("ring", shaped("ring", accelerators=count), data=60 * count)
    assert seconds("bidirectional-ring", shaped("ring", accelerators=count), data=60 * count) == ring / 2


@pytest.mark.parametrize("side", [3, 4])
@pytest.mark.parametrize("topology", ["torus", "mesh"])
def test_rings_along_both_dimensions(side, topology):
    # on a mesh chunks are passed on both ways, which takes as long
    data = 60 * side**2
    expected = 4 * (side - 1) * ALPHA + 2 * data * Fraction(side**2 - 1, side**2) * BETA
    found = seconds("ring-2d", shaped(topology, dims=[side, side]), data=data)
    assert found == expected if topology == "torus" else found >= expected


@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_server_for_every_share_takes_what_a_ring_does(count):
    data = 60 * count
    ring = 2 * (count - 1) * (ALPHA + Fraction(data, count) * BETA)
    assert seconds("parameter-server-sharded", star(count), data=data) == ring
    # with a link for each all go at once
    assert seconds("parameter-server-sharded", complete(count), data=data) == ring / (count - 1)


@pytest.mark.parametrize("workers", [3, 4])
def test_one_server_takes_in_all_that_everyone_has(workers):
    group, data = [f"n{one}" for one in range(workers)], 60 * workers
    array = star(workers + 1)
    found = seconds("parameter-server", array, data=data, group=group)
    # 2 alpha + 2 p n beta counts the latencies of one message each way, as if the others' were hidden
    assert found == 2 * workers * (ALPHA + data * BETA)
    assert seconds("parameter-server", array, data=data, group=group, alpha=0) == 2 * workers * data * BETA
    # a chunk is pulled while others are pushed: p n beta, and one chunk more
    duplex = seconds("parameter-server", array, data=data, group=group, alpha=0, messages="single")
    assert duplex == workers * (data + Fraction(data, workers)) * BETA
    # with a link to everyone there is no p
    assert seconds("parameter-server", complete(workers + 1), data=data, group=group) == 2 * (ALPHA + data * BETA)


@pytest.mark.parametrize("count", [6, 7, 8])
def test_two_trees_take_about_twice_the_data(count):
    chunks, stages = 4, count.bit_length()
    data = 60 * count * chunks
    each = ALPHA + Fraction(data, count * chunks) * BETA
    found = seconds("double-binary-tree", star(count), data=data, chunks=chunks)
    assert 0 < found / each - 2 * count * chunks <= 4 * stages

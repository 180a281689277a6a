"""What the links carry: closed forms, by hand, and against the level weights of placements, which count otherwise."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.cost.links import level_weights
from hypar_opt.evaluation.links import Busiest
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, HOP_BYTES
from hypar_opt.util.partition import halves
from tests.evaluation.links.machines import (
    complete,
    graphs,
    hypercube,
    line,
    machine,
    measure,
    placed_graphs,
    ring,
    star,
    tree,
)


def test_a_line_of_four_by_hand():
    # level 1: 40 bytes, 10 from each; 0-2 and 1-3 share the middle link. Level 2: 8 bytes, 2 from each
    found = measure(line(4, bandwidth=5, energy=3), range(4), (40, 8))
    assert found.communication == 48
    assert found.levels[0] == {(0, 1): 10, (1, 0): 10, (1, 2): 20, (2, 1): 20, (2, 3): 10, (3, 2): 10}
    assert found.loads[0, 1] == 12
    assert found.loads[1, 2] == 20
    assert found.hop_bytes == 8 * 10 + 4 * 2 == sum(found.loads.values())
    assert found.busiest == (Busiest((1, 2), Fraction(20), Fraction(4)), Busiest((0, 1), Fraction(2), Fraction(2, 5)))
    assert found.comm_time == Fraction(22, 5)
    assert found.comm_energy == 3 * 88


def test_the_slow_link_is_the_busiest_not_the_full_one():
    links = (Link((0, 1), Fraction(1)), Link((1, 2), Fraction(10)), Link((2, 3), Fraction(1)))
    found = measure(Machine("custom", tuple("abcd"), (), links), range(4), (4, 0))
    assert found.busiest == (Busiest((0, 1), Fraction(1), Fraction(1)), None)
    assert found.comm_time == 1


def test_of_equally_busy_links_the_first_whatever_the_placement():
    found = measure(line(4), (3, 2, 1, 0), (0, 4))
    assert found.busiest == (None, Busiest((0, 1), Fraction(1), Fraction(1)))


def test_levels_follow_one_another_each_waits_for_its_own_link():
    # the bottleneck of the sum is the middle link: 20; of the levels one after the other 20 + 20
    found = measure(line(4), range(4), (40, 80))
    assert max(found.loads.values()) == 30
    assert found.comm_time == 20 + 20


@pytest.mark.parametrize(("missing", "time", "energy"), [({"bandwidth": None}, None, 8), ({"energy": None}, 4, None)])
def test_what_links_do_not_say_is_not_claimed(missing, time, energy):
    found = measure(line(4, **missing), range(4), (4, 0))
    assert found.hop_bytes == 8
    assert found.comm_time == (None if time is None else 2)
    assert found.comm_energy == energy


def test_one_link_that_does_not_say_is_enough():
    links = (Link((0, 1), Fraction(1), Fraction(0), Fraction(1)), Link((1, 2)))
    found = measure(Machine("custom", ("a", "b", "c"), (), links), (0, 1), (2,))
    assert (found.comm_time, found.comm_energy) == (None, None)
    assert found.busiest == (Busiest((0, 1), Fraction(1), None),)


def test_a_share_need_not_be_whole():
    found = measure(line(4), range(4), (1, 0))
    assert found.sent == (Fraction(1, 4), 0)
    assert found.loads[1, 2] == Fraction(1, 2)


def test_energy_of_zero_is_an_energy():
    assert measure(line(2, energy=0), range(2), (2,)).comm_energy == 0


def test_bytes_of_other_levels_are_refused():
    with pytest.raises(ValueError, match=r"^bytes of 1 levels, the placement has 2$"):
        measure(line(4), range(4), (1,))


@pytest.mark.parametrize("levels", range(1, 9))
def test_link_loads_in_closed_form(levels):
    count = 1 << levels
    volumes = [count * (3 + h) for h in range(levels)]  # every accelerator sends 3 + h
    in_tree = measure(tree(levels), range(count), volumes)
    on_ring = measure(ring(count), range(count), volumes)
    on_line = measure(line(count), range(count), volumes)
    for h, sent in enumerate(range(3, 3 + levels)):
        below = count >> h + 1
        # up to the level's switch every link carries what its leaves send; none above carries anything
        assert set(in_tree.levels[h].values()) == {sent * (1 << i) for i in range(levels - h)}
        assert max(in_tree.levels[h].values()) == sent * below
        # a half of a group is `below` long: its middle is crossed by all of one side
        assert max(on_line.levels[h].values()) == sent * below
        if h:
            assert on_ring.levels[h] == on_line.levels[h]
    # antipodes: each of the ring's links carries half the accelerators' routes, one way round
    if levels > 1:
        assert set(on_ring.levels[0].values()) == {Fraction(3 * count, 2)}
        assert len(on_ring.levels[0]) == count


@pytest.mark.parametrize("build", [hypercube, lambda h: complete(1 << h)], ids=["hypercube", "complete"])
@pytest.mark.parametrize("levels", range(1, 9))
def test_where_every_counterpart_is_a_neighbour_nothing_shares_a_link(build, levels):
    found = measure(build(levels), range(1 << levels), [1 << levels] * levels)
    assert found.hop_bytes == found.communication
    assert found.comm_time == levels
    assert set(found.loads.values()) == {1}


@pytest.mark.parametrize("levels", range(1, 9))
def test_in_a_star_every_link_carries_what_its_accelerator_sends(levels):
    found = measure(star(1 << levels), range(1 << levels), [1 << levels] * levels)
    assert set(found.loads.values()) == {levels}
    assert found.hop_bytes == 2 * found.communication


@pytest.mark.parametrize("side", [4, 16])
@pytest.mark.parametrize("wraps", [True, False], ids=["torus", "mesh"])
def test_meshes_and_tori_are_lines_and_rings(side, wraps):
    levels = side.bit_length() - 1
    grid = machine(side**2, list(grid_pairs(side, wraps)), topology="torus" if wraps else "mesh",
                   rule="dimension-order", dims=(side, side))  # fmt: skip
    volumes = list(range(1, 2 * levels + 1))
    found = measure(grid, range(side**2), [volume * side for volume in volumes])
    alone = ring(side) if wraps else line(side)
    for half in range(2):  # the first levels go along columns, the others along rows
        one = measure(alone, range(side), volumes[half * levels : (half + 1) * levels])
        stride = side if half == 0 else 1
        for h in range(levels):
            moved = {
                (
                    a * stride + i * (side // stride if stride > 1 else side),
                    b * stride + i * (1 if stride > 1 else side),
                ): load
                for (a, b), load in one.levels[h].items()
                for i in range(side)
            }
            assert found.levels[half * levels + h] == moved


def grid_pairs(side, wraps):
    for row in range(side):
        for column in range(side):
            if column + 1 < side or wraps:
                yield row * side + column, row * side + (column + 1) % side
            if row + 1 < side or wraps:
                yield row * side + column, (row + 1) % side * side + column


@pytest.mark.slow
@settings(max_examples=150)
@given(placed_graphs())
def test_it_agrees_with_the_level_weights_which_are_counted_otherwise(drawn):
    machine, placed, volumes = drawn
    found = measure(machine, placed, volumes)
    claimed = {COMMUNICATION: found.communication, HOP_BYTES: found.hop_bytes,
               COMM_TIME: found.comm_time, COMM_ENERGY: found.comm_energy}  # fmt: skip
    for component, value in claimed.items():
        weights = level_weights(machine, {component: Fraction(1)}, placed, halves(len(volumes)))
        assert value == sum(volume * weight for volume, weight in zip(volumes, weights, strict=True))


@given(placed_graphs())
def test_hop_bytes_are_the_sum_of_the_loads(drawn):
    found = measure(*drawn)
    assert found.hop_bytes == sum(found.loads.values(), start=Fraction(0))
    assert found.hop_bytes >= found.communication


@pytest.mark.slow
@given(graphs(), st.integers(1, 50), st.data())
def test_twice_the_bytes_twice_the_cost(drawn, volume, data):
    sites = data.draw(st.permutations(range(len(drawn.accelerators))))
    placed = sites[: 1 << (len(sites).bit_length() - 1)]
    levels = len(placed).bit_length() - 1
    one, two = (measure(drawn, placed, [times * volume] * levels) for times in (1, 2))
    assert two.comm_time == 2 * one.comm_time
    assert two.comm_energy == 2 * one.comm_energy
    assert dict(two.loads) == {hop: 2 * load for hop, load in one.loads.items()}

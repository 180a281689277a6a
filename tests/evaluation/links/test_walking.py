"""Which routes a placement uses: by hand, and what is no route or no placement."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.evaluation.links import misplaced, walk
from hypar_opt.evaluation.links import routes as walking
from hypar_opt.evaluation.links.routes import length
from hypar_opt.instance.hardware import Machine, Routing, routing_of
from hypar_opt.instance.hardware.routing import _Shortest
from hypar_opt.util.errors import Refusal
from tests.evaluation.links.machines import complete, graphs, hypercube, line, machine, ring, star, tree

HALF, WHOLE = Fraction(1, 2), Fraction(1)


def test_a_line_of_four_by_hand():
    # level 1: 0-2 and 1-3, level 2: 0-1 and 2-3; every pair sends both ways
    walked = walk(line(4), range(4))
    there = {(0, 1): 1, (1, 2): 2, (2, 3): 1}
    assert walked.crossings == (
        there | {(b, a): count for (a, b), count in there.items()},
        {(0, 1): 1, (1, 0): 1, (2, 3): 1, (3, 2): 1},
    )
    assert (walked.hops, walked.nearest, walked.farthest) == ((8, 4), (2, 1), (2, 1))


def test_the_placement_decides():
    # leaves 0, 1, 2, 3 on 0, 2, 1, 3: now the leaves of level 1 are neighbours
    walked = walk(line(4), (0, 2, 1, 3))
    assert walked.hops == (4, 8)


def test_routes_of_one_level_can_differ_in_length():
    walked = walk(line(4), (0, 3, 1, 2))
    assert (walked.hops, walked.nearest, walked.farthest) == ((4, 8), (1, 1), (1, 3))


def test_a_divided_route_counts_by_its_shares():
    # four in a circle, level 1 opposite: half of every route each way round
    walked = walk(ring(4, topology="custom", rule="split"), range(4))
    assert set(walked.crossings[0].values()) == {WHOLE}
    assert len(walked.crossings[0]) == 8
    assert walked.hops == (8, 4)


def test_half_round_a_torus_both_go_by_ascending_positions():
    walked = walk(ring(4), range(4))
    assert walked.crossings[0] == {(0, 1): 2, (1, 2): 2, (2, 3): 2, (3, 0): 2}


@pytest.mark.parametrize("levels", range(1, 7))
@pytest.mark.parametrize(
    ("build", "hops"),
    [
        (lambda h: hypercube(h), lambda _h, _i: 1),
        (lambda h: complete(1 << h), lambda _h, _i: 1),
        (lambda h: star(1 << h), lambda _h, _i: 2),
        (lambda h: tree(h), lambda h, i: 2 * (h - i)),
        (lambda h: line(1 << h), lambda h, i: 1 << h - 1 - i),
        (lambda h: ring(1 << h), lambda h, i: 1 << h - 1 - i),
    ],
    ids=["hypercube", "complete", "star", "tree", "line", "ring"],
)
def test_hops_in_order_in_closed_form(build, hops, levels):
    expected = tuple(hops(levels, i) for i in range(levels))
    walked = walk(build(levels), range(1 << levels))
    assert walked.nearest == walked.farthest == expected
    assert walked.hops == tuple(count << levels for count in expected)


def test_no_levels_no_routes():
    assert walk(line(2), (1,)).crossings == ()


@given(graphs(most=9), st.data())
def test_the_crossings_of_a_level_are_its_hops(drawn, data):
    sites = data.draw(st.permutations(range(len(drawn.accelerators))))
    walked = walk(drawn, sites[: 1 << (len(sites).bit_length() - 1)])
    assert walked.hops == tuple(sum(crossings.values()) for crossings in walked.crossings)


@given(graphs(trees=True), st.data())
def test_in_a_tree_climbing_is_the_shortest_path(drawn, data):
    source, target = (data.draw(st.integers(0, len(drawn.names) - 1)) for _ in range(2))
    climbed = routing_of(drawn).shares(source, target)
    assert list(climbed.items()) == list(_Shortest(drawn).shares(source, target).items())


@pytest.mark.parametrize(
    ("placed", "message"),
    [
        ((), "expected an accelerator for each of 2^H leaves, got 0"),
        ((0, 1, 2), "expected an accelerator for each of 2^H leaves, got 3"),
        ((0, 4), "leaf 1 stands on accelerator 4, there are 4 from 0"),
        ((-1, 0), "leaf 0 stands on accelerator -1, there are 4 from 0"),
        ((0, 1, 3, 1), "leaves 1 and 3 both stand on 'a1'"),
        ((3, 1), None),
    ],
)
def test_what_is_no_placement(placed, message):
    assert misplaced(line(4), placed) == message
    if message is not None:
        with pytest.raises(ValueError, match=r"expected|stand") as caught:
            walk(line(4), placed)
        assert str(caught.value) == message


def test_too_many_accelerators_are_refused(monkeypatch):
    monkeypatch.setattr(walking, "MOST_ACCELERATORS", 4)
    walk(line(4), range(4))
    with pytest.raises(Refusal) as refused:
        walk(line(8), range(8))
    assert str(refused.value) == (
        "walking every route takes at most 4 accelerators, got 8; take at most 2 levels, "
        "or the objective communication, which needs no routes"
    )


def test_too_many_hops_are_refused(monkeypatch):
    monkeypatch.setattr(walking, "MOST_HOPS", 12)
    walk(line(4), range(4))
    monkeypatch.setattr(walking, "MOST_HOPS", 11)
    with pytest.raises(Refusal) as refused:
        walk(line(4), range(4))
    assert str(refused.value) == (
        "the routes of this placement have more than 11 hops, too many to walk; take fewer levels, a placement whose "
        "counterparts are nearer, or the objective communication, which needs no routes"
    )


@pytest.mark.parametrize(
    ("shares", "hops"),
    [
        ({(0, 1): WHOLE, (1, 3): WHOLE}, 2),
        ({(0, 1): HALF, (0, 2): HALF, (1, 3): HALF, (2, 3): HALF}, 2),
        ({(1, 3): WHOLE, (0, 1): WHOLE}, 2),
        ({(0, 1): WHOLE}, "the route from node 0 to 3 ends at 1"),
        ({}, "the route from node 0 to 3 ends at 0"),
        ({(0, 1): HALF, (1, 3): HALF}, "the route from node 0 to 3 does not pass on all bytes at node 0"),
        (
            {(0, 1): WHOLE, (1, 3): HALF, (1, 2): HALF},
            "the route from node 0 to 3 does not pass on all bytes at node 3",
        ),
        (
            {(0, 3): HALF, (0, 1): HALF, (1, 3): HALF},
            "the route from node 0 to 3 has paths of different lengths",
        ),
    ],
)
def test_routes_are_not_taken_on_trust(shares, hops):
    if isinstance(hops, int):
        assert length(shares, 0, 3) == hops
        return
    with pytest.raises(ArithmeticError) as caught:
        length(shares, 0, 3)
    assert str(caught.value) == hops


def test_a_route_over_no_link_is_found(monkeypatch):
    class Beamed(Routing):
        def shares(self, source, target):
            return {(source, target): WHOLE}

    monkeypatch.setattr(walking, "routing_of", lambda _: Beamed())
    with pytest.raises(ArithmeticError, match=r"^a route leads from node 0 to 2, which no link joins$"):
        walk(line(4), range(4))


def test_one_link_more_makes_it_no_tree():
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    assert isinstance(machine(4, pairs), Machine)
    assert type(routing_of(machine(4, pairs))) is not type(routing_of(machine(4, pairs[:3])))

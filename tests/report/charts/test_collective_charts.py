"""Pictures of collectives on their array: ways of chunks, trees with shares, loads of links, very large schedules."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from hypar_opt import load, solve
from hypar_opt.report.collective.ways import ways_of_schedule, ways_of_trees
from hypar_opt.solver.kinds import problem_of
from hypar_opt.util.errors import Refusal
from tests.collectives import collective_of


def judged_of(instance, name="multitree"):
    problem = problem_of(instance)
    return problem.judged(solve(problem, name).strategies)


def test_a_way_has_an_arrow_for_each_link_of_its_chunk():
    from hypar_opt.report.charts.collective_ways import ways_figure

    judged = judged_of(collective_of("mesh", "all-reduce", dims=[2, 2]))
    made = ways_figure(ways_of_schedule(judged))
    heads = made.spec["datasets"]["heads"]
    assert len(heads) == sum(len(one.route) - 1 for one in judged.schedule.sends)
    assert {(head["c"], head["s"]) for head in heads} == {(one.chunk, one.end) for one in judged.schedule.sends}
    homes = [node["n"] for node in made.spec["datasets"]["nodes"] if node["c"] is not None]
    assert homes == ["a0", "a1", "a2", "a3"]
    assert len(made.printed["concat"]) == 4


def test_branches_of_a_tree_come_behind_those_that_they_need():
    problem = problem_of(load("dgx-1-trees"))
    judged = problem.packed(solve(problem).strategies)
    shown = ways_of_trees(judged)
    assert len(shown.ways) == shown.count == len(judged.packing.shares)
    for way in shown.ways:
        reached = {way.home: 0.0}
        for (begin, end), when, _, adds in way.hops:
            assert not adds
            assert reached[begin] + 1 == when
            reached[end] = when


def test_sums_come_together_before_they_are_whole():
    problem = problem_of(collective_of("mesh", "all-reduce", dims=[2, 3], objective="bandwidth", link={"bandwidth": 1}))
    for way in ways_of_trees(problem.packed(solve(problem).strategies)).ways:
        adding = [hop.when for hop in way.hops if hop.adds]
        assert max(adding) < min(hop.when for hop in way.hops if not hop.adds)


def test_loads_are_bytes_of_directions_and_the_cut_is_marked():
    from hypar_opt.report.charts.collective_loads import loads_figure

    judged = judged_of(collective_of(dims=[3, 3]))
    made = loads_figure(judged, (4,))
    data = made.spec["datasets"]
    assert sum(Fraction(head["b"]) for head in data["heads"]) == pytest.approx(float(judged.bytes_sent))
    assert [node["n"] for node in data["nodes"] if node["g"] == "behind the cut"] == ["a4"]


def test_links_end_at_their_nodes():
    from hypar_opt.report.charts.collective_array import ArrayDrawing

    drawing = ArrayDrawing(collective_of(dims=[3, 3]))
    for hop in drawing.instance.machine.link_of:
        ways = drawing.pieces(hop)
        assert len(ways) == (2 if abs(hop[0] % 3 - hop[1] % 3) == 2 or abs(hop[0] // 3 - hop[1] // 3) == 2 else 1)
        x, y = drawing.geometry.layout.points[hop[1]]
        (before, end) = list(pairwise(ways[-1]))[-1]
        assert abs(end[0] - x) + abs(end[1] - y) < abs(before[0] - x) + abs(before[1] - y)


def test_more_nodes_than_a_picture_has_are_refused(monkeypatch):
    from hypar_opt.report.charts.collective_array import ArrayDrawing

    monkeypatch.setattr("hypar_opt.report.charts.collective_array.MOST_NODES", 8)
    with pytest.raises(Refusal, match="a picture of 9 nodes cannot be read, at most 8 are drawn"):
        ArrayDrawing(collective_of(dims=[3, 3]))

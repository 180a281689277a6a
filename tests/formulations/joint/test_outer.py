"""The outer approximation against the list of all weight vectors, and what it does with bounds that are not exact."""

from __future__ import annotations

from threading import Event

import pytest
from helpers import each
from joint_cases import HOPS, chain, dot, joint, line, random_joint

from formulations.joint.common import Pairs
from formulations.joint.embeddings import least_weights
from formulations.joint.enumeration import listed
from formulations.joint.oracles import Placed, Placements, Strategies, quick_bound
from formulations.joint.outer import Outer, first_volumes
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Solution, Status


class Table:
    """Incumbent sites by looking at all weight vectors; `share` per cent of their cost as the bound."""

    def __init__(self, graph, share=100):
        self.vectors, self.share, self.asked = least_weights(graph.placement), share, []

    def best(self, volumes):
        assert self.share != 100 or volumes not in self.asked, "volumes came twice"
        self.asked.append(volumes)
        weights = min(self.vectors, key=lambda one: dot(volumes, one))
        value = dot(volumes, weights)
        return Placed(value * self.share // 100, self.vectors[weights])


def nothing(_volumes):
    return 0


def outer_of(graph, table, quick=nothing, **others):
    run = Run("test")
    return Outer(Strategies(graph, run.limits), table, quick, Incumbent.of(Pairs(graph), run), **others)


def optimum(graph):
    best = Incumbent.of(Pairs(graph), Run("test"))
    return listed(best, Strategies(graph, Limits())).bound


@each("seed", range(12), quick=4)
@pytest.mark.parametrize("helped", [False, True])
def test_it_finds_the_optimum_of_the_list(seed, helped):
    graph = random_joint(seed, levels=3)
    quick = quick_bound(graph, Run("q")) if helped else nothing
    outer = outer_of(graph, Table(graph), quick)
    assert outer.search(first_volumes(graph, outer.strategies) if helped else ()) == "bounds meet"
    assert outer.bound == outer.best.value == optimum(graph)


@each("seed", range(6))
def test_bounds_that_are_not_exact_end_it_below_the_optimum(seed):
    graph = random_joint(seed, levels=3)
    outer = outer_of(graph, Table(graph, share=90))
    ended = outer.search()
    best = optimum(graph)
    assert 0.85 * best < outer.bound <= best <= outer.best.value
    assert (ended == "bounds meet") == (outer.bound == outer.best.value)


def test_a_bound_that_is_too_high_would_be_seen():
    """The test of the bound can fail: with cuts that cut too much it ends above the optimum."""
    graph = random_joint(0, levels=3)
    outer = outer_of(graph, Table(graph, share=110))
    outer.search()
    assert outer.bound > optimum(graph)


def test_without_a_search_quick_bounds_alone_are_used():
    graph = joint(chain(2, 60, 4, 60), line(4))
    outer = outer_of(graph, None)
    assert outer.search() == "no quick bound is better"
    assert outer.bound == 0
    assert outer.best.value is None


def test_it_makes_no_more_cuts_than_it_may():
    graph = random_joint(5, levels=3)
    outer = outer_of(graph, Table(graph), most=1)
    assert outer.search() == "as many cuts as it makes"
    assert len(outer.cuts) == 1


def test_a_known_cut_is_used_in_every_order():
    graph = joint(chain(2, 9, 9), line(4))
    outer = outer_of(graph, None)
    outer.cuts[(5, 2)] = 36
    assert outer._known((4, 5)) == ((5, 2), 36)
    assert outer._known((5, 4)) == ((2, 5), 36)
    assert outer._known((4, 8)) is None  # 5 x 4 + 2 x 8 = 36


def test_stopped_it_keeps_what_is_proven():
    stop = Event()
    graph = random_joint(0, levels=3)
    run = Run("test", Limits(stop=stop))
    outer = Outer(Strategies(graph, run.limits), Table(graph), nothing, Incumbent.of(Pairs(graph), run))
    stop.set()
    assert outer.search() == "stopped"
    assert outer.bound == 0


class Recording:
    """An exact formulation of placements whose answer is given."""

    name = "recording"

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    def solve(self, graph, run):
        self.asked.append(graph.volumes)
        return self.answer


def test_volumes_are_asked_for_once_and_in_descending_order():
    graph = joint(chain(2, 9, 9), line(4), HOPS)
    recording = Recording(Solution(Status.OPTIMAL, (0, 2, 1, 3), 48))
    placements = Placements(graph, Limits(), recording)
    first, second = placements.best((10, 20)), placements.best((4, 2))
    assert recording.asked == [(2, 1)]
    assert first == Placed(480, (0, 1, 2, 3))
    assert second == Placed(96, (0, 2, 1, 3))


def test_a_placement_search_without_sites_gives_its_bound():
    graph = joint(chain(2, 9, 9), line(4), HOPS)
    for bound, expected in ((7, 70), (None, 0)):
        recording = Recording(Solution(Status.NO_SOLUTION, None, bound))
        assert Placements(graph, Limits(), recording).best((10, 20)) == Placed(expected, None)

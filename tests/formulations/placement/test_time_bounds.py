"""Lower bounds of the busiest links: below every placement, and as large as they should be."""

from __future__ import annotations

import importlib
from threading import Event

import numpy as np
import pytest
from small_graphs import cube, least, machine, mesh, path, problem, random_machine, ring, star, tree

from formulations.placement.bounds import lower_bound
from formulations.placement.bounds.links import ArrayLinks, Chain, CutTimes, chain_of, layers, node_sets
from formulations.placement.bounds.times import Vectors, quickest_pair, strongest, times
from hypar_opt.formulation.run import Limits, Run

TIMES = importlib.import_module("formulations.placement.bounds.times")
LINKS = importlib.import_module("formulations.placement.bounds.links")
RUN = Run("bounds")
TIME = {"comm-time": 1}
BOTH = {"comm-time": 3, "hop-bytes": 1, "communication": 1}


def cases():
    """Yield small problems: with and without switches and empty sites, one route or an equal share over all."""
    for seed in range(24):
        sites, levels = [(4, 2), (5, 2), (6, 2), (4, 1)][seed % 4]
        volumes = tuple(int(x) for x in np.random.default_rng(seed).integers(0, 5, levels))
        yield problem(random_machine(seed, sites, seed % 3), volumes, (TIME, BOTH)[seed // 2 % 2])


def eights():
    for volumes in ((1, 1, 1), (1, 2, 4)):
        for array in (ring(8), path(8), mesh(2, 4), tree(3), star(8), cube(3), random_machine(5, 8, 2)):
            yield problem(array, volumes, TIME)


def unsound(graphs, bound):
    return any(bound(graph) > least(graph) for graph in graphs)


def test_no_placement_is_faster():
    assert not unsound(cases(), lambda graph: lower_bound(graph, RUN).value)


@pytest.mark.parametrize("graph", list(eights()))
def test_no_placement_of_eight_is_faster(graph):
    assert lower_bound(graph, RUN).value <= least(graph)


def test_with_many_levels_no_placement_is_faster(monkeypatch):
    monkeypatch.setattr(TIMES, "MOST_ENUMERATED", 0)
    assert not unsound([*cases(), *eights()], lambda graph: lower_bound(graph, RUN).value)


def test_that_check_catches_cuts_too_narrow(monkeypatch):
    def narrow(self, inside):
        out, back = self._times(inside), self._times(~inside)
        return CutTimes(int(inside[: self.sites].sum()), tuple(a + b for a, b in zip(out, back, strict=True)))

    monkeypatch.setattr(ArrayLinks, "crossing", narrow)
    assert unsound(eights(), lambda graph: lower_bound(graph, RUN).value)


def test_that_check_catches_spare_sites_forgotten(monkeypatch):
    exact = TIMES.least_crossings
    monkeypatch.setattr(TIMES, "least_crossings", lambda levels: exact(levels)[1:-1] * 9)
    assert unsound(cases(), lambda graph: lower_bound(graph, RUN).value)


def test_that_check_catches_chains_too_narrow(monkeypatch):
    exact = TIMES.chain_of
    monkeypatch.setattr(TIMES, "chain_of", lambda *given: Chain(given[1], 2 * exact(*given).times))
    assert unsound(eights(), lambda graph: lower_bound(graph, RUN).value)


@pytest.mark.parametrize(
    ("array", "levels", "time"),
    [
        (star(8), 3, 3),  # a pair's two ways keep four links busy, once each
        (cube(3), 3, 3),
        (tree(2), 2, 3),  # both exchange at the root, or one of them; then its link takes two
        (tree(4), 4, 12),
        (mesh(2, 4), 3, 3),
        (path(4), 2, 3),
    ],
)
def test_times_that_are_known_to_be_least(array, levels, time):
    graph = problem(array, (1,) * levels, TIME)
    assert lower_bound(graph, RUN).value == time
    if levels < 4:
        assert least(graph) == time


def test_it_says_which_argument():
    graph = problem(star(4), (1, 1), {"comm-time": 1, "hop-bytes": 1})
    assert lower_bound(graph, RUN).text == (
        "over pairs, every partner as near as any site is; "
        "for the busiest links, no cheaper times of the levels are left by 2 cuts of the array"
    )


def test_links_take_whole_numbers_unless_routes_are_split():
    links = ArrayLinks(*_with_usage(problem(machine(4, [(0, 1, 1), (1, 2, 2), (2, 3, 3)]), (1, 1), TIME)))
    assert links.whole
    assert [links.least_time((2, 3, 6), count) for count in range(5)] == [0, 2, 3, 4, 6]
    links.whole, links.step = False, 1
    assert [links.least_time((2, 3, 6), count) for count in range(5)] == [0, 1, 2, 3, 4]
    links.step = 2
    assert [links.least_time((2, 3, 6), count) for count in range(5)] == [0, 2, 2, 4, 4]
    assert links.least_time((0, 5), 3) == links.least_time((), 3) == 0


def test_only_links_that_routes_take_count():
    """Two switches join two pairs; all routes go through the first one."""
    ends = [(site, switch) for site in range(4) for switch in (4, 5)]
    links = ArrayLinks(*_with_usage(problem(machine(4, ends, 2), (1, 1), TIME)))
    inside = np.array([1, 1, 0, 0, 0, 0], dtype=bool)
    assert links.crossing(inside) == CutTimes(2, (0, 1, 1))
    split = ArrayLinks(*_with_usage(problem(machine(4, ends, 2, "split"), (1, 1), TIME)))
    assert split.crossing(inside).times == (0, 1, 1)
    assert split.step == 1


def test_the_weaker_of_two_cuts_goes():
    cuts = [CutTimes(2, (0, 1, 2)), CutTimes(2, (0, 1, 1)), CutTimes(3, (0, 1, 1)), CutTimes(2, (0, 1, 2))]
    assert strongest(iter(cuts)) == [CutTimes(2, (0, 1, 2)), CutTimes(3, (0, 1, 1))]


def test_sets_of_nodes_cut_the_sites():
    graph, usage = _with_usage(problem(tree(2), (1, 1), TIME))
    sets = node_sets(graph, ArrayLinks(graph, usage))
    assert sets.shape[1] == 7
    held = sets[:, :4].sum(axis=1)
    assert held.min() > 0
    assert held.max() < 4


def test_a_path_cannot_hold_what_a_chain_excludes():
    graph, usage = _with_usage(problem(path(4), (1, 1), TIME))
    chain = chain_of(ArrayLinks(graph, usage), 2, range(4))
    assert chain.times.tolist() == [[0, 0, 0], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 0, 0]]
    assert chain.excludes((1, 1))
    assert not chain.excludes((1, 2))
    assert not chain.excludes((2, 1))


def test_layers_hold_all_sets():
    assert [len(vectors) for vectors, _ in layers(2)] == [1, 4, 6, 4, 1]
    assert layers(2)[1][0].tolist() == [[1, 1]] * 4
    assert layers(2)[2][1].tolist()[0] == [1, 0]


def test_the_quickest_pair():
    graph, usage = _with_usage(problem(machine(3, [(0, 1, 1), (1, 2, 2)]), (1,), TIME))
    assert quickest_pair(graph, usage) * 2 == graph.unit // 2 * 1


def test_after_a_limit_the_bound_is_what_was_reached():
    stop = Event()
    stop.set()
    graph, usage = _with_usage(problem(path(8), (1, 1, 1), TIME))
    assert times(graph, usage, Run("bounds", Limits(stop=stop))).value == 3
    assert times(graph, usage, RUN).value == 7


def test_equal_levels_are_taken_in_one_order():
    graph, usage = _with_usage(problem(path(8), (1, 2, 1), TIME))
    links = ArrayLinks(graph, usage)
    assert Vectors(graph, links, [], 1)._sorted((3, 1, 2)) == (2, 1, 3)


def _with_usage(graph):
    assert graph.usage is not None
    return graph, graph.usage

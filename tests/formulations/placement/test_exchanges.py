"""The bound of the linear programme over exchanges: proven by any multipliers, and larger than simpler ones."""

from __future__ import annotations

from threading import Event

import numpy as np
from helpers import each
from small_graphs import least, mesh, path, problem, random_costs, ring

from formulations.placement.bounds import lower_bound, neighbours
from formulations.placement.bounds.cuts import cuts
from formulations.placement.bounds.exchanges import TEXT, ExchangeProgramme, Proposal, exchanges, proven
from formulations.placement.bounds.families import Families, Inequality, separated, weightings
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.partition import halves

RUN = Run("bounds")
SIZES = [(2, 4), (2, 5), (3, 8), (2, 6)]


def programme_of(graph):
    first, second = np.triu_indices(graph.sites, 1)
    prices = np.array(graph.volumes, dtype=object)[:, None] * graph.pair_costs[first, second].astype(object)[None, :]
    return ExchangeProgramme(prices, first, second, graph.sites, graph.leaves)


def unsound(seeds):
    graphs = (random_costs(seed, *SIZES[seed % len(SIZES)]) for seed in seeds)
    return any((bound := exchanges(graph, RUN)) is not None and bound.value > least(graph) for graph in graphs)


def test_no_placement_costs_less():
    assert not unsound(range(24))


def test_that_check_catches_boundaries_too_large(monkeypatch):
    exact = Families.violated

    def larger(self, exchanged):
        return [Inequality(one.weights, one.inside, one.least + 1) for one in exact(self, exchanged)]

    monkeypatch.setattr(Families, "violated", larger)
    assert unsound(range(24))


@each("seed", range(20), quick=5)
def test_any_multipliers_prove_something_true(seed):
    graph, random = random_costs(seed, *SIZES[seed % len(SIZES)]), np.random.default_rng(seed)
    programme = programme_of(graph)
    shape = programme.prices.shape
    families = Families(graph, np.zeros((0, graph.sites), dtype=bool))
    programme.added = families.violated(np.zeros((graph.levels, graph.sites, graph.sites)))
    assert programme.added
    for spread in (0.01, 0.3, 2.0):
        partners = random.normal(1, spread, (graph.levels, graph.sites))
        cut = random.normal(0, spread, len(programme.added))
        assert proven(programme, Proposal(np.zeros(shape), partners, cut)) <= least(graph)


def test_it_is_no_less_than_simpler_bounds():
    for volumes in ((1, 2, 4), (1, 1, 1), (3, 3, 1)):
        for array in (mesh(2, 4), ring(8), path(8)):
            graph = problem(array, volumes)
            found = exchanges(graph, RUN)
            simpler = max(neighbours(graph).value, cuts(graph, RUN).value)
            assert simpler <= found.value <= least(graph)


def test_weighted_levels_on_a_mesh():
    graph = problem(mesh(4, 4), (1, 2, 4, 8))
    found = lower_bound(graph, RUN)
    assert (found.value, found.text) == (280, TEXT)
    assert cuts(graph, RUN).value <= 264


def test_what_is_enough_ends_it():
    graph = problem(mesh(4, 4), (1, 2, 4, 8))
    assert exchanges(graph, RUN, 264).value < exchanges(graph, RUN).value


def test_nothing_to_bound():
    assert exchanges(problem(path(2), (0,)), RUN) is None
    assert exchanges(PlacementGraph(halves(0), np.zeros((3, 3), dtype=np.int64), ()), RUN) is None
    huge = PlacementGraph(halves(1), np.ones((65, 65), dtype=np.int64), (1,))
    assert exchanges(huge, RUN) is None


def test_after_a_limit_it_claims_nothing():
    stop = Event()
    stop.set()
    assert exchanges(problem(mesh(2, 4), (1, 2, 4)), Run("x", Limits(stop=stop))).value == 0


def test_weightings_are_the_volumes_cut_off_and_choices_of_levels():
    assert weightings((1, 4)) == [(0, 1), (1, 0), (1, 1), (1, 4)]
    assert weightings((0,)) == [(1,)]
    assert weightings((2, 1, 1, 1, 1, 1, 0)) == [(1, 1, 1, 1, 1, 1, 0), (2, 1, 1, 1, 1, 1, 0)]


def test_violated_inequalities_come_once():
    graph = problem(mesh(2, 4), (1, 2, 4))
    families = Families(graph, np.zeros((0, 8), dtype=bool))
    nothing = np.zeros((3, 8, 8))
    fresh = families.violated(nothing)
    assert fresh
    assert all(one.least == families.least[one.weights][int(one.inside.sum())] > 0 for one in fresh)
    known = {(one.weights, one.inside.tobytes()) for one in fresh}
    assert not known & {(one.weights, one.inside.tobytes()) for one in families.violated(nothing)}


def test_candidates_stand_in_for_all_sets_of_many_sites():
    graph = problem(ring(20), (1, 1))
    sets = np.zeros((2, 20), dtype=bool)
    sets[0, :10] = sets[1, :18] = True
    families = Families(graph, sets)
    found = families.violated(np.zeros((2, 20, 20)))
    assert {one.inside.sum() for one in found} <= {10, 18}
    table = np.ones((20, 20)) - np.eye(20)
    assert families._across(table).tolist() == [100, 36]


def test_coefficients_of_an_inequality():
    one = Inequality((0, 3), np.array([True, False, True]), 1)
    first, second = np.triu_indices(3, 1)
    assert [level.tolist() for level in separated(one, first, second)] == [[0, 0, 0], [3, 0, 3]]

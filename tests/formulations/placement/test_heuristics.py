"""Placements by rule and by search: what they find, what they claim of it, and that runs repeat themselves."""

from __future__ import annotations

import time
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from helpers import each
from small_graphs import cube, least, mesh, path, problem, random_costs, random_machine, ring, star, tree

from formulations.placement import found
from formulations.placement.bisection import bisected
from formulations.placement.found import concluded, gray
from formulations.placement.identity import FORMULATION as IDENTITY
from formulations.placement.improve import Annealing, PlacementSearch, best_start, descended, everywhere
from formulations.placement.local_search import FORMULATION as LOCAL
from formulations.placement.prices import PriceTables
from formulations.placement.recursive_bisection import FORMULATION as BISECTION
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.protocol import Formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.util.partition import halves

ALL = (IDENTITY, BISECTION, LOCAL)
SHORT = replace(LOCAL, restarts=2, steps=300)
TIME = {"comm-time": 2, "hop-bytes": 1}


def graphs():
    for seed in range(8):
        yield random_costs(seed, *((2, 4), (2, 6), (3, 8), (1, 3))[seed % 4])
    for seed in range(6):
        volumes = tuple(int(x) for x in np.random.default_rng(seed).integers(0, 9, 3))
        yield problem(random_machine(seed, 8 + seed % 2, seed % 3), volumes, TIME)


@pytest.mark.parametrize("formulation", ALL, ids=lambda one: one.name)
def test_each_is_a_formulation_of_placements(formulation):
    assert isinstance(formulation, Formulation)
    assert formulation.capabilities.decides == "placement"
    assert not formulation.capabilities.exact
    assert not formulation.capabilities.encoding


@pytest.mark.sampled(1)
@pytest.mark.parametrize("formulation", [IDENTITY, BISECTION, SHORT], ids=lambda one: one.name)
def test_claims_stand(formulation):
    for graph in list(graphs())[::2]:
        solution = formulation.solve(graph, Run(formulation.name))
        assert graph.feasible(solution.choices)
        best = least(graph) if graph.sites < 9 else solution.bound
        assert solution.bound <= best <= graph.value(solution.choices)
        assert (solution.status == "OPTIMAL") == (graph.value(solution.choices) == solution.bound)


@each("seed", range(4))
def test_annealing_finds_the_least_of_small_problems(seed):
    graph = problem(random_machine(seed, 6, seed % 2), (3, 1), TIME)
    solution = SHORT.solve(graph, Run("local-search", Limits(seed=seed)))
    assert graph.value(solution.choices) == least(graph)


def test_a_wrong_bound_would_be_seen(monkeypatch):
    """The check above can fail."""
    graph = problem(path(4), (1, 2))
    above = found.LowerBound(least(graph) + 1, "wrong")
    monkeypatch.setattr(found, "lower_bound", lambda graph, run: above)
    assert IDENTITY.solve(graph, Run("identity")).bound > least(graph)


def test_the_identity_of_a_cube_is_proven_by_its_argument():
    solution = IDENTITY.solve(problem(cube(3), (1, 2, 4)), Run("identity"))
    assert (solution.status, solution.choices) == ("OPTIMAL", tuple(range(8)))
    assert solution.native_status == "a rule, not a search; meets the bound: every partner as near as any site is"
    assert solution.statistics == {"bound_by": "every partner as near as any site is"}


def test_beyond_some_size_there_is_no_bound(monkeypatch):
    monkeypatch.setattr(found, "MOST_SITES", 7)
    solution = IDENTITY.solve(problem(cube(3), (1, 1, 1)), Run("identity"))
    assert (solution.status, solution.bound) == ("FEASIBLE", None)
    assert solution.note == "no bound: 8 sites, and it is worked out up to 7"


@pytest.mark.parametrize("formulation", [BISECTION, LOCAL], ids=lambda one: one.name)
def test_too_many_sites_are_refused(formulation):
    huge = PlacementGraph(halves(1), np.broadcast_to(np.int64(1), (5000, 5000)), (1,))
    assert formulation.accepts(huge, Run("x")) == "5,000 sites, and it takes up to 4,096; try identity"
    assert formulation.accepts(problem(cube(2), (1, 1)), Run("x")) is None
    assert IDENTITY.accepts(huge, Run("x")) is None


@pytest.mark.parametrize(
    ("array", "levels", "hops"), [(ring(16), 4, 88), (mesh(4, 4), 4, 48), (tree(4), 4, 160), (ring(64), 6, 1504)]
)
def test_bisection_alone_is_good(array, levels, hops):
    graph = problem(array, (1,) * levels)
    assert graph.value(bisected(graph, graph.pair_costs)) == 2 * hops


def test_bisection_lays_light_levels_across_the_widest_gap():
    costs = np.array([[0, 1, 9, 9], [1, 0, 9, 9], [9, 9, 0, 1], [9, 9, 1, 0]])
    graph = PlacementGraph(halves(2), costs, (5, 1))
    assert graph.value(bisected(graph, costs)) == 5 * 2 * 1 + 1 * 2 * 9


def test_bisection_takes_sites_that_are_near_each_other():
    graph = problem(path(7), (1, 1))
    assert sorted(bisected(graph, graph.pair_costs)) == [0, 1, 2, 3]


def test_the_gray_code_puts_partners_side_by_side():
    placed = gray(problem(path(8), (1, 1, 1)))
    leaf_of = {site: leaf for leaf, site in enumerate(placed)}
    assert all((leaf_of[site] ^ leaf_of[site + 1]).bit_count() == 1 for site in range(7))


@each("seed", range(14))
def test_what_exchanges_change_is_what_the_graph_says(seed):
    graph = list(graphs())[seed]
    prices, random = PriceTables.of(graph), np.random.default_rng(seed)
    at = everywhere(random.permutation(graph.sites)[: graph.leaves].tolist(), graph.sites)
    constant = graph.base * sum(graph.volumes)
    assert prices.value(at) * prices.unit + constant == graph.value(at[: graph.leaves])
    leaf = int(random.integers(0, graph.leaves))
    change = prices.exchanges(at, leaf, prices.busy(at))
    for other in range(graph.sites):
        moved = at.copy()
        moved[[leaf, other]] = at[[other, leaf]]
        assert prices.value(moved) - prices.value(at) == change[other]


def test_huge_costs_are_priced_exactly():
    graph = problem(mesh(2, 4), (1, 2, 4))
    huge = PlacementGraph(halves(3), graph.pair_costs.astype(object) * 2**70 + 1, (2**60, 1, 3))
    assert PriceTables.of(huge).value(np.arange(8)) == huge.value(range(8))


def test_loads_that_fit_no_table_are_estimated(monkeypatch):
    monkeypatch.setattr("formulations.placement.prices.MOST_LOADS", 1)
    graph = problem(path(4), (1, 1), {"comm-time": 1})
    prices = PriceTables.of(graph)
    assert prices.loads is None
    assert prices.pair_costs[0].tolist() == [0, 2, 4, 6]
    solution = SHORT.solve(graph, Run("local-search"))
    assert graph.value(solution.choices) >= solution.bound


def test_descent_ends_where_no_exchange_gains():
    graph = problem(mesh(2, 4), (1, 2, 4))
    prices = PriceTables.of(graph)
    at = descended(prices, np.random.default_rng(3).permutation(8), 8, Limits())
    assert all(prices.exchanges(at, leaf, []).min() == 0 for leaf in range(8))


@pytest.mark.parametrize("weights", [{"hop-bytes": 1}, {"comm-time": 1}])
def test_the_same_seed_is_the_same_run(weights):
    graph = problem(mesh(4, 4), (1, 2, 4, 8), weights)

    def told(seed):
        events = []
        SHORT.solve(graph, Run("local-search", Limits(seed=seed), listener=events.append))
        return [(event.value, event.choices) for event in events if event.kind == "incumbent"]

    assert told(1) == told(1)
    values = [value for value, _ in told(2)]
    assert values == sorted(set(values), reverse=True)


def test_annealing_tells_only_what_the_placement_costs():
    graph = problem(ring(8), (3, 1, 2), {"comm-time": 1})
    prices, heard = PriceTables.of(graph), []

    def better(at, value):
        heard.append(value)
        assert sorted(at) == list(range(8))
        assert prices.value(at) == value
        return len(heard) == 2

    start = everywhere((0, 5, 2, 7, 4, 1, 6, 3), 8)
    Annealing(prices, 8, Limits(), np.random.default_rng(0)).improved(start, 2000, better)
    assert len(heard) == 2
    assert start.tolist() == [0, 5, 2, 7, 4, 1, 6, 3]


def test_subcubes_go_to_disjoint_counterparts():
    annealing = Annealing(PriceTables.of(problem(cube(3), (1, 1, 1))), 8, Limits(), np.random.default_rng(0))
    for _ in range(200):
        first, second = annealing._two()
        assert not set(first) & set(second)
        assert len({int(a ^ b) for a, b in zip(first, second, strict=True)}) <= 1


def test_a_stopped_run_returns_what_it_has():
    stop = Event()
    stop.set()
    for formulation in ALL:
        solution = formulation.solve(problem(mesh(2, 4), (1, 2, 4)), Run(formulation.name, Limits(stop=stop)))
        assert solution.status in ("FEASIBLE", "OPTIMAL")
    past = Run("x", Limits(deadline=time.monotonic()))
    assert BISECTION.solve(problem(mesh(4, 4), (1, 2, 4, 8)), past).native_status == "bisected, then stopped"


def test_a_given_start_is_kept_if_nothing_is_better():
    graph = problem(mesh(2, 4), (1, 2, 4))
    best = SHORT.solve(graph, Run("local-search")).choices
    quick = replace(LOCAL, restarts=0)
    assert graph.value(quick.solve(graph, Run("x", start=best)).choices) == graph.value(best)
    assert quick.solve(graph, Run("x", start=(0,) * 8)).status != "ERROR"


@pytest.mark.parametrize("weights", [{"hop-bytes": 1}, {"comm-time": 1}])
def test_starts_are_quiet_and_good(weights):
    graph, events = problem(ring(8), (1, 1, 1), weights), []
    placed = best_start(graph, Run("x", listener=events.append))
    assert not events
    assert graph.feasible(placed)
    assert graph.value(placed) == least(graph)


def test_starts_take_the_runs_own():
    graph = problem(star(4), (1, 1))
    assert best_start(graph, Run("x", start=(3, 2, 1, 0))) == (3, 2, 1, 0)


def test_a_search_keeps_the_best():
    graph = problem(path(4), (1, 2))
    search = PlacementSearch(graph, Run("x"), enough=graph.value((0, 1, 2, 3)))
    search.best.offer((0, 3, 1, 2))
    assert not search.over
    search.best.offer((0, 1, 2, 3))
    search.best.offer((0, 2, 1, 3))
    assert (search.placed, search.over) == ((0, 1, 2, 3), True)
    assert concluded(graph, search.placed, None, "x").note.startswith("no bound: 4 sites")

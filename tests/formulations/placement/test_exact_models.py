"""placement-cp-sat and placement-milp against all placements, their limits and their refusals."""

from __future__ import annotations

import importlib
import time
from dataclasses import replace
from fractions import Fraction
from threading import Event, Thread

import numpy as np
import pytest
from helpers import each
from small_graphs import least, mesh, path, placements, problem, random_costs, random_machine, ring, star, tree

from formulations.placement.assignment import solving
from formulations.placement.bounds import LowerBound
from formulations.placement.cp_sat import PlacementCpSat
from formulations.placement.milp import PlacementMilp
from hypar_opt.costgraph.placement import PlacementGraph
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire
from hypar_opt.util.partition import halves

MODELS = (PlacementCpSat(), PlacementMilp())
WEIGHTS = (
    {"hop-bytes": 1},
    {"comm-time": 1},
    {"hop-bytes": "1/3", "comm-time": 2, "communication": "1/2"},
)
both = pytest.mark.parametrize("model", MODELS, ids=[model.name for model in MODELS])
every_way = pytest.mark.parametrize(
    "model",
    [type(model)(presolve=presolve, cuts=cuts) for model in MODELS for presolve in (0, 1) for cuts in (0, 1)],
    ids=lambda model: f"{model.name}-{int(model.presolve)}{int(model.cuts)}",
)


def solved(model, graph, seconds=None, **others):
    deadline = None if seconds is None else time.monotonic() + seconds
    run = Run(model.name, Limits(deadline=deadline), **others)
    assert model.accepts(graph, run) is None
    return model.solve(graph, run)


def check(graph, solution, optimum):
    """A proof at the optimum, with a placement that costs it."""
    assert (solution.status, solution.bound) == (Status.OPTIMAL, optimum)
    assert graph.feasible(solution.choices)
    assert graph.value(solution.choices) == optimum


@pytest.fixture
def without_bounds(monkeypatch):
    """Leave symmetry and the start, but no bound that could settle a problem before the search."""
    monkeypatch.setattr(solving, "lower_bound", lambda graph, run: LowerBound(0, "costs are not negative"))


def some_problem(seed, levels, sites, weights):
    volumes = [int(v) for v in np.random.default_rng(seed).choice((0, 1, 2, 2, 7, 40), levels)]
    return problem(random_machine(seed, sites, switches=seed % 3), volumes, weights)


@pytest.mark.sampled(8)
@every_way
@pytest.mark.parametrize("weights", WEIGHTS, ids=["hops", "time", "mixed"])
@pytest.mark.parametrize(("levels", "sites"), [(1, 4), (2, 4), (2, 5), (2, 7)])
def test_the_optimum_of_small_arrays_is_proven(model, weights, levels, sites, without_bounds):
    graph = some_problem(10 * sites + levels, levels, sites, weights)
    check(graph, solved(model, graph), least(graph))


@pytest.mark.sampled(3)
@every_way
@pytest.mark.parametrize("weights", WEIGHTS, ids=["hops", "time", "mixed"])
def test_the_optimum_of_eight_accelerators_is_proven(model, weights, without_bounds):
    graph = some_problem(3, 3, 8, weights)
    check(graph, solved(model, graph), least(graph))


@both
@each("seed", range(6), quick=3)
def test_costs_that_are_no_metric(model, seed, without_bounds):
    graph = random_costs(seed, 2, 4 + seed % 3)
    check(graph, solved(model, graph), least(graph))


@pytest.mark.sampled(4)
@both
@pytest.mark.parametrize(
    ("array", "volumes"),
    [(ring(8), (1, 2, 2)), (path(8), (1, 1, 1)), (mesh(2, 4), (1, 1, 1)), (tree(3), (2, 1, 2)), (star(8), (1, 1, 1))],
    ids=["ring", "path", "mesh", "tree", "star"],
)
@pytest.mark.parametrize("weights", WEIGHTS, ids=["hops", "time", "mixed"])
def test_regular_arrays_with_all_their_symmetries(model, array, volumes, weights, without_bounds):
    graph = problem(array, volumes, weights)
    check(graph, solved(model, graph), least(graph))


@both
def test_a_bound_that_is_met_settles_it_without_a_search(model, monkeypatch):
    monkeypatch.setattr(solving, "_searched", None)
    graph = problem(tree(3), (1, 1, 1))
    solution = solved(model, graph)
    check(graph, solution, least(graph))
    assert solution.native_status.startswith("closed by a bound: ")
    assert solution.note == ""


@both
@pytest.mark.parametrize(("levels", "sites"), [(0, 1), (0, 3)])
def test_one_leaf_has_nothing_to_exchange(model, levels, sites):
    graph = PlacementGraph(halves(0), np.zeros((sites, sites), dtype=np.int64), ())
    check(graph, solved(model, graph), 0)
    check(graph, solved(type(model)(presolve=False), graph), 0)


@both
def test_a_wrong_bound_is_caught_by_the_start(model, monkeypatch):
    graph = problem(path(8), (1, 1, 1))
    best = least(graph)
    monkeypatch.setattr(solving, "lower_bound", lambda graph, run: LowerBound(best + 2, "wrong"))
    solution = solved(model, graph)
    assert (solution.status, solution.choices, solution.bound) == ("ERROR", None, None)
    assert solution.native_status == f"a placement costs {best}, and a bound says {best + 2}: wrong"


@both
def test_a_cut_that_asks_for_too_much_is_caught(model, monkeypatch):
    graph = problem(ring(4), (1, 1))
    cuts = tuple(replace(cut, least=cut.least + 99) for cut in solving.cuts_of(graph))
    monkeypatch.setattr(solving, "cuts_of", lambda graph: cuts)
    monkeypatch.setattr(solving, "lower_bound", lambda graph, run: LowerBound(0, "nothing"))
    assert solved(type(model)(cuts=True), graph).status == "ERROR"


def hard():
    """Sixteen sites of costs without any order: no proof for many minutes."""
    upper = np.triu(np.random.default_rng(5).integers(1, 1000, (16, 16)), 1)
    return PlacementGraph(halves(4), upper + upper.T, (3, 5, 7, 11))


@pytest.mark.sampled(8)
@both
@pytest.mark.parametrize("presolve", [False, True])
@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.3])
def test_stopped_early_it_claims_no_optimum(model, presolve, seconds):
    graph = hard()
    solution = solved(type(model)(presolve=presolve), graph, seconds)
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    assert presolve <= (solution.status == "FEASIBLE")
    if solution.choices is not None:
        assert graph.feasible(solution.choices)
        assert solution.bound is None or solution.bound < graph.value(solution.choices)


@both
def test_it_stops_when_told_to_from_outside(model):
    limits = Limits(stop=Event())
    run = Run(model.name, limits, listener=lambda event: limits.stop.set() if event.kind == "incumbent" else None)
    assert model.solve(hard(), run).status == "FEASIBLE"


@both
def test_the_start_survives_a_stop_and_is_told(model):
    graph, events = hard(), []
    start = tuple(reversed(range(16)))
    solution = solved(type(model)(presolve=False), graph, 0.0, start=start, listener=events.append)
    assert (solution.status, solution.choices, solution.bound) == ("FEASIBLE", start, None)
    assert [(event.value, event.choices) for event in events if event.kind == "incumbent"] == [
        (graph.value(start), start)
    ]


@both
@pytest.mark.parametrize("start", [(0, 0, 1, 2), (0, 1, 2), (0, 1, 2, 9)])
def test_a_start_that_is_no_placement_is_ignored(model, start):
    graph = problem(path(4), (1, 3))
    check(graph, solved(model, graph, start=start), least(graph))


@both
def test_what_is_told_is_in_the_graphs_unit(model, without_bounds):
    graph, events = problem(path(8), (1, 2, 3), {"hop-bytes": 1, "communication": 5}), []
    solution = solved(model, graph, listener=events.append)
    told = {kind: [event.value for event in events if event.kind == kind] for kind in ("incumbent", "bound")}
    assert told["incumbent"][-1] == solution.bound
    assert all(bound <= solution.bound for bound in told["bound"])
    assert [event.text for event in events if event.kind == "phase"] == [
        "bounding",
        "looking for a good placement",
        "building the model",
        "searching",
    ]


def test_only_the_programme_in_floating_point_notes_a_tolerance(without_bounds):
    graph = problem(path(8), (1, 2, 3))
    exact, floating = (solved(model, graph) for model in MODELS)
    assert exact.note == ""
    assert floating.note.startswith("proven in floating point, in costs up to 134,217,728: gap below 0.4")


@both
def test_it_works_in_a_thread_of_its_own_and_says_nothing(model, capfd, without_bounds):
    graph, found = problem(ring(4), (1, 1)), []
    thread = Thread(target=lambda: found.append(solved(model, graph)))
    thread.start()
    thread.join()
    assert isinstance(found[0], Solution)
    assert found[0].status == "OPTIMAL"
    assert capfd.readouterr() == ("", "")


SIXTEEN = (
    ("h-tree", (20, 52, "1/4", "15/16")),
    ("binary-tree", (20, 52, "3/4", 2)),
    ("torus", (4, 15, "1/4", "15/16")),
    ("mesh", (6, 18, "5/16", 1)),
    ("ring", (11, 28, "5/8", "7/4")),
    ("hypercube", (4, 15, "1/4", "15/16")),
    ("fully-connected", (4, 15, "1/4", "15/16")),
    ("star", (8, 30, "1/4", "15/16")),
    ("fat-tree", (18, 50, "5/8", "7/4")),
    ("hmc-chain", (15, 32, "7/16", 1)),
)
"""Hop-bytes, then comm-time, each for volumes 1, 1, 1, 1 and 1, 2, 4, 8: proven by placement-cp-sat."""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "optima"), SIXTEEN, ids=[name for name, _ in SIXTEEN])
def test_sixteen_accelerators_are_proven(name, optima):
    array = TOPOLOGIES[name].build(Shape(levels=4, wire=Wire(Fraction(1))))
    cases = [(weights, volumes) for weights in WEIGHTS[:2] for volumes in ((1, 1, 1, 1), (1, 2, 4, 8))]
    for (weights, volumes), optimum in zip(cases, optima, strict=True):
        graph = problem(array, volumes, weights)
        solution = solved(MODELS[0], graph)
        assert solution.status == "OPTIMAL"
        assert Fraction(solution.bound, graph.unit) == Fraction(graph.value(solution.choices), graph.unit)
        assert Fraction(solution.bound, graph.unit) == Fraction(optimum)


class Huge:
    """As much of a graph as may be looked at before it is refused."""

    levels, leaves, sites = 20, 1 << 20, 1 << 20


@both
def test_a_million_sites_are_refused_by_their_number_alone(model):
    assert model.accepts(Huge(), Run(model.name)) == (
        "1,048,576 groups on 1,048,576 sites make 11,529,204,050,952,192,000 products of an exchange and two sites, "
        "its limit is 100,000; try local-search"
    )


@both
def test_the_limit_lies_between_32_and_64_accelerators(model):
    for levels, reason in (
        (5, None),
        (
            6,
            "64 groups on 64 sites make 774,144 products of an exchange and two sites, its limit is 100,000; "
            "try local-search",
        ),
    ):
        graph = PlacementGraph(halves(levels), np.ones((1 << levels, 1 << levels), dtype=np.int64), (1,) * levels)
        assert model.accepts(graph, Run(model.name)) == reason


def wide(most):
    """Return pair costs without a common divisor, far apart."""
    costs = np.full((4, 4), 1, dtype=object)
    costs[0, 1] = costs[1, 0] = most
    costs[0, 2] = costs[2, 0] = 2
    np.fill_diagonal(costs, 0)
    return PlacementGraph(halves(2), costs, (2, 3))


def test_costs_beyond_64_bits_are_refused_by_cp_sat():
    cp_sat, _ = MODELS
    assert cp_sat.accepts(wide(2**60), Run("r")) == (
        "the costs, divided by their common divisor, do not fit 64 bits; try local-search"
    )
    assert cp_sat.accepts(wide(2**51), Run("r")) is None


@pytest.mark.parametrize(
    ("model", "most"),
    [(PlacementCpSat(presolve=False), 2**51 + 1), (PlacementMilp(presolve=False), 2**51 + 1), (PlacementMilp(), 2**62)],
)
def test_wide_costs_stay_exact(model, most):
    graph = wide(most)
    check(graph, solved(model, graph), min(map(graph.value, placements(graph))))


@pytest.mark.parametrize("name", ["cp_sat", "milp"])
def test_what_they_say_of_themselves(name):
    module = importlib.import_module(f"formulations.placement.{name}")
    able = module.FORMULATION.capabilities
    assert (able.exact, able.decides, able.encoding, able.warm_start) == (
        True,
        "placement",
        "quadratic assignment",
        True,
    )

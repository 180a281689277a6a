"""Placements by times of the levels: against all placements, symmetric, stopped, and with wrong answers on the way."""

from __future__ import annotations

import importlib
import time
from functools import cache
from itertools import combinations_with_replacement, permutations
from threading import Event

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from least_vectors import least_vectors
from small_graphs import cube, least, machine, mesh, path, problem, random_machine, ring, star, tree

from formulations.joint.embeddings import level_weights as weights_of
from formulations.joint.embeddings import listed
from formulations.placement.assignment.programme import Programme
from formulations.placement.bounds.times import below
from formulations.placement.cp_sat import FORMULATION, PlacementCpSat
from formulations.placement.symmetry import Symmetry, descending, exchanged, inverse
from formulations.placement.times.model import FAMILIES, placement_within, within
from formulations.placement.times.search import VectorMemory
from formulations.placement.times.vectors import TimeVectors, level_times, sums_of, times_alone
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status

MODEL = importlib.import_module("formulations.placement.times.model")
VECTORS = importlib.import_module("formulations.placement.times.vectors")
TIME = {"comm-time": 1}
LIMITS = Limits()
RUN = Run("times")
ARRAYS = {
    "ring": ring(8),
    "mesh": mesh(2, 4),
    "path": path(8),
    "star": star(8),
    "tree": tree(3),
    "cube": cube(3),
    **{f"random {seed}": random_machine(seed, 8, seed % 3) for seed in range(4, 9)},
}
SPARE = {
    "ring of 6": (ring(6), 2),
    "ring of 9": (ring(9), 3),
    **{f"random {seed} on 6": (random_machine(seed, 6, 1), 2) for seed in range(4)},
}
FINE = "random 5"
"""Has 33 different times, too many for all of its vectors to be gone through in a test."""


def graph_of(array, levels):
    return problem(array, (1,) * levels, TIME)


@cache
def every_vector(name):
    """Return the ascending times of all placements of an array."""
    array, levels = SPARE[name] if name in SPARE else (ARRAYS[name], 3)
    graph = graph_of(array, levels)
    weights = weights_of(graph, np.array(list(listed(graph.leaves, graph.sites)))).astype(np.int64)
    return {tuple(row) for row in np.unique(np.sort(weights, axis=1), axis=0).tolist()}


def graph_named(name):
    array, levels = SPARE[name] if name in SPARE else (ARRAYS[name], 3)
    return graph_of(array, levels)


def pareto(vectors):
    return {one for one in vectors if not any(below(other, one) for other in vectors - {one})}


def cheapest(name, volumes):
    """Return the least cost, by all placements and all orders of the levels."""
    descended = sorted(volumes, reverse=True)
    return min(sum(v * t for v, t in zip(descended, times, strict=True)) for times in every_vector(name))


# the arrays' vectors


@pytest.mark.parametrize("name", [name for name in (*ARRAYS, *SPARE) if name != FINE])
def test_the_least_vectors_are_those_of_all_placements(name):
    graph = graph_named(name)
    vectors = TimeVectors.of(graph)
    found = least_vectors(vectors, RUN)
    assert set(found) == pareto(every_vector(name))
    for times, placed in found.items():
        assert graph.weights(placed) == times


def test_known_least_vectors():
    assert set(least_vectors(TimeVectors.of(graph_named("ring")), RUN)) == {(1, 2, 2)}
    assert set(least_vectors(TimeVectors.of(graph_named("cube")), RUN)) == {(1, 1, 1)}
    assert set(least_vectors(TimeVectors.of(graph_named("tree")), RUN)) == {(1, 2, 4), (2, 2, 2)}


@pytest.mark.parametrize("name", ARRAYS)
def test_all_times_are_among_the_values(name):
    assert {time for times in every_vector(name) for time in times} <= set(level_times(graph_named(name)))


@pytest.mark.parametrize("name", [*ARRAYS, *SPARE])
def test_nothing_possible_is_lost_on_the_way(name):
    """Whatever is above a vector and possible is above one of those that replace it."""
    vectors, every = TimeVectors.of(graph_named(name)), every_vector(name)
    assert all(below(vectors.first, one) for one in every)
    random = np.random.default_rng(1)
    for _ in range(60):
        times = tuple(sorted(int(t) for t in random.choice(vectors.values[:12], len(vectors.first))))
        following = vectors.after(times)
        if following is not None:
            assert times not in following
            assert all(list(one) == sorted(one) for one in following)
            assert not [v for v in every if below(times, v) and not any(below(one, v) for one in following)]


@pytest.mark.parametrize("name", ["ring", "path", "random 6", "ring of 9"])
def test_every_vector_is_decided_as_by_all_placements(name):
    graph, every = graph_named(name), every_vector(name)
    vectors = TimeVectors.of(graph)
    answers = set()
    for times in combinations_with_replacement(vectors.values[:4], graph.levels):
        placed = vectors.decide(times, LIMITS)
        assert (placed is not None) == any(below(one, times) for one in every)
        assert placed is None or below(graph.weights(placed), times)
        answers.add(placed is None)
    assert answers == {True, False}


# one order of the levels stands for all


@pytest.mark.parametrize("name", ["ring", "mesh", "random 5"])
def test_levels_can_be_exchanged(name):
    """The vector of a placement in any order is that of another placement."""
    graph = graph_named(name)
    for placed in [tuple(np.random.default_rng(seed).permutation(8).tolist()) for seed in range(5)]:
        times = graph.weights(placed)
        for order in permutations(range(3)):
            assert graph.weights(exchanged(placed, order)) == tuple(times[h] for h in order)


@pytest.mark.parametrize("times", [(1, 2, 4), (1, 2, 3), (2, 2, 2)])
def test_the_model_answers_alike_in_all_orders_of_times(times):
    graph = graph_named("ring")
    answers = {placement_within(graph, order, LIMITS) is None for order in permutations(times)}
    assert answers == {not any(below(one, times) for one in every_vector("ring"))}


def test_orders_and_their_inverses():
    assert descending((3, 5, 3, 9)) == (3, 1, 0, 2)
    assert inverse((3, 1, 0, 2)) == (2, 1, 3, 0)


# the model


def test_the_model_finds_a_placement_within_every_vector():
    for name in ("ring", "ring of 9"):
        graph = graph_named(name)
        for times in every_vector(name):
            assert below(graph.weights(placement_within(graph, times, LIMITS)), times)


TWO_SQUARES = machine(8, [*((i, j) for k in (0, 4) for i in range(k, k + 4) for j in range(i + 1, k + 4)), (3, 4)])
"""Within each half every exchange takes 1. The pairs of all levels are connected, and four of them have to cross."""
TOO_WIDE = {
    "one_site": (ring(9), (1, 1, 4)),
    "one_leaf": (TWO_SQUARES, (1, 1, 1)),
    "partner": (ring(8), (1, 1, 4)),
    "follows": (ring(8), (1, 1, 4)),
}
"""An impossible vector for every family without which the model has a solution."""


def answer(array, times, families, broken=True):
    from ortools.sat.python.cp_model import CpSolver

    graph = graph_of(array, 3)
    symmetry = Symmetry.of(graph.replace(volumes=times), RUN) if broken else Symmetry.none(graph)
    programme = Programme.of(graph.replace(volumes=(0, 0, 0)), symmetry=symmetry)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MODEL, "FAMILIES", tuple(one for one in FAMILIES if one.__name__ in families))
        solver = CpSolver()
        return solver.status_name(solver.solve(within(programme, times).model))


@pytest.mark.parametrize("family", TOO_WIDE)
def test_each_family_is_needed(family):
    array, times = TOO_WIDE[family]
    names = {one.__name__ for one in FAMILIES}
    assert answer(array, times, names) == "INFEASIBLE"
    assert answer(array, times, set(TOO_WIDE), broken=False) == "INFEASIBLE"
    assert answer(array, times, set(TOO_WIDE) - {family}, broken=False) == "OPTIMAL"


def test_the_families_that_only_help_lose_nothing():
    names = {one.__name__ for one in FAMILIES}
    assert names - set(TOO_WIDE) == {"one_level", "first_key"}
    for times in ((1, 2, 2), (2, 1, 2)):
        assert answer(ring(8), times, names) == answer(ring(8), times, set(TOO_WIDE), broken=False) == "OPTIMAL"


# the search


@settings(deadline=None, max_examples=12)
@given(st.sampled_from(sorted(ARRAYS)), st.tuples(*[st.integers(0, 9)] * 3))
def test_no_placement_is_better(name, volumes):
    graph = graph_named(name).replace(volumes=volumes)
    solution = FORMULATION.solve(graph, RUN)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == graph.value(solution.choices) == cheapest(name, volumes)


@settings(deadline=None, max_examples=8)
@given(st.sampled_from(sorted(SPARE)), st.data())
def test_no_placement_is_better_with_empty_sites(name, data):
    graph = graph_named(name)
    graph = graph.replace(volumes=data.draw(st.tuples(*[st.integers(0, 9)] * graph.levels)))
    solution = FORMULATION.solve(graph, RUN)
    assert solution.status is Status.OPTIMAL
    assert solution.bound == graph.value(solution.choices) == cheapest(name, graph.volumes)


def test_what_every_placement_pays_is_paid():
    graph = problem(ring(4), (2, 3), {"comm-time": 1, "communication": 5})
    assert times_alone(graph)
    solution = searched(graph)
    assert solution.bound == least(graph)
    same = graph.replace(pair_costs=graph.pair_costs + 7)
    assert searched(same).bound == least(same) == least(graph) + 7 * 2 * 5


def test_a_bad_start_is_left_behind(monkeypatch):
    solving = importlib.import_module("formulations.placement.assignment.solving")
    monkeypatch.setattr(solving, "best_start", lambda graph, *given: tuple(range(graph.leaves)))
    monkeypatch.setattr(solving, "lower_bound", lambda graph, run: _nothing())
    events = []
    graph = graph_named("ring").replace(volumes=(1, 1, 1))
    solution = FORMULATION.solve(graph, Run("times", listener=events.append))
    assert solution.bound == graph.value(solution.choices) == 5
    assert solution.status is Status.OPTIMAL
    assert solution.native_status.startswith("all cheaper times of the levels are infeasible (")
    bounds = [event.value for event in events if event.kind == "bound"]
    assert bounds == sorted(bounds)
    assert bounds[-1] == 5
    assert [event.value for event in events if event.kind == "incumbent"] == [7, 5]


def test_the_answer_counts_its_vectors():
    memory = VectorMemory()
    solution = searched(graph_named("ring"), memory)
    assert memory.vectors.searched > 0
    assert solution.native_status == (
        f"all cheaper times of the levels are infeasible (2 vectors, {memory.vectors.searched} by search)"
    )


def test_what_is_known_serves_other_volumes():
    memory, graph = VectorMemory(), graph_named("mesh")
    first = searched(graph, memory)
    known = memory.vectors.searched
    again = searched(graph.replace(volumes=(5, 5, 5)), memory)
    assert memory.vectors.searched == known
    assert again.bound == 5 * first.bound
    assert memory.of(graph_named("ring")) is not None
    assert memory.vectors.searched == 0


def test_a_formulation_that_remembers():
    one = FORMULATION.remembering()
    assert FORMULATION.memory is None
    assert one.memory is not one.remembering().memory
    graph = graph_named("random 4")
    assert one.solve(graph, RUN).bound == FORMULATION.solve(graph, RUN).bound


# limits


def test_a_run_that_is_stopped_has_the_cheapest_vector_left_as_its_bound(monkeypatch):
    asked = []

    def gives_up(graph, times, limits):
        asked.append(times)
        raise Stopped

    monkeypatch.setattr(VECTORS, "placement_within", gives_up)
    graph = graph_named("ring")
    solution = searched(graph)
    assert len(asked) == 1
    assert solution.status is Status.FEASIBLE
    assert solution.bound < 5 <= graph.value(solution.choices)
    assert solution.native_status.startswith("stopped, with times of the levels left (")


def test_stopped_before_it_begins():
    stop = Event()
    stop.set()
    graph = graph_named("ring")
    solution = FORMULATION.solve(graph, Run("times", Limits(stop=stop)))
    assert solution.status in (Status.FEASIBLE, Status.OPTIMAL)
    assert solution.bound <= 5 <= graph.value(solution.choices)
    with pytest.raises(Stopped):
        least_vectors(TimeVectors.of(graph), Run("times", Limits(stop=stop)))


def test_cp_sat_that_is_out_of_time_knows_nothing():
    with pytest.raises(Stopped):
        placement_within(graph_named("random 4"), (1, 1, 1), Limits(deadline=time.monotonic() - 1))


# wrong answers


def test_a_wrong_infeasible_is_caught(monkeypatch):
    monkeypatch.setattr(VECTORS, "placement_within", lambda graph, times, limits: None)
    assert set(least_vectors(TimeVectors.of(graph_named("random 6")), RUN)) != pareto(every_vector("random 6"))


def test_a_wrong_placement_is_caught(monkeypatch):
    monkeypatch.setattr(VECTORS, "placement_within", lambda graph, times, limits: tuple(range(8)))
    vectors = TimeVectors.of(graph_named("ring"))
    with pytest.raises(RuntimeError, match=r"within \(1, 2, 2\) was looked for, and one of \(1, 2, 4\) was found$"):
        vectors.decide((1, 2, 2), LIMITS)


# what it is for


def test_sums_of_parts():
    assert sums_of({2, 3}, 2) == {0, 2, 3, 4, 5, 6}
    assert sums_of(set(), 3) == {0}
    assert sums_of({3**i for i in range(12)}, 4) is None


def test_too_many_times_are_left_to_the_programme():
    graph = graph_of(random_machine(3, 8), 3)
    assert level_times(graph) is None
    assert TimeVectors.of(graph) is None


@pytest.mark.parametrize(
    ("weights", "alone"),
    [({"comm-time": 1}, True), ({"hop-bytes": 1}, False), ({"comm-time": 1, "hop-bytes": 1}, False)],
)
def test_only_where_time_counts_alone(weights, alone):
    graph = problem(ring(4), (1, 2), weights)
    assert times_alone(graph) is alone
    assert (TimeVectors.of(graph) is not None) is alone


def test_there_are_no_time_vectors_of_no_level_nor_of_five():
    assert TimeVectors.of(problem(ring(4), (), TIME)) is None
    assert TimeVectors.of(problem(ring(32), (1,) * 5, TIME)) is None


def searched(graph, memory=None):
    """Return the solution without a bound that closes the problem first, from the identity."""
    solving = importlib.import_module("formulations.placement.assignment.solving")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solving, "lower_bound", lambda graph, run: _nothing())
        return PlacementCpSat(memory=memory or VectorMemory()).solve(graph, RUN)


def _nothing():
    from formulations.placement.bounds import LowerBound

    return LowerBound(0, "nothing is known")

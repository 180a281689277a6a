"""The tree over the smoothed dual: its parts, which variables it divides, when it gives up, and what it raises."""

import math
import time
from dataclasses import replace
from threading import Event

import numpy as np
import pytest
from helpers import each
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations.lagrangian import FORMULATION, concluded
from formulations.lagrangian.bounds import EXACT
from formulations.lagrangian.parts import Parts
from formulations.lagrangian.search import AnnealingSearch, Schedule
from formulations.lagrangian.search_tree import smoothed
from formulations.lagrangian.search_tree.loops import Leeway
from formulations.lagrangian.search_tree.smoothed import ALONE, NEAR, TRIALS, _masks
from hypar_opt.costgraph import FORBIDDEN, Priced, Tables, graph_of
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status, beyond
from tests.formulations.local_polytope.random_tables import assignments, least, random_tables


def frustrated(rings):
    """Return a variable of two values, and rings of three that differ from one another where it has the first.

    Pairs of a ring cost 1 where they are equal, and another 1 where they are not and the first variable has its second
    value. Halves of everything cost nothing, and any assignment 1 a ring at least.
    """
    sizes = np.full(1 + 3 * rings, 2)
    ends, edges = [], []
    for ring in range(rings):
        a, b, c = (1 + 3 * ring + k for k in range(3))
        ends += [(0, a), (a, b), (b, c), (a, c)]
        edges += [[0, 0, 0, 0], [1, 0, 0, 1], [1, 0, 0, 1], [1, 0, 0, 1]]
    return Tables(sizes, np.zeros(int(sizes.sum()), dtype=np.int64), np.array(ends), np.array(edges).reshape(-1))


def begun(tables, passes=200):
    """Return the parts of a search whose dual has ascended."""
    parts = Parts(tables, Run("lagrangian", Limits()), 1, 1, 1)
    parts.begin()
    for _ in range(passes):
        parts.dual.advance()
    parts.bounds.offer(parts.dual.duals())
    return parts


def divided(parts):
    parts.tree.search(Schedule(Limits(), 1.0, 0))
    return parts.tree


def test_a_tree_raises_a_bound_that_halves_hold_down():
    """Halves leave nothing to gain for messages; with one value of a ring given the others have one each."""
    tables = frustrated(1)
    parts = begun(tables)
    assert parts.bounds.value == 0
    tree = divided(parts)
    assert tree.exhausted
    assert tree.incumbent.value == least(tables) == 1
    assert tree.facts["divisions"] > 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
def test_the_parts_of_a_division_have_every_value_once(seed, most, even):
    tables = random_tables(seed, variables=5, most=most, forbidden=0.0, room=1000)
    parts = begun(tables, 20)
    node = parts.tree._root()
    if even:
        parts.dual.shares[:] = 1.0 / np.repeat(tables.sizes, tables.sizes)
    for variable in np.flatnonzero(tables.sizes > 1).tolist():
        masks = np.array(list(_masks(node, variable)))
        own = np.repeat(np.arange(tables.count) == variable, tables.sizes)
        assert len(masks) > 1
        assert (masks.sum(axis=0) == np.where(own, 1, len(masks))).all()
        alone = masks[:, own].sum(axis=1) == 1
        assert alone.sum() >= (parts.dual.shares[own] >= NEAR).sum()


def test_what_a_tree_proves_ends_the_search():
    """Whoever searches beside it, or after it, asks for nothing else."""
    parts = begun(frustrated(2))
    assert not parts.searches[0].met
    divided(parts)
    assert parts.incumbent.value == parts.bounds.told == 2
    assert parts.bounds.value == 0
    assert parts.searches[0].met


def test_a_tree_proves_that_there_is_no_plan():
    """A ring of three that must differ, each from the next: halves of both values may."""
    tables = frustrated(1)
    tables = tables.replace(edges=np.where(tables.edges > 0, FORBIDDEN, 0))
    parts = begun(tables, 5)
    assert parts.bounds.refutation is None
    tree = divided(parts)
    assert tree.exhausted
    assert parts.searches[0].met
    solution = concluded(parts)
    assert solution.status is Status.INFEASIBLE
    assert solution.native_status == f"nothing is open after {tree.branched} divisions"
    assert "tree" in solution.note


def test_a_division_ends_where_its_copies_have_no_room():
    parts = begun(frustrated(3))
    taken = parts.tree._root().taken
    for room, branched in ((parts.tree.copies * taken, 0), (10**9, 3)):
        parts.tree._thread.limits = Limits(memory_bytes=room)
        assert divided(parts).branched >= branched
        assert (parts.tree.branched == 0) is (branched == 0)


def test_a_variable_has_few_parts():
    node = replace(begun(frustrated(1)).tree._root(), tables=alone(40), shares=np.full(40, 1 / 40))
    assert [int(mask.sum()) for mask in _masks(replace(node, shares=np.full(40, 0.06)), 0)] == [1] * ALONE + [
        40 - ALONE
    ]
    assert [int(mask.sum()) for mask in _masks(node, 0)] == [1, 39]


def alone(size):
    """Return one variable."""
    none = np.zeros(0, dtype=np.int64)
    return Tables(np.array([size]), np.zeros(size, dtype=np.int64), none.reshape(0, 2), none)


def tries(parts, node):
    """Return the variables that a subproblem is divided by, in turn."""
    return [parts.tree._tried for _ in parts.tree._divisions(node)]


def test_the_best_connected_variable_that_ties_is_divided_first_where_no_plan_is_known():
    tables = frustrated(3)
    parts = Parts(tables, Run("lagrangian", Limits()), 1, 1, 1)
    node = replace(parts.tree._root(), shares=np.full(20, 0.5))
    tried = tries(parts, node)
    assert tried[0] == 0
    assert len(tried) == TRIALS
    node.shares[tables.starts[0] : tables.starts[1]] = 1.0, 0.0
    assert tries(parts, node)[0] != 0


def test_with_a_plan_it_is_what_that_pays_for_and_has_many_neighbours():
    """All of a ring's pairs are equal in the plan: the ring pays, and its first variable has three neighbours."""
    parts = begun(frustrated(3))
    node = parts.tree._root()
    parts.incumbent.value = None
    parts.incumbent.offer([0, 0, 1, 0, 0, 0, 0, 0, 0, 1])
    assert parts.incumbent.value == 1 + 3 + 1
    tried = tries(parts, node)
    assert tried[0] in (4, 6)
    parts.tree._tried = tried[0]
    parts.tree._worth(node, 2, [node])
    assert parts.tree._brought[tried[0]] == smoothed.LEAST
    assert tries(parts, node)[0] != tried[0]


def test_what_a_variable_brought_is_the_least_rise_of_its_parts():
    parts = begun(frustrated(2))
    tree, node = parts.tree, parts.tree._root()
    parts.incumbent.offer([0] * 7)
    assert tree.limit == 6
    halves = [node.among(mask, 1) for mask in _masks(node, 0)]
    assert tree._worth(node, 2, halves) == 0.0
    assert tree._worth(node, 2, []) == 1.0
    assert tree._brought[tree._tried] == 1.0


def test_a_tree_of_which_little_comes_ends(monkeypatch):
    """Each division raises the bound by one of nine: little is what is set here. What is open stays so."""
    monkeypatch.setattr("formulations.lagrangian.search_tree.search.HARDLY", 0.9)
    tree = divided(begun(frustrated(9)))
    assert tree.branched == tree.patience
    assert not tree.exhausted
    assert 0 < tree.bound < 9
    monkeypatch.setattr(type(tree), "patience", math.inf)
    assert divided(begun(frustrated(4))).bound == 4


@each("seed", range(40), quick=8)
def test_lagrangian_says_no_more_than_is_true_and_what_its_bound_rests_on(seed):
    """By the clock, with two workers, the second one branches."""
    tables = random_tables(seed, variables=7, most=4, forbidden=0.0, room=14)
    graph, shift = graph_of(tables)
    proofs = []
    limits = Limits().within(0.5)
    solution = FORMULATION.solve(graph, Run("lagrangian", limits, proof=proofs.append))
    known = least(tables)
    assert known is None or solution.bound + shift <= known
    assert solution.choices is None or tables.feasible(solution.choices)
    if solution.bound is not None:
        certified = math.ceil(Priced(graph.tables, proofs[-1]).bound) if proofs else solution.bound
        assert solution.note == beyond(certified, solution.bound, EXACT)


def test_a_bound_that_is_too_high_would_be_seen(monkeypatch):
    true, wrong = Leeway.of, 0
    raised = lambda *given: Leeway((one := true(*given)).bound + 40, one.stars, one.scale)  # noqa: E731
    monkeypatch.setattr(Leeway, "of", staticmethod(raised))
    for seed in range(6):
        tables = random_tables(seed, variables=6, forbidden=0.0, room=1000)
        wrong += divided(begun(tables, 1)).bound > least(tables)
    assert wrong


@pytest.mark.parametrize("seed", range(4))
def test_values_stay_where_few_would_go(seed):
    """Passes go on from messages of all values; without some they take longer to settle."""
    tables = random_tables(seed, variables=6, most=5, forbidden=0.0, room=1000)
    parts = begun(tables)
    best = min(assignments(tables), key=tables.value)
    parts.incumbent.offer(best)
    root = parts.tree._settled(parts.tree._root(), 0)
    assert root is None or len(root.values) in (len(tables.unary), *range(int(0.8 * len(tables.unary)) + 1))


@pytest.mark.parametrize(("promising", "workers"), [(True, [1]), (False, [2])])
def test_a_promising_division_goes_on_beside_windows_of_a_worker_fewer(promising, workers, monkeypatch):
    begun, told = Event(), []

    def second(parts, search, plans):
        parts.tree.promising = promising
        begun.set()
        search.limits.stop.wait(60)

    monkeypatch.setattr(Parts, "_descend", lambda _: None)
    monkeypatch.setattr(Parts, "_second", second)
    monkeypatch.setattr(Parts, "_dive", lambda *_: [] if begun.wait(60) else None)
    monkeypatch.setattr(Parts, "_windows", lambda _, plans, workers: told.append(workers))
    monkeypatch.setattr(AnnealingSearch, "met", False)
    run = Run("lagrangian", Limits(deadline=time.monotonic() + 600, workers=2))
    monkeypatch.setattr(AnnealingSearch, "ascend", lambda *_: None)
    Parts(frustrated(2), run, 1, 1, 1).search()
    assert told == workers


@pytest.mark.parametrize(("workers", "ends"), [(2, True), (3, False)])
def test_a_run_that_lends_one_of_two_workers_ends_its_second_thread(workers, ends, monkeypatch):
    told, run = [], Run("lagrangian", Limits(deadline=time.monotonic() + 600, workers=workers))

    def second(parts, search, plans):
        assert not search.limits.over
        run.limits.lent.set()
        told.append(search.limits.over)

    def dive(parts, *_):
        run.limits.lent.wait(60)
        assert not parts.run.limits.over
        return []

    monkeypatch.setattr(Parts, "_descend", lambda _: None)
    monkeypatch.setattr(Parts, "_second", second)
    monkeypatch.setattr(Parts, "_dive", dive)
    monkeypatch.setattr(Parts, "_windows", lambda *_: None)
    monkeypatch.setattr(AnnealingSearch, "met", False)
    monkeypatch.setattr(AnnealingSearch, "ascend", lambda *_: None)
    Parts(frustrated(2), run, 1, 1, 1).search()
    assert told == [ends]


def test_a_division_whose_trial_brings_enough_is_promising_while_it_lasts(monkeypatch):
    seen = []
    tree = begun(frustrated(3)).tree
    settled = type(tree)._settled

    def told(own, sub, passes):
        seen.append((passes, own.promising))
        return settled(own, sub, passes)

    monkeypatch.setattr(type(tree), "_settled", told)
    tree.search(Schedule(Limits(), 1.0, 0))
    assert (tree.passes, True) in seen  # of the parts that are kept
    assert seen[0][1] is False
    assert not tree.promising

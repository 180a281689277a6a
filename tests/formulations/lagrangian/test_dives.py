"""Dives: choices of the whole problem, from fewer and fewer values, and no bound of it."""

from __future__ import annotations

import gc
import time
import weakref
from itertools import product

import networkx as nx
import numpy as np
from helpers import each

from formulations.lagrangian import dive as diving_module
from formulations.lagrangian.dive import DECIDED, FRUITLESS, MANY, SMALLEST, Dive, DiveSearch, _apart
from formulations.lagrangian.parts import Parts
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.pricing import excess, priced
from formulations.lagrangian.search import AnnealingSearch, Schedule
from formulations.lagrangian.smoothed_dual import SmoothedDual
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN, Memory, Tables, offsets
from hypar_opt.formulation.run import Limits, Run
from tests.formulations.local_polytope.random_tables import random_tables
from tests.instance.strategy_graph.drawing import best, draw


class Steps:
    """A pace of so many steps, which takes no time."""

    def __init__(self, many):
        self._left, self.elapsed = many, 0.0

    def step(self):
        self._left -= 1
        return 0.0 if self._left >= 0 else None


def never():
    return False


def begun(tables, passes=30):
    """Return a dual after some passes."""
    dual = SmoothedDual(tables, penalised(tables))
    for _ in range(passes):
        dual.advance()
    return dual


def dived(tables, mu=1.0, most=np.inf):
    return Dive(SmoothedDual.of(begun(tables), mu), most)


def diving(tables, plan, seed=0):
    """Return a search by dives that knows a plan."""
    parts = Parts(tables, Run("lagrangian", Limits(seed=seed)), 30, 1, 1)
    parts.dual = begun(tables)
    parts.incumbent.offer(plan)
    return DiveSearch(parts.dual, parts.searches[0])


def even(leaves):
    """Return a hub whose two values tie, with a ring of leaves that must be what it is; one value of it is as good."""
    ring = [(1 + one, 1 + (one + 1) % leaves) for one in range(leaves)]
    return alike(leaves + 1, [(0, 1 + one) for one in range(leaves)] + [(min(pair), max(pair)) for pair in ring])


def alike(count, links):
    """Return variables of two values, which cost something where those of a link differ."""
    ends, none = np.array(links, dtype=np.int64).reshape(-1, 2), np.zeros(0, dtype=np.int64)
    memory = Memory(none, none.reshape(0, 2), offsets(none), none, none, none)
    edges = np.tile(np.array([0, 10, 10, 0]), len(ends))
    return Tables(np.full(count, 2), np.zeros(2 * count, dtype=np.int64), ends, edges, memory)


def test_a_dive_keeps_no_tables_but_the_last():
    tables = even(12)
    dive = dived(tables)
    assert dive.forbid(np.arange(26) == 0)
    between = weakref.ref(dive.tables)
    assert dive.forbid(np.arange(25) == 24)
    gc.collect()
    assert between() is None
    assert dive.search(never).tolist() == [1, *[1] * 11, 0]


def test_values_that_tie_are_chosen_alike_as_soon_as_the_hub_has_one():
    tables = even(12)
    dive = dived(tables)
    shares = dive.dual
    for _ in range(10):
        shares.advance()
    assert shares.shares.max() < DECIDED  # nothing is decided before
    choices = dived(tables).search(never)
    assert len(set(choices.tolist())) == 1
    assert tables.value(choices) == 0


@each("seed", range(60), quick=6)
def test_choices_are_of_the_whole_problem_and_those_that_are_said_to_fit_do(seed):
    tables = compile_graph(draw(seed, most_nodes=12, hard=True))
    dive = dived(tables)
    choices = dive.search(never)
    assert ((choices >= 0) & (choices < tables.sizes)).all()
    if dive._near and tables.value(choices) < FORBIDDEN:
        assert (tables.memory.used(choices) <= tables.memory.room).all()


@each("seed", range(60), quick=6)
def test_what_is_kept_of_one_plan_is_that_plan(seed):
    graph = draw(seed, hard=True)
    known = best(graph)
    if known is None:
        return
    tables, plan = compile_graph(graph), known[1]
    forbidden = np.ones(len(tables.unary), dtype=np.bool_)
    forbidden[tables.starts[:-1] + plan] = False
    dive = dived(tables)
    assert dive.forbid(forbidden)
    assert dive.search(never).tolist() == list(plan)


@each("seed", range(60), quick=6)
def test_a_dual_of_some_values_bounds_what_is_left(seed):
    tables = compile_graph(draw(seed, most_nodes=6, most_strategies=3, hard=True))
    rng = np.random.default_rng(seed)
    dive = dived(tables)
    if not dive.forbid(rng.random(len(tables.unary)) < 0.3):
        return
    left = dive.tables
    for _ in range(20):
        dive.dual.advance()
    values = [left.value(np.array(one)) for one in product(*map(range, left.sizes)) if left.feasible(np.array(one))]
    assert dive.dual.bound <= min(values, default=np.inf) + 1e-6 * abs(dive.dual.bound)


def test_what_leaves_nothing_is_refused_and_changes_nothing():
    tables = even(4)
    dive = dived(tables)
    before = dive.tables, dive.dual
    assert not dive.forbid(np.repeat(np.arange(5) == 2, 2))
    assert (dive.tables, dive.dual) == before


def test_a_bound_above_what_is_wanted_ends_a_dive():
    tables = even(4)
    assert dived(tables, most=-1.0).search(never) is None
    assert dived(tables, most=1.0).search(never) is not None


def test_a_dive_that_is_stopped_has_no_choices():
    assert dived(even(4)).search(lambda: True) is None


@each("seed", range(40), quick=4)
def test_variables_of_a_step_have_no_neighbour_in_common(seed):
    tables = alike(40, sorted(map(sorted, nx.gnm_random_graph(40, 15 * (seed % 4), seed=seed).edges)))
    order = np.random.default_rng(seed).permutation(tables.count)
    chosen = _apart(penalised(tables), order).tolist()
    graph = nx.Graph()
    graph.add_nodes_from(range(tables.count))
    graph.add_edges_from(tables.ends.tolist())
    near = [{one, *graph[one]} for one in chosen]
    assert chosen[0] == order[0]
    assert sum(map(len, near)) == len(set().union(*near))
    # as many as there can be: each of the others is near one that came before it
    assert all(set().union(*near) & {one, *graph[one]} for one in range(tables.count))


@each("seed", range(40), quick=6)
def test_a_guided_dive_keeps_connected_variables_but_around_one(seed):
    tables = even(40)
    search = diving(tables, np.ones(41, dtype=np.int64), seed)
    dive = dived(tables)
    if not search._guide(dive):
        return
    kept = dive.tables.sizes == 1
    given = dive._left[dive.tables.starts[:-1][kept]] - tables.starts[:-1][kept]
    assert (given == 0).sum() <= 1  # but for the one that must not have its own
    assert kept.sum() <= len(kept) - int(SMALLEST * len(kept)) + 1


def test_the_hub_alone_guides_where_it_alone_has_many_neighbours(monkeypatch):
    monkeypatch.setattr(diving_module, "FEW", MANY)
    tables, ended = even(40), []
    for seed in range(8):
        dive = dived(tables)
        assert diving(tables, np.ones(41, dtype=np.int64), seed)._guide(dive)
        assert (dive.tables.sizes[1:] == 2).all()
        if dive.tables.sizes[0] == 1:  # half of the time it must not have its own
            ended += dive.search(never).tolist()
    assert set(ended) == {0}


def test_dives_and_windows_find_the_best_plan():
    tables = even(40)
    plan = np.arange(41) % 2
    search = diving(tables, plan)
    found = search.rounds(Steps(2))
    assert tables.value(found[-1]) == 0 == search.search.incumbent.value


def test_where_no_dive_comes_to_a_plan_there_soon_are_no_more(monkeypatch):
    search, asked = diving(even(40), np.arange(41) % 2), []
    monkeypatch.setattr(DiveSearch, "_plan", lambda *_, guided: asked.append(guided))
    assert search.rounds(Steps(50)) == []
    assert len(asked) == FRUITLESS


def test_two_dives_begin_anew_and_so_do_some_of_the_later_ones_but_not_most(monkeypatch):
    tables, asked = even(4), []
    plan = np.zeros(5, dtype=np.int64)
    monkeypatch.setattr(DiveSearch, "_plan", lambda *_, guided: asked.append(guided) or plan)
    monkeypatch.setattr(DiveSearch, "_windows", lambda _, choices, *__: choices)
    monkeypatch.setattr(AnnealingSearch, "met", False)
    for seed in range(30):
        diving(tables, np.arange(5) % 2, seed).rounds(Steps(20))
    anew = [asked[first::20].count(False) for first in range(20)]
    assert anew[:2] == [30, 30]
    assert anew[2] < 30
    assert 140 < sum(anew[2:]) < 220  # a third of 540


def test_where_no_dive_comes_to_a_plan_there_is_annealing(monkeypatch):
    parts = Parts(even(4), Run("lagrangian", Limits(deadline=time.monotonic() + 100.0, workers=1)), 30, 5, 1)
    monkeypatch.setattr(DiveSearch, "rounds", lambda *_: [])
    annealed = []
    monkeypatch.setattr(AnnealingSearch, "rounds", lambda *_: annealed.append(1) or [np.zeros(5, dtype=np.int64)])
    assert [one.tolist() for one in parts._dive(parts.searches[0], 1.0)] == [[0] * 5]
    assert annealed == [1]


def test_what_every_plan_costs_besides_changes_no_dive(monkeypatch):
    made, of = [], SmoothedDual.of
    monkeypatch.setattr(SmoothedDual, "of", lambda dual, mu: made.append(mu) or of(dual, mu))
    for constant in (0, 10**6):
        search = diving(even(40).replace(constant=constant), np.arange(41) % 2)
        monkeypatch.setattr(Dive, "search", lambda dive, _: made.append(dive._most))
        assert search._plan(never, guided=True) is None
    assert made[:2] == made[2:]


def test_where_nothing_has_many_neighbours_those_with_most_guide_a_dive():
    tables = alike(12, [(one, one + 1) for one in range(11)])
    search = diving(tables, np.ones(12, dtype=np.int64))
    dive = dived(tables)
    assert search._guide(dive)
    assert (dive.tables.sizes == 1).sum() > 1


@each("seed", range(40), quick=8)
def test_excess_and_unused_room_sum_up_to_what_a_plan_costs_above_the_bound(seed):
    rng = np.random.default_rng(seed)
    tables = random_tables(seed, variables=6, forbidden=0.0, room=40)
    dual = begun(tables)
    messages, prices = dual.best
    plan = rng.integers(tables.sizes)
    paid = excess(dual.layout, priced(dual.layout, prices), messages, dual.begins, plan)
    assert (paid > -1e-6).all()
    room = float(prices @ (tables.memory.room - tables.memory.used(plan)))
    above = tables.value(plan) - tables.constant - dual.bound
    assert abs(paid.sum() + room - above) <= 1e-5 * max(1.0, abs(above), abs(dual.bound))


def test_dives_begin_where_the_best_plan_pays_most():
    """Of two stars alike one has the worse value; of those that are to be kept, one."""
    links = [(0, 1 + one) for one in range(4)] + [(5, 6 + one) for one in range(4)]
    tables = alike(10, links)
    tables = tables.replace(unary=np.where(np.arange(20) % 2, 7, 0))
    search = diving(tables, np.repeat([0, 1], 5))
    every = np.ones(10, dtype=np.bool_)
    assert min(search._root(every, np.array(search.search.incumbent.choices)) for _ in range(100)) >= 5
    search = diving(tables, np.repeat([1, 0], 5))
    assert max(search._root(every, np.array(search.search.incumbent.choices)) for _ in range(100)) < 5
    assert {search._root(np.arange(10) == 5, np.zeros(10, dtype=np.int64)) for _ in range(10)} == {5}


def test_plans_of_dives_are_fused_with_the_best():
    """Each has one star right: together they have both."""
    links = [(0, 1 + one) for one in range(4)] + [(5, 6 + one) for one in range(4)]
    tables = alike(10, links)
    tables = tables.replace(unary=np.where(np.arange(20) % 2, 7, 0))
    search = diving(tables, np.repeat([0, 1], 5))
    assert search._fused(np.repeat([1, 0], 5), []).tolist() == [0] * 10
    assert search.search.incumbent.value == 0
    assert search._fused(np.zeros(10, dtype=np.int64), []).tolist() == [0] * 10


def test_plans_of_dives_are_fused_with_those_before():
    """Of three stars each plan has another one right."""
    links = [(first, first + one) for first in (0, 5, 10) for one in range(1, 5)]
    tables = alike(15, links)
    tables = tables.replace(unary=np.where(np.arange(30) % 2, 7, 0))
    search = diving(tables, np.repeat([0, 1, 1], 5))
    before = [np.repeat([1, 0, 1], 5), np.ones(15, dtype=np.int64)]
    assert search._fused(np.repeat([1, 1, 0], 5), before).tolist() == [0] * 15


def test_every_dive_is_fused_with_what_all_before_came_to(monkeypatch):
    search = diving(alike(10, [(0, 1)]), np.zeros(10, dtype=np.int64))
    plans, seen = [np.full(10, one % 2) for one in range(3)], []

    def fused(plan, others):
        seen.append([one.tolist() for one in others])
        return plan

    monkeypatch.setattr(search, "_plan", lambda over, guided: plans[len(seen)])
    monkeypatch.setattr(search, "_windows", lambda plan, over, seconds: plan)
    monkeypatch.setattr(search, "_fused", fused)
    monkeypatch.setattr(AnnealingSearch, "met", False)
    search.rounds(Schedule(Limits(), 1.0, 3))
    assert [sorted(one) for one in seen] == [sorted(one.tolist() for one in plans[:count]) for count in range(3)]


def test_without_edges_nothing_guides_a_dive():
    tables = alike(3, [])
    dive = dived(tables)
    assert diving(tables, np.ones(3, dtype=np.int64))._guide(dive)
    assert dive.tables is tables

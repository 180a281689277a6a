"""What a tree proves against trying everything, what it says that rests on it, and how it ends."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import each
from hypothesis import given, settings
from hypothesis import strategies as st

from formulations.branch_and_bound import FORMULATION
from formulations.lagrangian.bounds import EXACT
from formulations.lagrangian.dual import Dual
from formulations.lagrangian.parts import Parts
from formulations.lagrangian.search import Schedule
from formulations.lagrangian.search_tree.loops import Leeway
from formulations.lagrangian.search_tree.search import BranchSearch
from formulations.lagrangian.search_tree.smoothed import SmoothedBranchSearch
from formulations.lagrangian.search_tree.splits import halves
from formulations.lagrangian.smoothed_dual import SmoothedDual
from formulations.portfolio import members
from formulations.portfolio.exchange import Exchange
from hypar_opt.costgraph import FORBIDDEN, Duals, Priced, Tables, graph_of
from hypar_opt.costgraph.reduced_cost import FAR
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Event, Limits, Run
from hypar_opt.formulation.solution import Solution, Status, beyond
from tests.formulations.local_polytope.random_tables import assignments, least, random_duals, random_tables


class Patient(SmoothedBranchSearch):
    """One that goes on until nothing is open."""

    patience = math.inf


HARD, SOFT = (Dual, BranchSearch), (SmoothedDual, Patient)
"""The kinds: a dual, and the tree over it."""


def tree_of(tables, kind=HARD, **limits):
    """Return a tree over tables that nothing was looked at of, without a plan from elsewhere."""
    return Parts(tables, Run("branch-and-bound", Limits(**limits)), 1, 1, 1, *kind).tree


def searched(tables, start=None, kind=HARD):
    """Return a tree that has ended, begun with a plan or with none."""
    tree = tree_of(tables, kind)
    if start is not None:
        tree.incumbent.offer(start)
    tree.search(Schedule(Limits(), 1.0, 0))
    return tree


@st.composite
def problems(draw):
    """Draw tables with ties, negative costs, single values and forbidden pairs; memory binds, does not, or is none."""
    tables = random_tables(
        draw(st.integers(0, 10**6)),
        variables=draw(st.integers(2, 5)),
        most=draw(st.integers(1, 4)),
        forbidden=draw(st.sampled_from([0.0, 0.0, 0.1, 0.4])),
        room=draw(st.sampled_from([None, None, -1, 3, 8, 12, 1000])),
    )
    grain, shift = draw(st.sampled_from([1, 10, 29, 10**9])), draw(st.sampled_from([0, -40, -(10**12)]))

    def changed(costs):
        return np.where(costs < FORBIDDEN, costs // min(grain, 29) * grain + shift, FORBIDDEN)

    tables = tables.replace(unary=changed(tables.unary), edges=changed(tables.edges))
    return tables if draw(st.booleans()) else Tables(tables.sizes, tables.unary, tables.ends, tables.edges)


@settings(max_examples=30, deadline=None)
@given(problems(), st.booleans(), st.sampled_from([(0, 0), (0, 1), (1, 1), (8, 40)]), st.sampled_from([HARD, SOFT]))
def test_what_a_tree_proves_is_what_trying_everything_gives(tables, begun, passes, kind):
    """With few passes, or none, bounds are bad: then it is divisions, and what is left at last, that find the plan."""
    known = least(tables)
    plans = [one for one in assignments(tables) if tables.feasible(one)]
    with pytest.MonkeyPatch.context() as patched:
        for name, number in zip(("trial", "passes"), passes, strict=True):
            patched.setattr(kind[1], name, number)
        tree = searched(tables, plans[-1] if begun and plans else None, kind)
    assert tree.exhausted
    assert tree.incumbent.value == known


@pytest.mark.parametrize("kind", [HARD, SOFT])
@each("seed", range(24), quick=3)
def test_divisions_alone_find_the_best_plan(seed, kind, monkeypatch):
    """Without a pass no plan is met on the way: every one that is found is what divisions have left."""
    for name in ("trial", "passes", "begun"):
        monkeypatch.setattr(kind[1], name, 0)
    tables = random_tables(seed, variables=5, most=4, forbidden=0.05, room=14)
    tree = searched(tables, kind=kind)
    assert tree.branched or least(tables) is None
    assert tree.incumbent.value == least(tables)


@pytest.mark.parametrize("kind", [HARD, SOFT])
@each("seed", range(60), quick=6)
def test_begun_with_the_best_plan_it_finds_no_other(seed, kind):
    tables = random_tables(seed)
    best = min((one for one in assignments(tables) if tables.feasible(one)), key=tables.value, default=None)
    if best is not None:
        tree = searched(tables, best, kind)
        assert (tree.exhausted, tree.incumbent.choices) == (True, tuple(best.tolist()))


@pytest.mark.parametrize("kind", [HARD, SOFT])
@each("seed", range(40), quick=6)
def test_no_bound_on_the_way_is_above_the_best_plan(seed, kind):
    """Whoever listens combines bounds with plans of others: each must hold by itself."""
    tables = random_tables(seed, variables=6, forbidden=0.0)
    told, known = [], least(tables)
    tree = Parts(tables, Run("branch-and-bound", Limits(), listener=told.append), 1, 1, 1, *kind).tree
    tree.search(Schedule(Limits(), 1.0, 0))
    bounds = [event.value for event in told if event.kind == "bound"]
    assert known is None or max(bounds) <= known


@pytest.mark.parametrize("seed", [31, 53])
def test_bounds_that_are_told_rise_also_where_the_root_goes_on_after_the_tree(seed, monkeypatch):
    monkeypatch.setattr("formulations.branch_and_bound.PASSES", 12)
    monkeypatch.setattr(BranchSearch, "_taken", property(lambda tree: 2**62 if tree.branched >= 3 else 0))
    tables, told = random_tables(seed, variables=9, most=5, forbidden=0.0, room=18), []
    run = Run("branch-and-bound", Limits(), listener=told.append)
    solution = FORMULATION.solve(graph_of(tables)[0], run)
    bounds = [event.value for event in told if event.kind == "bound"]
    assert bounds == sorted(set(bounds))
    assert bounds[-1] <= solution.bound


def test_what_comes_after_a_tree_ends_where_its_bound_is_met():
    tables = random_tables(4, variables=6, forbidden=0.0, room=1000)
    parts = Parts(tables, Run("branch-and-bound"), 1, 1, 1, *HARD)
    best = min(assignments(tables), key=tables.value)
    parts.incumbent.offer(best)
    assert not parts.searches[0].met
    parts.bounds.tell(tables.value(best))
    assert parts.searches[0].met


def test_the_last_assignment_of_a_subproblem_is_offered():
    """Also where no pass has chosen it: what is left out beside it is what the bound says, which no pass is told."""
    tables = random_tables(4, forbidden=0.0, room=1000)
    tree = tree_of(tables)
    kept = np.zeros(len(tables.unary), dtype=bool)
    kept[tables.starts[:-1]] = True
    tree.incumbent.offer = (found := []).append
    tree.limits.stop.set()  # so that there is no pass at all
    assert tree._settled(tree._root().among(kept), 1) is None
    assert [one.tolist() for one in found] == [[0] * tables.count]


MUTATIONS = {
    "a limit that is too low": (
        "BranchSearch.limit",
        property(lambda tree: (tree.incumbent.value or tree.bounds.most + 1) - 10),
    ),
    "half of every division": ("halves", lambda node, mask: [halves(node, mask)[0]] * 2),
    "too much that does not fit": ("BranchSearch._fitting", lambda tree, sub: None),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_tree_that_leaves_out_too_much_would_be_seen(name, monkeypatch):
    problems = [random_tables(seed, variables=9, most=5, forbidden=0.0, room=18) for seed in (1, 4)]
    true = [searched(tables).incumbent.value for tables in problems]
    where, wrong = MUTATIONS[name]
    monkeypatch.setattr(f"formulations.lagrangian.search_tree.search.{where}", wrong)
    assert [searched(tables).incumbent.value for tables in problems] != true


def test_what_lifts_the_bound_very_far_is_told_from_what_is_forbidden():
    """Costs near the ends of 64 bits: an excess is cut, but only what is forbidden is left out at any reach."""
    far = 2**59
    tables = Tables(np.array([2, 2]), np.array([0, far, 0, far]), np.array([[0, 1]]), np.array([0, far, far, far]))
    found = Leeway.of(tables, Duals.zero(tables))
    assert found.within(FAR * 8).all()
    edges = np.array([0, FORBIDDEN, far, FORBIDDEN])
    tables = tables.replace(edges=edges)
    assert Leeway.of(tables, Duals.zero(tables)).within(FAR * 8).tolist() == [True, True, True, False]


class Countdown:
    """A flag that is set after so many looks: a clock that does not depend on the machine."""

    def __init__(self, most):
        self.left, self.late = most, 0

    def is_set(self):
        self.left -= 1
        self.late += self.left < -1
        return self.left < 0


@each("looks", [0, 1, 2, 5, 20, 60, 100], quick=3)
def test_once_the_run_is_over_nothing_begins(looks, monkeypatch):
    tables = random_tables(13, variables=6, most=4, forbidden=0.0, room=12)
    flag, begun = Countdown(looks), []
    tree = tree_of(tables, stop=flag)
    flag.left = looks
    for name in ("_ascended", "_fitting"):
        true = getattr(BranchSearch, name)
        monkeypatch.setattr(
            BranchSearch, name, lambda *given, true=true: (begun.append(flag.left < 0), true(*given))[1]
        )
    tree.search(Schedule(tree.limits, 1.0, 0))
    assert sum(begun) <= 1  # between a look and the next
    assert tree.bound <= least(tables)


def test_a_run_whose_time_is_over_says_no_more_than_it_knows():
    tables = random_tables(13, variables=6, most=4, forbidden=0.0, room=12)
    graph, shift = graph_of(tables)
    stopped = Limits()
    stopped.stop.set()
    solution = FORMULATION.solve(graph, Run("branch-and-bound", stopped))
    assert solution.status in (Status.FEASIBLE, Status.NO_SOLUTION)
    assert solution.bound + shift <= least(tables)


def test_a_full_memory_goes_deep_and_then_ends_the_tree():
    tables = random_tables(13, variables=6, most=4, forbidden=0.0, room=12)
    tree = tree_of(tables, memory_bytes=1)
    tree.search(Schedule(Limits(), 1.0, 0))
    assert (tree.branched, len(tree.open)) == (0, 1)
    root = tree.open[0]
    deeper = root.among(np.arange(len(root.values)) > 0, 1) if root.tables.sizes[0] > 1 else root
    tree.open = [root, deeper]
    assert tree._next() is deeper


@each("seed", range(40), quick=6)
def test_the_note_says_how_much_a_certificate_lacks(seed):
    tables = random_tables(seed, variables=6)
    graph, _ = graph_of(tables)
    proofs = []
    solution = FORMULATION.solve(graph, Run("branch-and-bound", Limits(), proof=proofs.append))
    if solution.status is Status.OPTIMAL:
        certified = math.ceil(Priced(graph.tables, proofs[-1]).bound)
        assert solution.note == beyond(certified, solution.bound, EXACT)
        assert bool(solution.note) is (certified < solution.bound)


@each("seed", range(25), quick=5)
def test_a_portfolio_whose_programme_gives_up_proves_by_its_tree(seed, monkeypatch):
    monkeypatch.setattr(members, "begun", lambda known: Solution(Status.NO_SOLUTION, native_status="gave up"))
    tables = random_tables(seed, variables=5)
    graph, shift = graph_of(tables)
    solution, known = load_formulation("portfolio").solve(graph, Run("portfolio", Limits())), least(tables)
    assert solution.status is (Status.INFEASIBLE if known is None else Status.OPTIMAL)
    assert known is None or solution.bound + shift == known == tables.value(solution.choices)


@pytest.mark.parametrize("closed", [True, False])
def test_a_portfolio_says_that_a_bound_is_the_trees(closed):
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=11))
    plan = min((one for one in assignments(graph.tables) if graph.tables.feasible(one)), key=graph.tables.value)
    value = graph.tables.value(plan)
    exchange = Exchange(graph.tables, Run("portfolio"))
    exchange.keep("branch-and-bound", Duals.zero(graph.tables))
    certified = math.ceil(Priced(graph.tables, Duals.zero(graph.tables)).bound)
    exchange.hear(Event("incumbent", 0.0, "milp-highs", value, tuple(plan.tolist())))
    exchange.hear(Event("bound", 0.0, "branch-and-bound", value if closed else value - 1))
    solution = exchange.concluded({})
    assert certified < value - 1
    assert solution.status is (Status.OPTIMAL if closed else Status.FEASIBLE)
    assert solution.note == beyond(certified, solution.bound, EXACT)
    assert "a certificate holds no more than the root" in solution.note


def test_a_portfolio_says_nothing_of_a_bound_that_prices_prove():
    graph, _ = graph_of(random_tables(4, variables=6, forbidden=0.0, room=1000))
    duals = random_duals(graph.tables, 1)
    bound = math.ceil(Priced(graph.tables, duals).bound)
    for source in ("branch-and-bound", "lagrangian", "milp-highs"):
        exchange = Exchange(graph.tables, Run("portfolio"))
        exchange.keep(source, duals)
        exchange.hear(Event("bound", 0.0, source, bound))
        assert exchange.concluded({}).note == ""

"""branch-and-bound where every assignment can be tried, and the exact loops against what they stand for."""

from __future__ import annotations

import numpy as np
from helpers import each

from formulations.branch_and_bound import FORMULATION
from formulations.lagrangian.dual import Dual
from formulations.lagrangian.parts import Parts
from formulations.lagrangian.search import Schedule
from formulations.lagrangian.search_tree.loops import Leeway, narrowed
from formulations.lagrangian.search_tree.search import BranchSearch
from formulations.lagrangian.search_tree.splits import halves, splits
from hypar_opt.costgraph import FORBIDDEN, Priced, graph_of
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.presolve.value_removal import Narrowing
from hypar_opt.costgraph.reduced_cost import FAR, Excess
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status
from tests.formulations.local_polytope.random_tables import assignments, least, random_duals, random_tables


def tree_of(tables):
    """Return a tree over tables that nothing was looked at of, without a plan from elsewhere."""
    return Parts(tables, Run("branch-and-bound", Limits()), 1, 1, 1, Dual, BranchSearch).tree


@each("seed", range(60), quick=8)
def test_it_proves_the_least_cost_or_that_there_is_no_plan(seed):
    tables = random_tables(seed, variables=6)
    graph, shift = graph_of(tables)
    known = least(tables)
    solution = FORMULATION.solve(graph, Run("branch-and-bound", Limits()))
    if known is None:
        assert solution.status is Status.INFEASIBLE
    else:
        assert (solution.status, solution.bound + shift) == (Status.OPTIMAL, known)
        assert tables.value(solution.choices) == known


@each("seed", range(60), quick=8)
def test_the_tree_alone_proves_it_too(seed):
    tables = random_tables(seed, variables=6, most=4)
    tree, known = tree_of(tables), least(tables)
    tree.search(Schedule(Limits(), 1.0, 0))
    assert tree.exhausted
    assert tree.incumbent.value == known
    assert known is None or tree.bound == known


@each("seed", range(40), quick=8)
def test_one_look_at_the_pairs_is_the_bound_and_every_excess(seed):
    tables = random_tables(seed)
    duals = random_duals(tables, seed)
    found, priced = Leeway.of(tables, duals), Priced(tables, duals)
    if (np.minimum.reduceat(tables.edges, tables.edge_starts[:-1]) < FORBIDDEN).all() and len(tables.ends):
        assert found.bound == priced.bound
        excess = Excess.of(priced, EdgeIndex.of(tables)).values
        near = excess < FAR // 2**10  # beyond it they only say that nothing allowed has the value
        assert found.stars[near].tolist() == excess[near].tolist()
        assert (found.stars[~near] >= FAR // 2**10).all()


@each("seed", range(40), quick=8)
def test_no_value_of_a_plan_within_reach_is_left_out(seed):
    tables = random_tables(seed)
    found = Leeway.of(tables, random_duals(tables, seed))
    for one in assignments(tables):
        if tables.feasible(one):
            value = tables.value(one)
            assert found.bound <= value
            assert found.within(value)[tables.starts[:-1] + one].all()


@each("seed", range(20), quick=5)
def test_narrowed_tables_are_those_of_presolve(seed):
    tables = random_tables(seed)
    kept = np.random.default_rng(seed).random(len(tables.unary)) < 0.6
    kept[tables.starts[:-1]] = True
    found = narrowed(tables, kept)
    expected = Narrowing(tables, "values", ~kept, np.zeros(len(kept), dtype=np.int64)).after
    for name in ("sizes", "unary", "edges"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
    assert found.memory.usages.tolist() == expected.memory.usages.tolist()


@each("seed", range(20), quick=5)
def test_halves_have_every_value_and_share_none_of_the_divided_variable(seed):
    tree = tree_of(random_tables(seed, forbidden=0.0, room=1000))
    root = tree._settled(tree._root(), 1)
    if root is None:  # the least cost was met on the way
        return
    for mask in splits(root, 100.0):
        one, other = (half.values.tolist() for half in halves(root, mask))
        assert set(one) | set(other) == set(root.values.tolist())
        assert set(one) != set(other)
        assert len(set(one) & set(other)) == sum(root.tables.sizes) - root.tables.sizes[_divided(root, mask)]


def _divided(root, mask):
    return int((~np.logical_and.reduceat(mask, root.tables.starts[:-1])).argmax())


def test_a_bound_that_is_too_high_would_be_seen(monkeypatch):
    wrong = 0
    true = Leeway.of
    monkeypatch.setattr(
        "formulations.lagrangian.search_tree.search.Leeway.of",
        staticmethod(lambda *given: Leeway((one := true(*given)).bound + 40, one.stars, one.scale)),
    )
    for seed in range(6):
        tables = random_tables(seed, variables=6)
        tree = tree_of(tables)
        tree.search(Schedule(Limits(), 1.0, 0))
        wrong += tree.incumbent.value != least(tables)
    assert wrong

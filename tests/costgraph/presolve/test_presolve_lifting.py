"""Bounds of reduced tables hold of those before, no lower."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each
from presolve_checks import optimum, tables_of

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve import NoPlan, lifted, presolve
from tests.instance.strategy_graph.drawing import draw


def drawn(tables, rng):
    """Return random duals of tables."""
    zero = Duals.zero(tables)
    first, second = (rng.integers(-30, 30, len(one)) for one in (zero.first, zero.second))
    return Duals(int(rng.integers(0, 4)), first, second, rng.integers(0, 4, len(zero.prices)))


def reductions(seeds, **options):
    for seed in seeds:
        try:
            yield seed, presolve(compile_graph(draw(seed, 10, 4, hard=seed % 2 == 1)), **options)
        except NoPlan:
            continue


def steps(seeds):
    """Yield every step that lifts, the tables after it, and random duals of those."""
    for seed, reduction in reductions(seeds):
        tables = [step.before for step in reduction.steps] + [reduction.tables]
        rng = np.random.default_rng(seed)
        for number, step in enumerate(reduction.steps[reduction.liftable :], reduction.liftable):
            yield step, tables[number + 1], drawn(tables[number + 1], rng)


@pytest.mark.slow
def test_every_step_lifts_bounds_and_loses_nothing():
    seen = set()
    for step, after, duals in steps(range(250)):
        assert Priced(step.before, step.lift(duals)).bound >= Priced(after, duals).bound, step.name
        seen.add(step.name) if len(duals.first) else None
    assert len(seen) == 6


@pytest.mark.sampled(1)
@pytest.mark.parametrize("side", ["first", "second"])
def test_messages_that_are_not_lifted_are_noticed(side):
    """Zeros in the place of the messages that a step fills in bound less."""
    lower = 0
    for step, after, duals in steps(range(60)):
        whole = step.lift(duals)
        bare = {
            "first": whole.first,
            "second": whole.second,
            side: 0 * whole.first if side == "first" else 0 * whole.second,
        }
        less = Duals(whole.scale, bare["first"], bare["second"], whole.prices)
        lower += Priced(step.before, less).bound < Priced(after, duals).bound
    assert lower > 10


@each("start", range(0, 100, 20), quick=2)
def test_bounds_are_lifted_to_the_leaders(start):
    for seed, reduction in reductions(range(start, start + 20)):
        duals = drawn(reduction.tables, np.random.default_rng(seed))
        whole = lifted(reduction, duals)
        assert whole.scale == duals.scale
        bound = Priced(reduction.leaders, whole).bound
        assert bound >= Priced(reduction.tables, duals).bound
        best = optimum(reduction.tables) if reduction.tables.count < 5 else None
        assert best is None or bound <= best


def test_duals_too_fine_for_what_is_lifted_become_coarser():
    """The value that costs too much for the scale is dominated, and not among those that are left."""
    items = [(0, 0, 1, [3, 2, 3]), (1, 0, 1, [2, 3])]
    edge = (0, 1, [[5, 0], [0, 7], [9, 9]])
    reduction = presolve(tables_of([3, 2], [[0, 0, 2**50], [0, 0]], [edge], items, [5]))
    assert reduction.tables.sizes.tolist() == [2, 2]
    duals = Duals(24, np.array([3, 0]) << 24, np.array([0, 1]) << 24, np.array([1 << 24]))
    whole = lifted(reduction, duals)
    assert whole.scale == 11
    assert Priced(reduction.leaders, whole).bound == Priced(reduction.tables, duals).bound


def test_duals_too_fine_for_what_is_reduced_become_coarser():
    """What leaves cost at the least adds up where they are eliminated, and formulations never see it."""
    least, leaves = 2**37, range(2, 7)
    items = [(0, 0, 1, [3, 2]), (1, 0, 1, [2, 3])]
    edges = [(0, 1, [[5, 0], [0, 7]]), *((0, one, [[least, least + 3], [least + 2, least + 1]]) for one in leaves)]
    reduction = presolve(tables_of([2] * 7, [[0, 0]] * 7, edges, items, [5]))
    assert reduction.tables.sizes.tolist() == [2, 2]
    duals = Duals(24, np.array([3, 0]) << 24, np.array([0, 1]) << 24, np.array([1 << 24]))
    assert Priced(reduction.tables, duals).fault is not None
    whole = lifted(reduction, duals)
    assert 0 < whole.scale < 24
    coarse = duals.coarser(24 - whole.scale)
    assert Priced(reduction.leaders, whole).bound >= Priced(reduction.tables, coarse).bound


def test_coarser_duals_are_rounded_down():
    odd = np.array([5, -5])
    found = Duals(3, odd, odd, np.array([7])).coarser(1)
    assert (found.scale, found.first.tolist(), found.prices.tolist()) == (2, [2, -3], [3])


def test_paths_eliminated_are_not_lifted():
    refused = 0
    for _, reduction in reductions(range(100), triangles=True):
        if any(len(one.neighbours) == 2 for step in reduction.steps for one in getattr(step, "order", ())):
            with pytest.raises(NotImplementedError):
                lifted(reduction, Duals.zero(reduction.tables))
            refused += 1
    assert refused

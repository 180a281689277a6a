"""The ascent of the smoothed dual: below every plan, at the linear programme's optimum, and at an end."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers import each
from scipy.optimize import linprog

from formulations.lagrangian.dual import WARM_UP
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.smoothed_dual import FALL, LOWEST, STRETCH, SmoothedDual
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import FORBIDDEN, Memory, Priced, Tables, graph_of, offsets
from tests.formulations.local_polytope.random_tables import random_tables
from tests.instance.strategy_graph.drawing import best, draw

SEEDS = range(30)


def drawn(seed, **size):
    graph = draw(seed, hard=True, **size)
    return graph, graph_of(compile_graph(graph))[0].tables


def relaxed(tables):
    """Return the optimum of the local polytope with the rows of the memory; None where it is empty."""
    sizes, starts, pairs = tables.sizes, tables.starts, tables.edge_starts
    goal = np.concatenate([tables.unary, tables.edges]).astype(np.float64)
    ties, given = [], []
    for one in range(tables.count):
        row = np.zeros(len(goal))
        row[starts[one] : starts[one + 1]] = 1.0
        ties.append(row)
        given.append(1.0)
    for edge, (i, j) in enumerate(tables.ends):
        cells = len(tables.unary) + pairs[edge] + np.arange(sizes[i] * sizes[j]).reshape(sizes[i], sizes[j])
        for end, lines in ((i, cells), (j, cells.T)):
            for a, line in enumerate(lines):
                row = np.zeros(len(goal))
                row[line], row[starts[end] + a] = 1.0, -1.0
                ties.append(row)
                given.append(0.0)
    memory = tables.memory
    takes = np.zeros((memory.rows, len(goal)))
    for item, holder in enumerate(memory.holders):
        usage = memory.usages[memory.starts[item] : memory.starts[item + 1]]
        takes[memory.spans[item, 0] : memory.spans[item, 1], starts[holder] : starts[holder + 1]] += usage
    most = np.where(goal >= FORBIDDEN, 0.0, 1.0)
    some = (takes, memory.room) if memory.rows else (None, None)
    found = linprog(
        np.where(goal < FORBIDDEN, goal, 0.0), *some, np.array(ties), given, np.stack([0 * most, most], axis=1)
    )
    return None if found.status == 2 else float(found.fun)


@each("seed", SEEDS, quick=10)
def test_the_bound_is_the_exact_one_and_below_every_plan(seed):
    graph, tables = drawn(seed)
    known, dual = best(graph), SmoothedDual(tables, penalised(tables))
    for _ in range(60):
        dual.advance()
    if known is not None:
        assert dual.bound <= tables.value(known[1]) - tables.constant + 1e-6
        assert float(Priced(tables, dual.duals()).bound) - tables.constant == pytest.approx(dual.bound, abs=1e-3)


@each("seed", SEEDS, quick=6)
def test_it_ends_at_the_optimum_of_the_linear_programme(seed):
    graph, tables = drawn(seed)
    known, dual = relaxed(tables), SmoothedDual(tables, penalised(tables))
    if known is None or best(graph) is None:
        return
    while not dual.done:
        dual.advance()
        assert dual.passes < 3_000
    assert dual.bound <= known + 1e-6
    assert dual.bound >= known - 0.02


def test_the_bound_of_a_tree_without_memory_is_its_optimum():
    noise = np.random.default_rng(0)
    ends = np.array([[int(noise.integers(one)), one] for one in range(1, 8)])
    tables = Tables(np.full(8, 3), noise.integers(0, 50, 24), ends, noise.integers(0, 50, 63))
    dual = SmoothedDual(tables, penalised(tables))
    while not dual.done:
        dual.advance()
    assert dual.bound == pytest.approx(min(tables.value(one) for one in product(range(3), repeat=8)))


@pytest.mark.parametrize("seed", range(4))
def test_where_memory_alone_is_in_the_way_it_does_not_end_before_prices_are_found(seed):
    """Passes gain nothing there, and the first mu knows no unit: the smoothed bound falls until steps are short."""
    noise, sizes = np.random.default_rng(seed), np.full(12, 4)
    usages = noise.integers(1, 30, 48)
    costs = np.maximum(0, 40 - usages + noise.integers(-5, 6, 48)) * 10**9
    room = np.array([int(usages.reshape(12, 4).min(axis=1).sum() * 1.6)])
    memory = Memory(np.arange(12), np.tile([0, 1], (12, 1)), offsets(sizes), usages, room, np.arange(1))
    none = np.zeros(0, dtype=np.int64)
    tables = graph_of(Tables(sizes, costs, none.reshape(0, 2), none, memory))[0].tables
    dual = SmoothedDual(tables, penalised(tables))
    while not dual.done and dual.passes < 600:
        dual.advance()
    assert dual.bound == pytest.approx(relaxed(tables), rel=1e-5)


def test_a_price_that_is_far_away_is_reached_though_other_rows_need_none():
    """Edges say nothing, so that the first prices have no unit; a row that is not full damps its own price alone."""
    tables = random_tables(5, variables=7, most=4, forbidden=0.0, room=15)
    tables = graph_of(tables.replace(unary=tables.unary * 10**15, edges=0 * tables.edges))[0].tables
    dual = SmoothedDual(tables, penalised(tables))
    while not dual.done and dual.passes < 400:
        dual.advance()
    assert dual.bound == pytest.approx(23 * 10**15, rel=1e-6)


def test_mu_does_not_fall_to_nothing_where_rounding_is_more_than_what_is_left():
    _, tables = drawn(4, most_nodes=12)
    dual = SmoothedDual(tables, penalised(tables))
    for _ in range(WARM_UP + STRETCH):
        dual.advance()
    dual.mu, dual._soft, dual._rested = LOWEST, dual.bound - 1.0, dual.bound - 1.0  # as though it were at rest
    dual._settle()
    assert (dual.mu, dual.done) == (LOWEST, False)


@pytest.mark.parametrize("seed", [3, 11, 19])
def test_costs_near_the_ends_of_64_bits_leave_shares_that_are_numbers(seed):
    tables, noise = random_tables(seed, variables=6, most=4, forbidden=0.12, room=16), np.random.default_rng(seed)
    for costs in (tables.unary, tables.edges):
        costs[(noise.random(len(costs)) < 0.15) & (costs < FORBIDDEN)] = 10**17
    tables = graph_of(tables)[0].tables
    dual = SmoothedDual(tables, penalised(tables))
    for _ in range(60):
        dual.advance()
    assert np.isfinite(dual.messages).all() and np.isfinite(dual.prices).all()


def test_the_first_mu_has_the_unit_of_the_costs_and_not_their_zero():
    _, tables = drawn(4, most_nodes=12)

    def first(scale, shift):
        unary = np.where(tables.unary < FORBIDDEN, scale * tables.unary + shift, tables.unary)
        edges = np.where(tables.edges < FORBIDDEN, scale * tables.edges, tables.edges)
        other = tables.replace(unary=unary, edges=edges)
        dual = SmoothedDual(other, penalised(other))
        for _ in range(WARM_UP):
            dual.advance()
        return dual.mu

    assert first(1000, 0) == pytest.approx(1000 * first(1, 0), rel=1e-3)
    assert first(1, 50) == pytest.approx(first(1, 0), rel=1e-3)


def test_where_the_smoothed_bound_falls_it_goes_on_from_the_best():
    _, tables = drawn(2, most_nodes=12)
    dual = SmoothedDual(tables, penalised(tables))
    for _ in range(WARM_UP + 2 * STRETCH - 1):
        dual.advance()
    dual._rested, mu = np.inf, dual.mu
    dual.advance()
    assert dual.mu == FALL * mu
    assert all((own == best).all() for own, best in zip((dual.messages, dual.prices), dual._best, strict=True))


def test_no_row_is_without_a_price_where_plans_are_searched_for():
    _, tables = drawn(5, most_nodes=12)
    dual = SmoothedDual(tables, penalised(tables))
    for _ in range(WARM_UP + 4 * STRETCH):
        dual.advance()
    assert (dual.prices == 0.0).any()
    assert (dual.guide > 0.0).all()
    assert (dual.guide >= dual._best[1]).all()

"""The compiled loops against what they say they do, written plainly."""

from __future__ import annotations

from itertools import product

import networkx as nx
import numpy as np
import pytest
from helpers import each

from formulations.lagrangian.dual import FALL, FIRST_STEP, STRETCH, WARM_UP, Dual
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.pricing import move, priced, used, value
from formulations.lagrangian.trees import members, polish, rooted, sweep
from formulations.neighbourhood_search.trees import settle
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Priced, graph_of
from tests.instance.strategy_graph.drawing import best, draw, plans

SEEDS = range(30)


def drawn(seed, **size):
    graph = draw(seed, hard=True, **size)
    return graph, graph_of(compile_graph(graph))[0].tables


@each("seed", SEEDS, quick=5)
def test_members_are_a_forest_to_which_nothing_can_be_added(seed):
    _, tables = drawn(seed, most_nodes=12)
    inside = members(penalised(tables), np.random.default_rng(seed).permutation(tables.count))
    whole = nx.Graph(tables.ends.tolist())
    whole.add_nodes_from(range(tables.count))
    assert nx.is_forest(whole.subgraph(np.flatnonzero(inside)))
    for other in np.flatnonzero(~inside):
        assert not nx.is_forest(whole.subgraph([*np.flatnonzero(inside), other]))


@each("seed", SEEDS, quick=5)
def test_every_variable_of_a_forest_hangs_on_one_before_it(seed):
    _, tables = drawn(seed, most_nodes=12)
    layout, order = penalised(tables), np.random.default_rng(seed).permutation(tables.count)
    inside = members(layout, order)
    sequence, hangs, place = rooted(layout, inside, order)
    assert (np.flatnonzero(inside) == np.sort(sequence)).all()
    assert (place[sequence] == np.arange(len(sequence))).all()
    assert (place[~inside] == -1).all()
    beside = nx.Graph(tables.ends.tolist())
    beside.add_nodes_from(range(tables.count))
    for k, one in enumerate(sequence.tolist()):
        arcs = range(layout.arcs[one], layout.arcs[one + 1])
        assert [arc for arc in arcs if 0 <= place[layout.others[arc]] < k] == [
            arc for arc in hangs[k : k + 1] if arc >= 0
        ]
    assert np.count_nonzero(hangs < 0) == nx.number_connected_components(beside.subgraph(sequence.tolist()))


@each("seed", SEEDS, quick=2)
def test_a_forest_is_settled_as_well_as_can_be(seed):
    graph, tables = drawn(seed)
    layout, noise = penalised(tables), np.random.default_rng(seed)
    order = noise.permutation(tables.count)
    inside = members(layout, order)
    fixed = plans(graph)[noise.integers(len(plans(graph)))]
    choices, costs = fixed.copy(), layout.unary.copy()
    sequence, hangs, place = rooted(layout, inside, order)
    found = np.empty_like(sequence)
    settle(layout, costs, sequence, hangs, place, fixed, costs, found)
    choices[sequence] = found
    alike = [one for one in plans(graph) if (one == fixed)[~inside].all()]
    assert (choices == fixed)[~inside].all()
    assert value(layout, choices) == min(value(layout, one) for one in alike)


@each("seed", SEEDS, quick=5)
def test_prices_are_paid_for_what_is_used(seed):
    graph, tables = drawn(seed)
    layout = penalised(tables)
    prices = np.random.default_rng(seed).random(tables.memory.rows)
    paid = priced(layout, prices) - layout.unary
    for one in plans(graph)[:20]:
        assert (used(layout, one) == tables.memory.used(one)).all()
        assert paid[tables.starts[:-1] + one].sum() == pytest.approx(prices @ tables.memory.used(one))
        if tables.allowed(one):
            assert value(layout, one) == tables.value(one)


def test_prices_rise_where_too_much_is_used_and_fall_where_room_is_left():
    prices, average = np.ones(3), np.array([8.0, 4.0, 2.0])
    move(prices, average, np.array([8.0, 4.0, 2.0]), np.full(3, 4.0), np.full(3, 0.1))
    assert prices[0] > 1.0 == prices[1] > prices[2]
    assert prices.tolist() == pytest.approx(np.exp([0.1, 0.0, -0.05]))
    move(prices, average, np.array([8.0, 4.0, 12.0]), np.full(3, 4.0), np.zeros(3))
    assert average.tolist() == pytest.approx([8.0, 4.0, 3.0])


@each("seed", SEEDS)
def test_the_bound_is_the_exact_one_and_below_every_plan(seed):
    graph, tables = drawn(seed)
    known, dual = best(graph), Dual(tables, penalised(tables))
    shift = 0 if known is None else known[0] - tables.value(known[1])
    for _ in range(40):
        dual.advance()
    if known is not None:
        assert dual.bound <= known[0] - shift + 1e-6
        assert float(Priced(tables, dual.duals()).bound) == pytest.approx(dual.bound, abs=1e-3)


@each("seed", range(5))
def test_only_rows_whose_use_crosses_their_room_move_more_slowly(seed):
    _, tables = drawn(seed, most_nodes=12)
    dual, crossings = Dual(tables, penalised(tables)), np.zeros(tables.memory.rows)
    for _ in range(WARM_UP + STRETCH // 2 - 1):  # until it is asked for the first time whether the bound is at rest
        above = dual.average > dual.layout.room
        dual.advance()
        if dual.passes > WARM_UP:
            crossings += (dual.average > dual.layout.room) != above
    assert np.allclose(dual.steps, FIRST_STEP * FALL**crossings)


@each("seed", SEEDS, quick=1)
def test_it_comes_to_an_end_where_anything_fits(seed):
    graph, tables = drawn(seed, most_nodes=12)
    known, dual = best(graph), Dual(tables, penalised(tables))
    while not dual.done and (known is not None or dual.passes < 2_000):
        dual.advance()
        assert dual.passes < 20_000
    bound = Priced(tables, dual.duals()).bound + graph_of(compile_graph(graph))[1]
    assert known is None or bound <= known[0]


def test_the_bound_of_a_tree_without_memory_is_its_optimum():
    noise = np.random.default_rng(0)
    from hypar_opt.costgraph import Tables

    ends = np.array([[int(noise.integers(one)), one] for one in range(1, 8)])
    tables = Tables(np.full(8, 3), noise.integers(0, 50, 24), ends, noise.integers(0, 50, 63))
    dual = Dual(tables, penalised(tables))
    for _ in range(30):
        dual.advance()
    optimum = min(tables.value(one) for one in product(range(3), repeat=8))
    assert dual.bound == pytest.approx(optimum)
    assert tables.value(dual.choices) == optimum


@each("seed", SEEDS)
def test_a_polished_plan_still_fits_and_saves_what_is_said(seed):
    graph, tables = drawn(seed)
    feasible = [one for one in plans(graph) if tables.feasible(one)]
    layout = penalised(tables)
    for start in feasible[:3]:
        choices = start.copy()
        saved = polish(
            layout, choices, np.ones(tables.memory.rows), np.arange(tables.count), 30, np.random.default_rng(seed)
        )
        assert tables.feasible(choices)
        assert tables.value(start) - tables.value(choices) == saved >= 0


def test_noise_changes_what_is_chosen():
    _, tables = drawn(1, most_nodes=30)
    layout, prices = penalised(tables), np.zeros(tables.memory.rows)
    calm, noisy = np.zeros(tables.count, dtype=np.int64), np.zeros(tables.count, dtype=np.int64)
    order, noise = np.arange(tables.count), np.random.default_rng(0)
    for _ in range(30):
        sweep(layout, calm, prices, 0.0, order, noise)
        sweep(layout, noisy, prices, 1e4, order, noise)
    assert value(layout, calm) < value(layout, noisy)
    assert sweep(layout, calm, prices, 0.0, order, noise) == 0

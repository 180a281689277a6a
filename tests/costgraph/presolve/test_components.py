"""Components: what belongs together, and that assignments, costs and bounds of parts are those of the whole."""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from presolve_checks import optimum, tables_of

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Duals, Priced
from hypar_opt.costgraph.presolve import choices_together, components, duals_together, presolve
from tests.instance.strategy_graph.unions import drawn, least

SEEDS = range(40)


def whole_of(seed, count=3, **options):
    """Tables of a union of graphs, as they are compiled, with a constant."""
    return compile_graph(drawn(seed, count, **options)[1]).replace(constant=seed - 7)


def random_duals(tables, rng, scale):
    zero = Duals.zero(tables)
    first, second = (rng.integers(-30, 30, len(one)) for one in (zero.first, zero.second))
    return Duals(scale, first, second, rng.integers(0, 4, len(zero.prices)))


def sum_of_bounds(tables, parts, duals):
    return tables.constant + sum(Priced(part.tables, one).bound for part, one in zip(parts, duals, strict=True))


def by_hand(tables):
    """Return the components' variables: every pair that an edge or a row joins, one by one."""
    graph = nx.Graph()
    graph.add_nodes_from(range(tables.count))
    graph.add_edges_from(tables.ends.tolist())
    memory = tables.memory
    for row in range(memory.rows):
        live = memory.holders[(memory.spans[:, 0] <= row) & (row < memory.spans[:, 1])].tolist()
        graph.add_edges_from((one, other) for one in live for other in live)
    return sorted(sorted(one) for one in nx.connected_components(graph))


# --- what belongs together


def variables_of(tables):
    return sorted(part.variables.tolist() for part in components(tables))


def test_an_edge_joins_two_variables():
    tables = tables_of([2, 2, 2], [[0, 1]] * 3, [(0, 2, [[0, 1], [1, 0]])])
    assert variables_of(tables) == [[0, 2], [1]]


def test_a_row_joins_all_that_take_of_it():
    items = [(0, 0, 1, [0, 3]), (1, 1, 2, [0, 3]), (2, 0, 1, [0, 3])]
    assert variables_of(tables_of([2, 2, 2], [[0, 1]] * 3, items=items, room=[5, 5])) == [[0, 2], [1]]


def test_an_item_joins_all_of_its_rows():
    items = [(0, 0, 1, [0, 3]), (1, 2, 3, [0, 3]), (2, 0, 3, [0, 3]), (3, 3, 4, [0, 3])]
    tables = tables_of([2] * 4, [[0, 1]] * 4, items=items, room=[5, 5, 5, 5])
    assert variables_of(tables) == [[0, 1, 2], [3]]


def test_the_items_of_a_variable_join_their_rows_and_not_those_between():
    items = [(0, 0, 1, [0, 3]), (1, 1, 2, [0, 3]), (0, 2, 3, [0, 3]), (2, 2, 3, [0, 3])]
    assert variables_of(tables_of([2] * 3, [[0, 1]] * 3, items=items, room=[5, 5, 5])) == [[0, 2], [1]]


def test_an_item_in_no_row_joins_nothing():
    items = [(0, 1, 1, [0, 3]), (1, 1, 2, [0, 3])]
    tables = tables_of([2, 2], [[0, 1]] * 2, items=items, room=[5, 5])
    assert variables_of(tables) == [[0], [1]]


@pytest.mark.parametrize("apart", [True, False])
def test_they_are_those_of_all_pairs(apart):
    counts = []
    for seed in SEEDS:
        tables = whole_of(seed, apart=apart)
        assert sorted(part.variables.tolist() for part in components(tables, 1000)) == by_hand(tables)
        counts.append(len(components(tables, 1000)))
    assert max(counts) > 4


@pytest.mark.parametrize("count", [1, 2, 3])
def test_statistics_say_how_many_are_left(count):
    for seed in range(4):
        reduction = presolve(compile_graph(drawn(seed, count, hard=True)[1]))
        assert reduction.statistics["components left"] == len(by_hand(reduction.tables)) == count


def test_nothing_to_choose_is_one_part():
    (part,) = components(tables_of([], [], room=[3]))
    assert (part.tables.count, part.tables.memory.room.tolist()) == (0, [3])


# --- parts


@pytest.mark.parametrize("apart", [True, False])
def test_every_variable_edge_and_row_is_in_one_part(apart):
    for seed in SEEDS:
        tables = whole_of(seed, apart=apart)
        parts = components(tables)
        for name, count in (("variables", tables.count), ("edges", len(tables.ends)), ("rows", tables.memory.rows)):
            numbers = [getattr(part, name) for part in parts]
            assert sorted(np.concatenate(numbers).tolist()) == list(range(count))
            assert all((np.diff(one) > 0).all() for one in numbers)
        for part in parts:
            assert (part.tables.memory.moments == tables.memory.moments[part.rows]).all()


def test_the_smallest_comes_first_and_beyond_the_largest_they_are_one():
    sizes = [9, 2, 7, 3, 3, 8, 4]
    tables = tables_of(sizes, [list(range(one)) for one in sizes], room=[-1])
    assert [part.size for part in components(tables)] == sorted(sizes)
    assert [part.variables.tolist() for part in components(tables, 4)] == [[2], [5], [0], [1, 3, 4, 6]]
    (one,) = components(tables, 1)
    assert one.variables.tolist() == list(range(7))
    assert len(components(tables_of([2] * 20, [[0, 1]] * 20))) == 8


def test_a_row_that_nobody_takes_anything_of_is_kept():
    """It may have less than no room."""
    tables = tables_of([2, 3], [[0, 1], [0, 1, 2]], items=[(0, 0, 1, [0, 1])], room=[4, -1])
    parts = components(tables)
    assert optimum(tables) is None
    assert [part.rows.tolist() for part in parts] == [[0], [1]]
    assert [optimum(part.tables) for part in parts] == [0, None]


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("most", [2, 8])
def test_costs_and_what_is_feasible_are_those_of_the_parts(apart, most):
    rng = np.random.default_rng(0)
    fitting = 0
    for seed in SEEDS:
        tables = whole_of(seed, apart=apart)
        parts = components(tables, most)
        for _ in range(20):
            choices = rng.integers(0, tables.sizes)
            own = [choices[part.variables] for part in parts]
            assert (choices_together(parts, own) == choices).all()
            pairs = list(zip(parts, own, strict=True))
            assert tables.allowed(choices) == all(part.tables.allowed(one) for part, one in pairs)
            assert tables.fits(choices) == all(part.tables.fits(one) for part, one in pairs)
            if tables.feasible(choices):
                assert tables.value(choices) == tables.constant + sum(part.tables.value(one) for part, one in pairs)
                fitting += 1
    assert fitting > 20


def test_the_optimum_is_that_of_the_parts():
    found = [0, 0]
    for seed in SEEDS:
        graphs, whole = drawn(seed, 2)
        tables = compile_graph(whole)
        each = [optimum(part.tables) for part in components(tables)]
        assert least(graphs) == (None if None in each else sum(each))
        found[None in each] += 1
    assert min(found) > 3


# --- bounds


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("most", [2, 8])
def test_bounds_add_up(apart, most):
    rng = np.random.default_rng(0)
    several = 0
    for seed in SEEDS:
        tables = whole_of(seed, apart=apart, feasible=True)
        parts = components(tables, most)
        duals = [random_duals(part.tables, rng, int(rng.integers(0, 5))) for part in parts]
        together = duals_together(tables, parts, duals)
        assert together.scale == max(one.scale for one in duals)
        assert Priced(tables, together).bound == sum_of_bounds(tables, parts, duals)
        several += len(parts) > 1
    assert several > 10


def pair(cost):
    """Two components: a variable of large costs, and two that an edge joins."""
    return tables_of([2, 2, 2], [[0, cost], [0, 1], [0, 1]], [(1, 2, [[0, 1], [1, 0]])])


def edge_duals(parts, scale, number):
    """Duals whose one message is a number."""
    zeros = [Duals.zero(part.tables) for part in parts]
    return [replace(one, scale=scale if len(one.first) else 0, first=one.first + number) for one in zeros]


def test_scales_that_leave_64_bits_become_coarser():
    tables = pair(2**50)
    parts = components(tables)
    duals = edge_duals(parts, 20, 2**19 + 1)
    together = duals_together(tables, parts, duals)
    assert together.scale == 11
    assert Priced(tables, together).fault is None
    below = sum_of_bounds(tables, parts, duals) - Priced(tables, together).bound
    assert 0 <= below <= 4 * 2.0**-11


def test_numbers_that_would_wrap_around_become_no_finer():
    tables = pair(3)
    parts = components(tables)
    coarse, fine = edge_duals(parts, 0, 2**60), edge_duals(parts, 4, 0)
    finest = [replace(one, scale=4) if not len(one.first) else other for one, other in zip(fine, coarse, strict=True)]
    together = duals_together(tables, parts, finest)
    assert together.scale == 0
    assert Priced(tables, together).bound == sum_of_bounds(tables, parts, finest)


def test_where_no_scale_fits_they_say_nothing():
    tables = pair(2**61 - 1)
    parts = components(tables)
    duals = edge_duals(parts, 0, 2**60 + 1)
    together = duals_together(tables, parts, duals)
    assert not together.first.any()
    assert Priced(tables, together).bound <= optimum(tables)

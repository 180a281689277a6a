"""The programme, its linear relaxation, and the exact bound that its duals give."""

from __future__ import annotations

import math

import numpy as np
import pytest
from helpers import each
from random_tables import assignments, least, random_duals, random_tables

from formulations.local_polytope.coarse import above_least
from formulations.local_polytope.engine import HighsEngine
from formulations.local_polytope.programme import programme_of
from formulations.local_polytope.root import prices_of
from formulations.local_polytope.rows import exact_row_of, row_of
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.reduced_cost import consistent, possible
from hypar_opt.formulation.run import Limits


def drawn(seed, **others):
    """Return consistent tables, their layout and their programme."""
    tables = random_tables(seed, **others)
    layout = EdgeIndex.of(tables)
    tables = consistent(tables, layout)
    return (tables, layout, programme_of(tables)) if possible(tables) else (tables, layout, None)


def relaxed(tables, layout, programme, row, presolved=True):
    """Return the linear programme's least cost and the bound of its duals; None where it has none."""
    engine = HighsEngine(programme, Limits(workers=1), integral=False, presolved=presolved)
    engine.add(row(programme, number) for number in range(3))
    outcome = engine.solve()
    if outcome.status != "kOptimal":
        return None
    priced = prices_of(tables, layout, programme, outcome.duals, engine.prices(outcome.duals, 3))
    return float(programme.costs @ outcome.columns) + programme.constant, priced


@each("seed", range(30))
def test_with_all_rows_the_integer_programme_has_the_least_cost(seed):
    tables, _, programme = drawn(seed)
    expected = least(tables)
    if programme is None:
        assert expected is None
        return
    engine = HighsEngine(programme, Limits(workers=1), integral=True)
    engine.add(row_of(programme, number) for number in range(3))
    outcome = engine.solve()
    if expected is None:
        assert outcome.status == "kInfeasible"
        return
    choices = programme.choices(outcome.columns)
    assert tables.feasible(choices)
    assert tables.value(choices) == expected
    assert outcome.bound + programme.constant == pytest.approx(expected, abs=0.4)


@each("seed", range(30))
def test_duals_prove_what_the_linear_programme_says(seed):
    tables, layout, programme = drawn(seed, forbidden=0.05)
    if programme is None:
        return
    found = relaxed(tables, layout, programme, row_of)
    if found is None:
        assert least(tables) is None
        return
    linear, priced = found
    # a row's room is rounded down to a multiple of its unit, which the prices do not know
    units = max(row_of(programme, number).unit for number in range(3))
    assert priced.bound <= linear + 1e-6
    assert units > 1 or float(priced.bound) == pytest.approx(linear, abs=1e-3)
    assert least(tables) is None or math.ceil(priced.bound) <= least(tables)


@each("seed", range(30))
def test_under_messages_it_is_the_same_programme(seed):
    tables, layout, plain = drawn(seed, forbidden=0.05)
    if plain is None:
        return
    above, base = above_least(tables, random_duals(tables, seed))
    assert min(above.unary.min(), above.edges.min(initial=0)) == 0
    programme = programme_of(above).of_costs_before(base.duals)
    ends = []
    for one, besides in ((plain, 0), (programme, base.bound)):
        found = relaxed(tables, layout, one, exact_row_of, presolved=one is plain)
        if found is None:
            assert least(tables) is None
            return
        linear, priced = found
        ends += [linear + float(besides), float(priced.bound)]
    # rows are as they are, so that prices say all that the programme does
    assert ends == pytest.approx([ends[0]] * 4, abs=1e-3)


@each("seed", range(20))
def test_senseless_duals_prove_something_true(seed):
    tables, layout, programme = drawn(seed)
    if programme is None:
        return
    duals = np.random.default_rng(seed).normal(size=len(programme.right)) * 50
    priced = prices_of(tables, layout, programme, duals, np.array([0.5, -1.0, np.nan]))
    assert least(tables) is None or priced.bound <= least(tables)


@each("seed", range(20))
def test_the_columns_of_a_plan_are_read_as_that_plan(seed):
    tables, _, programme = drawn(seed)
    if programme is None:
        return
    for choices in assignments(tables):
        if tables.allowed(choices):
            solution = np.zeros(len(programme.costs))
            columns = programme.columns[tables.starts[:-1] + choices]
            solution[columns[columns >= 0]] = 1.0
            np.testing.assert_array_equal(programme.choices(solution), choices)

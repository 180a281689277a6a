"""Rows of memory under mixed-integer rounding: what every assignment keeps, and what the programme gains by them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from helpers import each
from random_tables import assignments, least, random_tables

from formulations.local_polytope import ROUNDED, Knowledge, concluded, mir_rows, root
from formulations.local_polytope.mir_rows import deepest, extended
from formulations.local_polytope.rows import taken_by, usage_of
from formulations.local_polytope.search import CoreSearch
from hypar_opt.costgraph import FORBIDDEN, Memory, Priced, Tables, graph_of
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status


def weights_of(tables, seed):
    """Return weights of the allowed values that sum up to 1 by variable; some are whole."""
    rng = np.random.default_rng(seed)
    raw = np.where(tables.unary < FORBIDDEN, rng.random(len(tables.unary)) ** 4, 0.0)
    raw[rng.random(len(raw)) < 0.2] *= 1e-9
    sums = np.add.reduceat(raw, tables.starts[:-1])
    return np.where(np.repeat(sums, tables.sizes) > 0, raw / np.repeat(np.where(sums > 0, sums, 1.0), tables.sizes), 0)


def roundings(tables, weights):
    return [row for number in range(3) for rows in mir_rows._of(tables, weights, number) for row in rows]


def used(row, tables, choices):
    return int(row.usages[tables.starts[:-1] + choices].sum())


def kept_by_all(tables, rows):
    """Return whether every assignment within the room keeps every row."""
    plans = [one for one in assignments(tables) if tables.allowed(one)]
    within = [(one, tables.memory.used(one) <= tables.memory.room) for one in plans]
    return all(used(row, tables, one) <= row.room for row in rows for one, fits in within if fits[row.number])


@each("seed", range(60), quick=15)
def test_every_assignment_within_the_room_keeps_every_rounding(seed):
    tables = random_tables(seed, variables=6)
    rows = roundings(tables, weights_of(tables, seed))
    assert all((row.usages >= 0).all() for row in rows)
    assert kept_by_all(tables, rows)


def test_a_rounding_of_one_too_little_is_broken():
    """What makes the test above one that can fail."""
    broken = 0
    for seed in range(20):
        tables = random_tables(seed, variables=6, forbidden=0.0)
        rows = roundings(tables, weights_of(tables, seed))
        broken += not kept_by_all(tables, [replace(row, room=row.room - 1) for row in rows])
    assert broken > 10  # where no assignment fills a row, one less is kept as well


@each("seed", range(30), quick=8)
def test_weights_break_it_as_deep_as_it_says_and_whole_values_do_not(seed):
    tables = random_tables(seed, variables=6, forbidden=0.0, room=12)
    weights = weights_of(tables, seed)
    for row in deepest(tables, weights, range(3)):
        assert row.depth > mir_rows.DEEP
        assert row.usages @ weights - row.room == pytest.approx(row.depth * np.linalg.norm(row.usages))
    plan = next((one for one in assignments(tables) if tables.feasible(one)), None)
    if plan is not None:
        whole = np.zeros(len(tables.unary))
        whole[tables.starts[:-1] + plan] = 1.0
        assert deepest(tables, whole, range(3)) == []


@each("seed", range(30), quick=8)
def test_tables_with_further_rows_allow_the_same(seed):
    tables = random_tables(seed, variables=6)
    rows = deepest(tables, weights_of(tables, seed), range(3))
    more = extended(tables, rows)
    assert more.memory.rows == 3 + len(rows)
    assert more.memory.moments[3:].tolist() == [row.number for row in rows]
    for number, row in enumerate(rows, start=3):
        np.testing.assert_array_equal(usage_of(more, number), row.usages)
    for one in assignments(tables):
        assert tables.feasible(one) == more.feasible(one)
        assert more.memory.used(one)[:3].tolist() == tables.memory.used(one).tolist()
        assert more.memory.used(one)[3:].tolist() == [used(row, tables, one) for row in rows]
        assert len(taken_by(more, one)) == more.memory.items


def test_of_rows_that_say_the_same_one_is_enough():
    tables = random_tables(4, variables=6, forbidden=0.0, room=11)
    memory = tables.memory
    alike = tables.replace(memory=replace(memory, spans=np.tile([0, 3], (memory.items, 1))))
    for seed in range(20):
        assert len(deepest(alike, weights_of(alike, seed), range(3))) <= 2  # one for either bases


def test_what_is_too_large_is_not_rounded():
    tables = random_tables(4, variables=6, forbidden=0.0, room=11)
    weights, memory = weights_of(tables, 5), tables.memory
    factor = 2 * mir_rows.LARGEST // int(memory.room[0])
    huge = tables.replace(memory=replace(memory, usages=memory.usages * factor, room=memory.room * factor))
    assert roundings(tables, weights)
    assert not roundings(huge, weights)


def nearly_equal():
    """Return four variables, whose usages of some 2^49 differ by millions: roundings leave very small differences."""
    memory = Memory(
        np.arange(4),
        np.array([[2, 3], [2, 5], [0, 1], [0, 4]]),
        np.array([0, 4, 5, 7, 11]),
        np.array(
            [
                *(492581211592213, 422212467540868, 5130595, 3176237),
                140737490414817,
                *(492581216707344, 140737496259882),
                *(422212465184662, 774056190483632, 351843724112148, 140737491990870),
            ]
        ),
        np.array([844424930131968, 492581209243648, 562949953421312, 774056185954304, 211106232532992]),
        np.arange(5),
    )
    unary = [
        *(FORBIDDEN, FORBIDDEN, 481036343555, -343597264609),
        -68719359252,
        *(-68719416136, 137439050756),
        *(-446676551567, -137438825006, -343597373409, -171798631279),
    ]
    none = np.zeros(0, dtype=np.int64)
    return Tables(np.array([4, 1, 2, 4]), np.array(unary), none.reshape(0, 2), none, memory, -1000000000)


def test_differences_that_a_solver_may_take_for_none_are_none():
    tables = nearly_equal()
    graph, shift = graph_of(tables)
    solution = load_formulation("milp-highs").solve(graph, Run("milp-highs", Limits(workers=1)))
    assert solution.status is Status.OPTIMAL
    assert solution.bound + shift == least(tables)
    rows = roundings(tables, weights_of(tables, 0)) + roundings(tables, weights_of(tables, 1))
    assert rows
    assert all(row.usages[row.usages > 0].min(initial=2**60) >= mir_rows.FINEST * row.usages.max() for row in rows)
    assert kept_by_all(tables, rows)


def relaxation(tables, plan=None):
    """Return the linear programme's end, and the search that it is of."""
    start = None if plan is None else tuple(map(int, plan))
    search = CoreSearch.of(Knowledge.of(tables, Run("milp-highs", Limits(workers=1), start)))
    search.narrow()
    search._relax()
    return search


@each("seed", range(60), quick=15)
def test_the_bound_is_exact_and_no_lower_than_without(seed):
    tables = random_tables(seed, variables=7, forbidden=0.0, room=13)
    best = least(tables)
    found = relaxation(tables)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root, "deepest", lambda *_: [])
        plain = relaxation(tables)
    assert best is None or found.priced.bound <= best
    assert found.priced.bound >= plain.priced.bound
    assert plain.known.bound == found.known.bound  # of which a certificate knows
    assert Priced(found.priced.tables, found.priced.duals).bound == found.priced.bound


def test_rounding_closes_much_of_what_memory_leaves_open():
    """A knapsack of parts that hardly differ: nearly 2.5 of them fit, and by rounding 2."""
    tables = random_tables(0, variables=7, most=1, forbidden=0.0)
    sizes = np.full(7, 2)
    memory = replace(
        tables.memory,
        spans=np.tile([0, 1], (7, 1)),
        starts=np.arange(8) * 2,
        usages=np.stack([20 + np.arange(7) % 2, np.zeros(7, dtype=np.int64)], axis=1).reshape(-1),
        room=np.array([50]),
        moments=np.array([0]),
    )
    gains = np.stack([np.zeros(7, dtype=np.int64), np.full(7, 100)], axis=1).reshape(-1)
    tables = tables.replace(
        sizes=sizes, unary=gains, ends=np.zeros((0, 2), dtype=np.int64), edges=gains[:0], memory=memory
    )
    found = relaxation(tables)
    assert found.tables.memory.rows > 1
    assert (least(tables), found.known.bound) == (500, 450)
    assert found.priced.bound > 499
    assert found.known.told == 500 == found.known.value


@pytest.mark.parametrize(
    ("reached", "gap", "pays"),
    [
        ([5.0], 100.0, True),
        ([5.0, 5.0], 100.0, True),  # the second rows may bring what the first have not
        ([0.0, 50.0, 52.0], 100.0, True),
        ([0.0, 50.0, 50.9], 100.0, False),  # little of the gap
        ([0.0, 500.0, 502.0], 100.0, False),  # little of what all have brought
        ([0.0, 50.0, 52.0], 0.0, True),  # no plan is known
    ],
)
def test_rounding_ends_where_it_brings_little(reached, gap, pays):
    assert root._pays(reached, gap) is pays


def test_the_gap_to_the_best_plan_says_whether_rounding_goes_on(monkeypatch):
    gaps, seen = [], set()

    def pays(reached, gap):
        gaps.append(gap)
        return False

    monkeypatch.setattr(root, "_pays", pays)
    for seed in range(12):
        gaps.clear()
        found = relaxation(random_tables(seed, variables=7, forbidden=0.0, room=13))
        value = found.known.value
        if gaps:
            assert gaps == [0.0 if value is None else float(value - found.priced.bound)]
            seen.add(value is None)
    assert seen == {True, False}


def test_a_bound_by_rounding_is_told_and_said_to_be_one():
    told = 0
    for seed in range(30):
        tables = random_tables(seed, variables=7, forbidden=0.0, room=13)
        plans = sorted((one for one in assignments(tables) if tables.feasible(one)), key=tables.value)
        if not plans:
            continue
        found = relaxation(tables, plans[0])
        solution = concluded(found)
        assert found.known.told is None or found.known.told <= tables.value(plans[0])
        if not found.closed:
            assert solution.bound == max(found.known.bound, found.known.told)
            assert (ROUNDED in solution.note) == (solution.bound > found.known.bound)
            told += ROUNDED in solution.note
    assert told


def test_without_a_plan_it_holds_for_all_of_them():
    known = 0
    for seed in range(40):
        tables = random_tables(seed, variables=7, forbidden=0.0, room=13)
        found = relaxation(tables)
        if found.known.value is None and not found.exhausted:
            assert found.known.told == math.ceil(found.priced.bound)
            known += found.known.told > found.known.bound
            assert least(tables) is None or found.known.told <= least(tables)
    assert known


def test_a_worse_plan_does_not_make_its_bound_wrong():
    """Rows are drawn up for what is left beside a plan; their bound holds for whatever is better than that."""
    for seed in range(30):
        tables = random_tables(seed, variables=6, forbidden=0.0, room=12)
        plans = sorted((one for one in assignments(tables) if tables.feasible(one)), key=tables.value)
        for plan in plans[:: max(1, len(plans) // 4)]:
            found = relaxation(tables, plan)
            assert found.known.told is None or found.known.told <= tables.value(plans[0])

"""What is left out of a core costs more than its reach."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from helpers import each
from random_tables import assignments, random_duals, random_tables

from hypar_opt.costgraph import FORBIDDEN, Priced, Tables
from hypar_opt.costgraph.duals import EdgeIndex
from hypar_opt.costgraph.reduced_cost import Excess, consistent, possible


@each("seed", range(40))
def test_a_core_has_every_plan_within_reach_of_the_bound(seed):
    tables = random_tables(seed)
    layout, priced = EdgeIndex.of(tables), Priced(tables, random_duals(tables, seed))
    excess = Excess.of(priced, layout)
    left_out = 0
    for reach in (1, 40, 160):
        core = excess.core(tables, layout, reach)
        for one in assignments(tables):
            if not tables.feasible(one):
                continue
            if tables.value(one) < priced.bound + Fraction(reach, 2**priced.duals.scale):
                assert core.allowed(one)
            left_out += not core.allowed(one)
    assert left_out or not any(map(tables.feasible, assignments(tables)))


@each("seed", range(20))
def test_without_a_reach_a_core_has_every_plan(seed):
    tables = random_tables(seed)
    layout = EdgeIndex.of(tables)
    core = Excess.of(Priced(tables, random_duals(tables, seed)), layout).core(tables, layout, None)
    for one in assignments(tables):
        assert core.allowed(one) == tables.allowed(one)


def test_a_value_without_a_partner_is_forbidden_and_so_are_those_that_need_it():
    tables = random_tables(0, forbidden=0.0)
    edges = tables.edges.copy()
    edges[tables.edge_starts[0] : tables.edge_starts[1]] = FORBIDDEN
    assert possible(consistent(tables, EdgeIndex.of(tables)))
    assert not possible(consistent(tables.replace(edges=edges), EdgeIndex.of(tables)))


def test_a_long_path_takes_as_many_looks_and_any_of_them_can_be_the_last():
    size = 40
    ends = np.stack([np.arange(size - 1), np.arange(1, size)], axis=1)
    unary = np.where(np.arange(2 * size) == 0, FORBIDDEN, 0)
    tables = Tables(np.full(size, 2), unary, ends, np.tile([0, FORBIDDEN, FORBIDDEN, 0], size - 1))
    for looks, forbidden in ((0, 1), (1, 2), (7, 8), (size, size)):
        left = iter(range(looks))
        found = consistent(tables, EdgeIndex.of(tables), lambda left=left: next(left, None) is None)
        assert np.count_nonzero(found.unary >= FORBIDDEN) == forbidden
    assert np.count_nonzero(consistent(tables, EdgeIndex.of(tables)).unary >= FORBIDDEN) == size


def test_a_star_says_more_than_its_parts():
    from hypar_opt.costgraph import Duals, Memory, Tables

    # three edges from the first variable, each of which makes its value 1 cost 4
    ends = np.array([[0, 1], [0, 2], [0, 3]])
    tables = Tables(np.full(4, 2), np.zeros(8, dtype=np.int64), ends, np.tile([0, 0, 4, 4], 3), Memory.none())
    layout = EdgeIndex.of(tables)
    excess = Excess.of(Priced(tables, Duals.zero(tables)), layout)
    assert excess.values.tolist() == [0, 12, 0, 0, 0, 0, 0, 0]
    assert excess.core(tables, layout, 10).unary[1] == FORBIDDEN

"""What is left out of a core costs more than its reach."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from random_tables import assignments, random_duals, random_tables

from formulations.local_polytope.core import Excess, consistent, possible
from formulations.local_polytope.layout import Layout
from hypar_opt.costgraph import FORBIDDEN, Priced


@pytest.mark.parametrize("seed", range(40))
def test_a_core_has_every_plan_within_reach_of_the_bound(seed):
    tables = random_tables(seed)
    layout, priced = Layout.of(tables), Priced(tables, random_duals(tables, seed))
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


@pytest.mark.parametrize("seed", range(20))
def test_without_a_reach_a_core_has_every_plan(seed):
    tables = random_tables(seed)
    layout = Layout.of(tables)
    core = Excess.of(Priced(tables, random_duals(tables, seed)), layout).core(tables, layout, None)
    for one in assignments(tables):
        assert core.allowed(one) == tables.allowed(one)


def test_a_value_without_a_partner_is_forbidden_and_so_are_those_that_need_it():
    tables = random_tables(0, forbidden=0.0)
    edges = tables.edges.copy()
    edges[tables.edge_starts[0] : tables.edge_starts[1]] = FORBIDDEN
    assert possible(consistent(tables, Layout.of(tables)))
    assert not possible(consistent(tables.replace(edges=edges), Layout.of(tables)))


def test_a_star_says_more_than_its_parts():
    from hypar_opt.costgraph import Duals, Memory, Tables

    # three edges from the first variable, each of which makes its value 1 cost 4
    ends = np.array([[0, 1], [0, 2], [0, 3]])
    tables = Tables(np.full(4, 2), np.zeros(8, dtype=np.int64), ends, np.tile([0, 0, 4, 4], 3), Memory.none())
    layout = Layout.of(tables)
    excess = Excess.of(Priced(tables, Duals.zero(tables)), layout)
    assert excess.values.tolist() == [0, 12, 0, 0, 0, 0, 0, 0]
    assert excess.core(tables, layout, 10).unary[1] == FORBIDDEN

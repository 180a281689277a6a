"""Which cores are searched: ever larger ones, but none that is nearly all that is left before all of it is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from helpers import each
from random_tables import least, random_tables

from formulations.local_polytope import search as searching
from formulations.local_polytope.known import Knowledge
from formulations.local_polytope.search import CoreSearch
from hypar_opt.costgraph.reduced_cost import size
from hypar_opt.formulation.run import Limits, Run

pytestmark = pytest.mark.usefixtures("unrounded")


def searched(tables, monkeypatch):
    """Return a search that has ended, and each of its cores: its size, that of all that was left, how far it reaches.

    That is the cost that its reach goes to, above the bound; without an end for all.
    """
    sizes = []
    true = CoreSearch._solve

    def solved(search, core, reach):
        far = np.inf if reach is None else search.priced.bound + Fraction(reach, 2**search.priced.duals.scale)
        sizes.append((size(core), size(search.tables), far))
        true(search, core, reach)

    with monkeypatch.context() as patched:
        patched.setattr(CoreSearch, "_solve", solved)
        search = CoreSearch.of(Knowledge.of(tables, Run("milp-highs", Limits(workers=1))))
        search.run()
    return search, sizes


@each("seed", range(20), quick=4)
def test_a_core_of_nearly_everything_is_not_searched_before_everything_is(seed, monkeypatch):
    tables = random_tables(seed, variables=8, most=4, forbidden=0.0, room=16)
    search, sizes = searched(tables, monkeypatch)
    assert search.exhausted or search.closed
    assert search.known.value == least(tables)
    assert all(core <= 0.9 * left for core, left, _ in sizes[:-1])


def test_no_core_reaches_less_far_than_one_before_it(monkeypatch):
    """A first plan makes the gap so small that a larger share of it would reach no further."""
    monkeypatch.setattr(searching, "NEARLY", 1.0)
    several = 0
    for seed in range(12):
        tables = random_tables(seed, variables=8, most=4, forbidden=0.0, room=16)
        search, cores = searched(tables, monkeypatch)
        assert search.known.value == least(tables)
        reaches = [far for _, _, far in cores]
        assert reaches[:-1] == sorted(set(reaches[:-1]))  # the last is all that is left, whatever its reach
        several += len(cores) > 2
    assert several


def test_what_counts_as_nearly_everything_says_how_many_are_searched(monkeypatch):
    many = {0.0: 0, 1.0: 0}
    for nearly in many:
        monkeypatch.setattr(searching, "NEARLY", nearly)
        for seed in range(8):
            tables = random_tables(seed, variables=8, most=4, forbidden=0.0, room=16)
            search, sizes = searched(tables, monkeypatch)
            assert search.known.value == least(tables)
            many[nearly] += len(sizes)
    assert many[0.0] < many[1.0]

"""Single windows: they are trees, and what they change costs no more."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each

from formulations.neighbourhood_search.descent import descend
from formulations.neighbourhood_search.layout import layout_of
from formulations.neighbourhood_search.trees import grow
from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import Memory, Tables, offsets
from tests.instance.strategy_graph.drawing import draw


@pytest.mark.parametrize("broad", [False, True])
@each("seed", range(10), quick=3)
def test_a_window_is_a_tree_whose_members_hang_on_earlier_ones(seed, broad):
    layout = layout_of(compile_graph(draw(seed, most_nodes=9, hard=True)))
    count = len(layout.starts) - 1
    members, hangs, place = np.empty(count, np.int64), np.empty(count, np.int64), np.full(count, -1)
    size = grow(layout, seed % count, count, broad, np.random.default_rng(seed), members, hangs, place)
    assert members[0] == seed % count
    assert hangs[0] == -1
    assert sorted(place[members[:size]]) == list(range(size))
    for k in range(1, size):
        arcs = range(layout.arcs[members[k]], layout.arcs[members[k] + 1])
        assert [arc for arc in arcs if 0 <= place[layout.others[arc]] < k] == [hangs[k]]


def test_what_fits_at_a_price_and_costs_more_is_not_taken():
    """One of two variables has the memory; the price at which both having it ties lets neither having it tie, too."""
    rows = np.array([[0, 1], [0, 1]])
    usages = np.array([0, 5, 0, 5])
    memory = Memory(np.array([0, 1]), rows, offsets(np.array([2, 2])), usages, np.array([5]), np.array([0]))
    tables = Tables(np.full(2, 2), np.array([4, 0, 9, 0]), np.array([[0, 1]]), np.zeros(4, dtype=np.int64), memory)
    for seed in range(10):
        choices, used = np.array([1, 0]), np.array([5])
        change = descend(layout_of(tables), choices, used, 1, 0.0, np.random.default_rng(seed))
        assert change <= 0.0
        assert change == tables.value(choices) - 9

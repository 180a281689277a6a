"""Variables of many values, and many edges of one shape: what the steps find there, and in how many looks."""

from __future__ import annotations

import numpy as np
import pytest
from helpers import each

from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.costgraph.presolve import sums as flat
from hypar_opt.costgraph.presolve.sums import blocks, same_shape
from hypar_opt.costgraph.presolve.value_removal import drop_dominated
from tests.costgraph.presolve.presolve_checks import tables_of


def drawn(seed):
    """Return a triangle of tables whose rows are often alike, some pairs forbidden, one variable with memory."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 9, 3)
    edges = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        matrix = rng.integers(0, 3, (sizes[first], sizes[second]))
        matrix[rng.random(matrix.shape) < 0.1] = FORBIDDEN
        matrix[:, 0] = matrix[0] = 1  # every value has a partner, as after the steps before
        edges.append((first, second, matrix))
    items = [(0, 0, 1, rng.integers(0, 3, sizes[0]))]
    return tables_of(sizes, [rng.integers(0, 3, size) for size in sizes], edges, items, [1])


def dominates(tables, variable, b, a):
    """Return whether value b dominates value a, by the formula in `value_removal`."""
    total = int(tables.own(variable)[b]) - int(tables.own(variable)[a])
    for edge, ends in enumerate(tables.ends.tolist()):
        if variable in ends:
            table = tables.table(edge) if ends[0] == variable else tables.table(edge).T
            counts = table[a] < FORBIDDEN
            if (table[b][counts] >= FORBIDDEN).any():
                return False
            total += int((table[b] - table[a])[counts].max())
    memory = tables.memory
    held = [memory.of(item) for item in np.flatnonzero(memory.holders == variable)]
    return total <= 0 and all(use[b] <= use[a] for use in held)


@each("seed", range(30))
def test_the_values_that_go_are_those_that_one_that_stays_dominates(seed):
    tables = drawn(seed)
    made = drop_dominated(tables)
    instead = np.arange(len(tables.unary)) if made is None else made[1].instead
    for variable in range(tables.count):
        start, size = int(tables.starts[variable]), int(tables.sizes[variable])
        stay = [a for a in range(size) if instead[start + a] == start + a]
        for a in range(size):
            found = [b for b in stay if b != a and dominates(tables, variable, b, a)]
            assert (a in stay) == (not found)
            assert a in stay or int(instead[start + a]) - start in found


def test_among_those_tables_are_values_that_go_and_some_that_stay():
    gone = [made[1].removed if (made := drop_dominated(drawn(seed))) else 0 for seed in range(30)]
    assert sum(gone) > 50
    assert all(one < len(drawn(seed).unary) - 3 for seed, one in enumerate(gone))


class Counted(np.ndarray):
    """A table that counts how many of its entries are looked at."""

    looks = 0

    def __getitem__(self, where):
        Counted.looks += 1
        return int(np.asarray(self)[where])


def test_the_first_difference_that_is_too_large_settles_a_pair_of_values():
    from hypar_opt.costgraph.presolve.dominance_loops import _mins, _never_costs_more

    costs = np.random.default_rng(0).integers(0, 10**6, (2, 3000))
    least = mins = costs.min(axis=1)
    b, a = (0, 1) if least[0] <= least[1] else (1, 0)
    rows = [costs.view(Counted)]
    Counted.looks = 0
    assert not _never_costs_more.py_func(a, b, least, rows, mins.reshape(2, 1))
    assert Counted.looks < 60  # four a pair of entries; there are 3000
    assert _mins.py_func(2, [costs])[:, 0].tolist() == mins.tolist()


@pytest.mark.parametrize("most", [1, 6, 13, 10**6])
def test_edges_of_one_shape_come_in_parts_that_are_not_too_large(most, monkeypatch):
    monkeypatch.setattr(flat, "MOST", most)
    sizes = np.random.default_rng(1).integers(1, 4, (50, 2))
    parts = list(same_shape(sizes))
    assert sorted(np.concatenate(parts).tolist()) == list(range(50))
    for part in parts:
        assert len({tuple(one) for one in sizes[part].tolist()}) == 1
        assert len(part) == 1 or len(part) * int(sizes[part[0]].prod()) <= most


def test_steps_on_parts_are_steps_on_the_whole(monkeypatch):
    tables = drawn(3)
    whole = {edge: costs.tolist() for group, found in blocks(tables) for edge, costs in zip(group, found, strict=True)}
    monkeypatch.setattr(flat, "MOST", 1)
    parts = {edge: costs.tolist() for group, found in blocks(tables) for edge, costs in zip(group, found, strict=True)}
    assert whole == parts

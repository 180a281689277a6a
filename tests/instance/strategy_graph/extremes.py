"""Strategy graphs at the ends of what a file may hold: small enough to try every plan of, or as large as they say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise

import numpy as np

from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph

ENDLESS = 2**63 - 1


def graph_of(sizes, ends, costs, usages, intervals, limit, edge_costs) -> StrategyGraph:
    """Return a graph; numbers that are no lists count for all.

    Parameters
    ----------
    costs, usages, edge_costs
        Called with how many are needed.
    """
    sizes, ends = np.array(sizes, dtype=np.int64), np.array(ends, dtype=np.int64).reshape(-1, 2)
    entries = int((sizes[ends[:, 0]] * sizes[ends[:, 1]]).sum())
    parts = [
        np.asarray(draw(int(count)), dtype=np.int64)
        for draw, count in ((costs, sizes.sum()), (usages, sizes.sum()), (edge_costs, entries))
    ]
    intervals = np.array(intervals, dtype=np.int64).reshape(-1, 2)
    return StrategyGraph("extreme", "", intervals, sizes, *parts[:2], ends, parts[2], limit)


def _drawn(most, seed=0):
    """Return what draws numbers from 0 to below a number."""
    return lambda count: np.random.default_rng(seed).integers(0, most, count)


def _same(number):
    return lambda count: np.full(count, number)


def small() -> dict[str, StrategyGraph]:
    """Return small ones by what is extreme in them."""
    path, sizes, always = [*pairwise(range(4))], [3] * 4, [[0, 5]] * 4
    cost, usage, edge = _drawn(20, 1), _drawn(9, 2), _drawn(30, 3)
    many = [[0, 1], [1, 2]]
    return {
        "nothing": graph_of([], [], cost, usage, [], 5, edge),
        "a single node": graph_of([5], [], cost, usage, [[0, 1]], 5, edge),
        "no edges": graph_of(sizes, [], cost, usage, always, 14, edge),
        "a limit that limits nothing": graph_of(sizes, path, cost, usage, always, ENDLESS, edge),
        "no usages": graph_of(sizes, path, cost, _same(0), always, 0, edge),
        "no room": graph_of(sizes, path, cost, _drawn(2, 10), always, 0, edge),
        "one row": graph_of(sizes, [*path, (0, 3)], cost, usage, always, 14, edge),
        "disjoint intervals": graph_of(sizes, [*path, (0, 3)], cost, usage, [[i, i + 1] for i in range(4)], 5, edge),
        "nested intervals": graph_of(sizes, [*path, (0, 3)], cost, usage, [[i, 9 - i] for i in range(4)], 14, edge),
        "a clique": graph_of([3] * 5, [*combinations(range(5), 2)], cost, usage, [[0, 5]] * 5, 16, edge),
        "a star": graph_of([4] + [2] * 6, [(0, i) for i in range(1, 7)], cost, usage, [[0, 5]] * 7, 22, edge),
        "one node of many": graph_of([200, 2, 2], many, _drawn(9, 4), usage, [[0, 5]] * 3, 12, _drawn(9, 5)),
        "few distinct costs": graph_of([9, 9, 9], [*many, [0, 2]], _same(0), usage, [[0, 5]] * 3, 4, _drawn(2, 6)),
        "all costs equal": graph_of(sizes, [*path, (0, 3)], _same(7), usage, always, 14, _same(7)),
        "below 0": graph_of(sizes, [*path, (0, 3)], lambda n: -cost(n), usage, always, 14, lambda n: -edge(n)),
        "costs of 10^17": graph_of(sizes, path, _drawn(10**17), usage, always, 14, _drawn(10**17, 7)),
        "usages of 10^18": graph_of(sizes, [*path, (0, 3)], cost, _drawn(2 * 10**18, 2), always, 3 * 10**18, edge),
        "times of 2^63": graph_of(sizes, [*path, (0, 3)], cost, usage, [[-(2**63), ENDLESS]] * 3 + [[0, 1]], 14, edge),
        "all forbidden": graph_of(sizes, path, cost, usage, always, 14, _same(FORBIDDEN_COST)),
        "a pair of each allowed": graph_of(sizes, path, cost, usage, always, 30, _ties),
    }


def _ties(count):
    """Return matrices of three by three that allow the first pair alone."""
    return np.where(np.arange(count) % 9 == 0, 1, FORBIDDEN_COST)


def large() -> dict[str, Callable[[], StrategyGraph]]:
    """Return what makes large ones, by what is extreme in them; all have plans."""
    cost, usage, edge = _drawn(1000, 1), _drawn(50, 2), _drawn(1000, 3)
    hub = [(0, i) for i in range(1, 5001)]
    chain = [*pairwise(range(3000))]
    wide, clique = [*combinations(range(6), 2)], [*combinations(range(60), 2)]
    return {
        "a star of degree 5,000": partial(graph_of, [20] + [3] * 5000, hub, cost, usage, [[0, 9]] * 5001, 90000, edge),
        "a clique of 60": partial(graph_of, [4] * 60, clique, cost, usage, [[0, 9]] * 60, 800, edge),
        "3,000 strategies": partial(graph_of, [3000, 3000, 9], [(0, 1), (1, 2)], cost, usage, [[0, 9]] * 3, 30, edge),
        "few distinct costs": partial(graph_of, [178] * 6, wide, _same(0), usage, [[0, 9]] * 6, 30, _drawn(3, 4)),
        "one row": partial(graph_of, [4] * 3000, chain, cost, usage, [[0, 9]] * 3000, 45000, edge),
        "as many rows as nodes": partial(
            graph_of, [4] * 3000, chain, cost, usage, [[i, i + 300] for i in range(3000)], 4500, edge
        ),
    }

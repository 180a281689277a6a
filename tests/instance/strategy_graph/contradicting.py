"""Strategy graphs without a plan, and what all their plans, looked at one by one, say of why."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, count, islice

import numpy as np

from hypar_opt.evaluation.strategy_graph import shortage
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph
from hypar_opt.solver.infeasibility.conflict import OracleAnswer
from tests.instance.strategy_graph.drawing import TIMES, draw, plans


def table(graph: StrategyGraph) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return all plans, whether each has nothing forbidden, what it costs, and what it uses by time."""
    every = plans(graph) if graph.nodes else np.zeros((1, 0), dtype=np.int64)
    own = graph.costs[graph.starts[:-1] + every]
    first, second = graph.ends[:, 0], graph.ends[:, 1]
    alone = second < 0
    entries = np.where(alone, every[:, first], every[:, first] * graph.sizes[second] + every[:, second])
    costs = np.hstack([own, graph.edge_costs[graph.edge_starts[:-1] + entries]])
    times = np.arange(graph.intervals.max(initial=TIMES))
    live = (graph.intervals[:, :1] <= times) & (times < graph.intervals[:, 1:])
    used = graph.usages[graph.starts[:-1] + every] @ live.astype(np.int64)
    return every, (costs < FORBIDDEN_COST).all(axis=1), costs.sum(axis=1), used


@dataclass
class Everything:
    """Answers by trying every plan, so often at most."""

    most: int | None = None
    asked: list[StrategyGraph] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return self.most is not None and len(self.asked) >= self.most

    def __call__(self, graph: StrategyGraph) -> OracleAnswer:
        if self.over:
            return OracleAnswer()
        self.asked.append(graph)
        every, allowed, costs, used = table(graph)
        fits = allowed & (used <= graph.usage_limit).all(axis=1)
        if not fits.any():
            return OracleAnswer(nothing=True)
        best = np.flatnonzero(fits)[costs[fits].argmin()]
        return OracleAnswer(tuple(every[best].tolist()), int(costs[best]))


def without_plan(seeds: range) -> list[StrategyGraph]:
    """Return those that are drawn, have no plan, and least usages that fit."""
    graphs = [draw(seed, 5, hard=True) for seed in seeds]
    return [graph for graph in graphs if shortage(graph) is None and Everything()(graph).nothing]


def rare(seed: int) -> StrategyGraph:
    """Return one in which some pairs that use little are forbidden, so that limits contradict each other."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 4, 5)
    usages = rng.integers(0, 9, int(sizes.sum()))
    starts = rng.permutation(5)
    ends = np.array([pair for pair in combinations(range(5), 2) if rng.random() < 0.6] or [(0, 1)])
    own = np.split(usages, np.cumsum(sizes)[:-1])
    pairs = [np.add.outer(own[first], own[second]).reshape(-1) for first, second in ends]
    costs = np.where(np.concatenate(pairs) < rng.integers(6, 10), FORBIDDEN_COST, 1)
    intervals = np.stack([starts, starts + rng.integers(1, 3, 5)], axis=1)
    limit = int(rng.integers(3, 9))
    return StrategyGraph(f"rare-{seed}", "", intervals, sizes, np.zeros_like(usages), usages, ends, costs, limit)


@cache
def rare_without_plan() -> list[StrategyGraph]:
    found = (graph for seed in count() if shortage(graph := rare(seed)) is None and Everything()(graph).nothing)
    return list(islice(found, 40))


def check(graph, conflict):
    """Check by all plans that a conflict is one, that it names nothing needless, and its figures."""
    _, allowed, _, used = table(graph)
    assert conflict.available == graph.usage_limit
    if not conflict.times:
        assert not allowed.any()
        return
    assert conflict.nodes == ()
    fits = used <= graph.usage_limit
    first, others = conflict.times[0], list(conflict.times[1:])
    assert list(conflict.times) == sorted(set(conflict.times))
    assert not (allowed & fits[:, conflict.times].all(axis=1)).any()
    for time in conflict.times:
        assert (allowed & fits[:, [one for one in conflict.times if one != time]].all(axis=1)).any()
    if conflict.needed is not None:
        least = used[allowed & fits[:, others].all(axis=1), first].min()
        assert graph.usage_limit < conflict.needed <= least
        assert conflict.enough == (conflict.needed == least)


def star(times: list[int], idle: int = 3) -> StrategyGraph:
    """Return one that can keep to the limit at all times but one, whichever: its hub rules out one node's low usage.

    Besides it has nodes that may use too much at other times, and need not.
    """
    many = len(times)
    sizes = np.array([many, *[2] * (many + idle)])
    usages = np.array([0] * many + [7, 20] * many + [0, 50] * idle)
    starts = np.array([0, *times, *range(10**4, 10**4 + idle)])
    ends = np.array([(0, node) for node in range(1, many + 1)])
    costs = np.zeros((many, many, 2), dtype=np.int64)
    costs[range(many), range(many), 0] = FORBIDDEN_COST
    intervals = np.stack([starts, starts + 1], axis=1)
    return StrategyGraph("star", "", intervals, sizes, np.zeros_like(usages), usages, ends, costs.reshape(-1), 10)


@cache
def drawn_without_plan() -> list[StrategyGraph]:
    return without_plan(range(300))


@cache
def all_without_plan() -> list[StrategyGraph]:
    return drawn_without_plan() + rare_without_plan()

"""Random strategy graphs small enough to try every plan of, with all that such files may hold.

Parallel, reverse and loop edges, edges of one node, edges that tie two nodes, forbidden entries, empty intervals,
negative costs; limits on memory that bind, and some that leave no plan.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph

TIMES = 6


KINDS = {False: [0.4, 0.2, 0.2, 0.2], True: [0.94, 0.02, 0.02, 0.02]}
"""How often an edge's matrix is free, separable, sparse in what it allows, or a tie; of hard graphs mostly free."""


def draw(seed: int, most_nodes: int = 6, most_strategies: int = 3, hard: bool = False) -> StrategyGraph:
    """Return the strategy graph of a seed.

    Parameters
    ----------
    hard
        Whether presolve is to leave some of it: as many nodes as there may be, more edges, few of them simple.
    """
    rng = np.random.default_rng(seed)
    nodes = int(rng.integers(most_nodes if hard else 1, most_nodes + 1))
    sizes = rng.integers(2 if hard else 1, most_strategies + 1, nodes)
    count = int(sizes.sum())
    costs = rng.integers(-5, 20, count)
    costs[rng.random(count) < rng.choice([0.0, 0.1])] = FORBIDDEN_COST + 3
    usages = rng.integers(0, 6, count) * rng.integers(0, 2, count)
    intervals = np.sort(rng.integers(0, TIMES, (nodes, 2)), axis=1)
    ends = [_ends(rng, nodes) for _ in range(int(rng.integers(2 * nodes if hard else 0, 2 * nodes + 1)))]
    widths = [int(sizes[second]) if second >= 0 else 1 for _, second in ends]
    tables = [_table(rng, int(sizes[ends[e][0]]), width, KINDS[hard]) for e, width in enumerate(widths)]
    least = np.minimum.reduceat(usages, np.cumsum(sizes) - sizes)
    needed = max(sum(int(u) for u, (a, b) in zip(least, intervals, strict=True) if a <= t < b) for t in range(TIMES))
    limit = max(0, needed + int(rng.choice([-1, 0, 1, 2, 4, 20], p=[0.05, 0.1, 0.2, 0.3, 0.25, 0.1])))
    return StrategyGraph(
        f"drawn-{seed}",
        "",
        intervals.astype(np.int64),
        sizes.astype(np.int64),
        costs.astype(np.int64),
        usages.astype(np.int64),
        np.array(ends, dtype=np.int64).reshape(-1, 2),
        np.fromiter(chain.from_iterable(tables), dtype=np.int64),
        limit,
    )


def _ends(rng: np.random.Generator, nodes: int) -> tuple[int, int]:
    first, second = (int(one) for one in rng.integers(0, nodes, 2))
    return (first, -1) if rng.random() < 0.1 else (first, second)


def _table(rng: np.random.Generator, rows: int, columns: int, often: list[float]) -> list[int]:
    """Return a matrix as a list."""
    costs = rng.integers(-5, 20, (rows, columns))
    kind = rng.choice(["free", "separable", "sparse", "tie"], p=often)
    if kind == "separable":
        costs = costs[:, :1] + costs[:1, :]
    banned = np.zeros((rows, columns), dtype=bool)
    if kind == "sparse":
        banned = rng.random((rows, columns)) < 0.3
    if kind == "tie":
        allowed = rng.permutation(rows) if rows == columns else rng.integers(0, columns, rows)
        banned = np.arange(columns) != allowed[:, None]
    costs[banned] = FORBIDDEN_COST + rng.integers(0, 2, int(banned.sum()))
    return [int(one) for one in costs.reshape(-1)]


def plans(graph: StrategyGraph) -> np.ndarray:
    """Return every choice of strategies; shape (plans, nodes)."""
    return np.indices(tuple(graph.sizes)).reshape(graph.nodes, -1).T


def cost(graph: StrategyGraph, choices: np.ndarray) -> int | None:
    """Return what a plan costs; None if it is not allowed or does not fit."""
    return costs(graph, choices[np.newaxis])[0]


def costs(graph: StrategyGraph, many: np.ndarray) -> list[int | None]:
    """Return what each of many plans costs, shape (plans, nodes); None if it is not allowed or does not fit."""
    first, second = graph.ends.T
    alone = second < 0
    own = graph.starts[:-1] + many
    widths = np.where(alone, 1, graph.sizes[second])
    pairs = graph.edge_starts[:-1] + many[:, first] * widths + np.where(alone, 0, many[:, second])
    terms = np.concatenate([graph.costs[own], graph.edge_costs[pairs]], axis=1)
    kept = (terms < FORBIDDEN_COST).all(axis=1)
    for time in set(graph.intervals[:, 0].tolist()):  # nothing more is in use than when something has begun
        live = (graph.intervals[:, 0] <= time) & (time < graph.intervals[:, 1])
        kept &= _sums(graph.usages[own[:, live]]) <= graph.usage_limit
    found = iter(_sums(terms[kept]).tolist())
    return [next(found) if one else None for one in kept.tolist()]


def _sums(table: np.ndarray) -> np.ndarray:
    """Return the sums of rows, as Python's integers where they may be beyond 64 bits."""
    fits = not table.size or int(np.abs(table).max()) * table.shape[1] < 2**63
    return (table if fits else table.astype(object)).sum(axis=1)


def best(graph: StrategyGraph) -> tuple[int, np.ndarray] | None:
    """Return the least cost of a plan, and such a plan; None if there is none."""
    every = plans(graph)
    found = [(total, number) for number, total in enumerate(costs(graph, every)) if total is not None]
    return (min(found)[0], every[min(found)[1]]) if found else None

"""Seeded strategy graphs of the benchmark's character, with many strategies a node.

Operators stand in a chain with gaps, and some read from further back. A strategy is a layout: which of the dimensions
each of the machine's axes splits. Usages are what a layout leaves of a tensor, costs of an edge what it takes to go
from one layout to another: few distinct numbers, many of them equal. Parameters are live always, other tensors until
they are read last. The limit is some per cent above the least peak.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from hypar_opt.evaluation.strategy_graph import least_use
from hypar_opt.instance.strategy_graph import FORBIDDEN_COST, StrategyGraph

DIMENSIONS = 6
"""The last of them stands for none."""
AXES = (8, 4, 2)
"""By axis of the machine, the accelerators along it."""
LAYOUTS = np.indices((DIMENSIONS,) * len(AXES)).reshape(len(AXES), -1).T
"""All: by axis, the dimension that it splits."""


def wide(seed: int, nodes: int = 300, sizes: tuple[int, int] = (20, 178), slack: float = 0.1) -> StrategyGraph:
    """Return the graph of a seed.

    Parameters
    ----------
    sizes
        The least and the most strategies of a node; a tenth of the nodes have one only.
    slack
        By what share of the least peak the limit is above it.
    """
    rng = np.random.default_rng(seed)
    counts = np.where(rng.random(nodes) < 0.1, 1, rng.integers(sizes[0], sizes[1] + 1, nodes))
    tensors = 2 ** rng.integers(8, 16, nodes) * 1000
    layouts = [LAYOUTS[np.sort(rng.permutation(len(LAYOUTS))[:count])] for count in counts]
    parts = [np.where(one < DIMENSIONS - 1, AXES, 1).prod(axis=1) for one in layouts]
    usages = [tensor // split for tensor, split in zip(tensors, parts, strict=True)]
    costs = [
        split * tensor * rng.integers(0, 9, len(split)) // 1000 for tensor, split in zip(tensors, parts, strict=True)
    ]
    ends = _ends(rng, nodes)
    edges = [_moved(rng, int(tensors[first]), layouts[first], layouts[second]) for first, second in ends]
    graph = StrategyGraph(
        f"wide-{seed}",
        "",
        _intervals(rng, nodes, ends),
        counts.astype(np.int64),
        np.concatenate(costs).astype(np.int64),
        np.concatenate(usages).astype(np.int64),
        np.array(ends, dtype=np.int64).reshape(-1, 2),
        np.concatenate([one.reshape(-1) for one in edges]).astype(np.int64),
        0,
    )
    return replace(graph, usage_limit=int(least_use(graph)[1] * (1 + slack)))


def _ends(rng: np.random.Generator, nodes: int) -> list[tuple[int, int]]:
    """Return a chain with gaps, every third node's second reading, mostly of something near, and some edges twice."""
    chain = [(node - 1, node) for node in range(1, nodes) if rng.random() < 0.9]
    back = [max(0, node - 2 - int(rng.pareto(0.7))) for node in range(nodes)]
    skips = [(back[node], node) for node in range(2, nodes) if rng.random() < 0.35]
    again = [(second, first) for first, second in chain if rng.random() < 0.03]
    return [*chain, *skips, *again]


def _moved(rng: np.random.Generator, tensor: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return what it costs to change layouts: by axis, nothing where they agree; a few changes are forbidden."""
    each = rng.integers(1, 9, (len(AXES), DIMENSIONS, DIMENSIONS)) * tensor // 100
    each[:, np.arange(DIMENSIONS), np.arange(DIMENSIONS)] = 0
    if rng.random() < 0.1:
        each[0, 0, 1] = FORBIDDEN_COST
    costs = sum(each[axis][first[:, None, axis], second[None, :, axis]] for axis in range(len(AXES)))
    return np.minimum(costs, FORBIDDEN_COST)


def _intervals(rng: np.random.Generator, nodes: int, ends: list[tuple[int, int]]) -> np.ndarray:
    """Return from when to when every node's tensor is live: until its last reader; a fifth of them always."""
    until = np.arange(nodes) + 1
    for first, second in ends:
        until[min(first, second)] = max(until[min(first, second)], max(first, second) + 1)
    start = np.arange(nodes)
    always = rng.random(nodes) < 0.2
    spans = np.stack([np.where(always, 0, start), np.where(always, nodes, until)], axis=1)
    return spans.astype(np.int64)

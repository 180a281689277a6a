"""Reading strategy graphs."""

from __future__ import annotations

import gzip
import hashlib
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.strategy_graph.graph import StrategyGraph

if TYPE_CHECKING:
    from pathlib import Path


def read_strategy_graph(path: Path) -> StrategyGraph:
    """Read a strategy graph, compressed by gzip or not.

    Raises
    ------
    InputError
        If something is wrong in it.
    """
    import msgspec

    content = path.read_bytes()
    content = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
    problem = msgspec.json.decode(content)["problem"]
    nodes, edges = problem["nodes"], problem["edges"]
    ends = [(*pair, -1)[:2] for pair in edges["nodes"]]
    return StrategyGraph(
        problem.get("name", path.name),
        hashlib.sha256(content).hexdigest(),
        np.array(nodes["intervals"], dtype=np.int64).reshape(-1, 2),
        np.array([len(one) for one in nodes["costs"]], dtype=np.int64),
        _flat(nodes["costs"]),
        _flat(nodes["usages"]),
        np.array(ends, dtype=np.int64).reshape(-1, 2),
        _flat(edges["costs"]),
        problem["usage_limit"],
        path,
    )


def _flat(lists: list[list[int]]) -> np.ndarray:
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64)

"""Writing strategy graphs, in the form in which they are read."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from hypar_opt.util.files import atomically

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.strategy_graph.graph import Integers, StrategyGraph


def write_strategy_graph(graph: StrategyGraph, path: Path) -> None:
    """Write a strategy graph as JSON, compressed where the file's name ends in .gz; equal graphs make equal files.

    Raises
    ------
    InputError
        If the place cannot be written to; what was there before is left as it was.
    """
    import msgspec

    content = msgspec.json.encode({"problem": _problem(graph)}) + b"\n"
    with atomically(path) as stream:
        stream.write(gzip.compress(content, mtime=0) if path.name.endswith(".gz") else content)


def _problem(graph: StrategyGraph) -> dict[str, Any]:
    return {
        "name": graph.name,
        "nodes": {
            "intervals": graph.intervals.tolist(),
            "costs": _parts(graph.costs, graph.starts),
            "usages": _parts(graph.usages, graph.starts),
        },
        "edges": {
            "nodes": [[node for node in ends if node >= 0] for ends in graph.ends.tolist()],
            "costs": _parts(graph.edge_costs, graph.edge_starts),
        },
        "usage_limit": graph.usage_limit,
    }


def _parts(values: Integers, starts: Integers) -> list[list[int]]:
    return [values[start:end].tolist() for start, end in pairwise(starts.tolist())]

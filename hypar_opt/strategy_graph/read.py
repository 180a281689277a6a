"""Reading strategy graphs."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.errors import InputError
from hypar_opt.strategy_graph.graph import StrategyGraph
from hypar_opt.strategy_graph.unpacking import unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from hypar_opt.strategy_graph.graph import Integers
    from hypar_opt.strategy_graph.schema import Edges, Nodes


def read_strategy_graph(path: Path) -> StrategyGraph:
    """Read and check a strategy graph, compressed by gzip or not; docs/strategy-graphs.md has the format.

    Raises
    ------
    InputError
        If something is wrong in it; names the file and, as far as it is JSON, the field.
    """
    import hashlib

    import msgspec

    from hypar_opt.strategy_graph.checking import check_edges, check_nodes
    from hypar_opt.strategy_graph.decoding import check_no_duplicates, decode
    from hypar_opt.strategy_graph.schema import Document

    content = unpacked(path)
    problem = decode(content, msgspec.json.Decoder(Document), path).problem
    check_no_duplicates(content, path)
    nodes, edges = problem.nodes, problem.edges
    check_nodes(nodes, path)
    check_edges(edges, len(nodes.costs), path)
    return StrategyGraph(
        _name(path) if problem.name is msgspec.UNSET else problem.name,
        hashlib.sha256(content).hexdigest(),
        np.array(nodes.intervals, dtype=np.int64).reshape(-1, 2),
        np.array([len(one) for one in nodes.costs], dtype=np.int64),
        _flat(nodes.costs),
        _flat(nodes.usages),
        np.array([(*ends, -1)[:2] for ends in edges.nodes], dtype=np.int64).reshape(-1, 2),
        _edge_costs(edges, [len(one) for one in nodes.costs], path),
        _enough(nodes, path) if problem.usage_limit is msgspec.UNSET else problem.usage_limit,
        path,
    )


def _edge_costs(edges: Edges, sizes: Sequence[int], path: Path) -> Integers:
    """Decode edge by edge: as Python's integers all of them together take ten times the memory."""
    import msgspec

    from hypar_opt.strategy_graph.checking import check_entries
    from hypar_opt.strategy_graph.decoding import decode
    from hypar_opt.strategy_graph.schema import Cost

    decoder = msgspec.json.Decoder(list[Cost])
    parts = [np.zeros(0, dtype=np.int64)]
    for edge, (ends, raw) in enumerate(zip(edges.nodes, edges.costs, strict=True)):
        field = f"problem.edges.costs[{edge}]"
        costs = decode(raw, decoder, path, field)
        check_entries(len(costs), [sizes[node] for node in ends], field, path)
        parts.append(np.array(costs, dtype=np.int64))
    return np.concatenate(parts)


def _flat(lists: Iterable[Iterable[int]]) -> Integers:
    return np.fromiter(chain.from_iterable(lists), dtype=np.int64)


def _enough(nodes: Nodes, path: Path) -> int:
    """Return what all nodes together can use: a limit that limits nothing."""
    most = sum(max(usages) for usages in nodes.usages)
    if most > np.iinfo(np.int64).max:
        raise InputError(f"is missing, and the usages sum to {most}", file=path, field="problem.usage_limit")
    return most


def _name(path: Path) -> str:
    """Return a file's name without its last endings, as far as it is a name that a file could give."""
    from hypar_opt.strategy_graph.schema import LONGEST_NAME

    bare = path.name.removesuffix(".gz").removesuffix(".json") or path.name
    return "".join(one if one.isprintable() else "?" for one in bare)[:LONGEST_NAME]

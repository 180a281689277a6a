"""Reading strategy graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.instance.limits import LONGEST_NAME
from hypar_opt.instance.strategy_graph.decompression import unpacked
from hypar_opt.instance.strategy_graph.graph import StrategyGraph
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.strategy_graph.decoding import Lists
    from hypar_opt.instance.strategy_graph.graph import Integers


def read_strategy_graph(path: Path) -> StrategyGraph:
    """Read and check a strategy graph, compressed by gzip or not; docs/strategy-graphs.md has the format.

    Raises
    ------
    InputError
        If something is wrong in it; names the file and, as far as it is JSON, the field.
    """
    import hashlib

    import msgspec

    from hypar_opt.instance.strategy_graph.checks import check_ends, check_entries, check_nodes
    from hypar_opt.instance.strategy_graph.decoding import (
        Cost,
        Ends,
        GraphFile,
        Interval,
        Usage,
        check_no_duplicates,
        check_texts,
        decode,
        decode_lists,
    )

    content = unpacked(path)
    check_texts(content, path)
    problem = decode(content, msgspec.json.Decoder(GraphFile), path).problem
    check_no_duplicates(content, path)
    nodes, edges = problem.nodes, problem.edges
    intervals = decode_lists(nodes.intervals, Interval, path, "problem.nodes.intervals").values.reshape(-1, 2)
    costs = decode_lists(nodes.costs, list[Cost], path, "problem.nodes.costs")
    usages = decode_lists(nodes.usages, list[Usage], path, "problem.nodes.usages")
    check_nodes(intervals, costs, usages, path)
    ends = _ends(decode_lists(edges.nodes, Ends, path, "problem.edges.nodes"))
    check_ends(ends, len(intervals), path)
    edge_costs = decode_lists(edges.costs, list[Cost], path, "problem.edges.costs")
    check_entries(edge_costs, ends, costs.sizes, path)
    return StrategyGraph(
        _name(path) if problem.name is msgspec.UNSET else problem.name,
        hashlib.sha256(content).hexdigest(),
        intervals,
        costs.sizes,
        costs.values,
        usages.values,
        ends,
        edge_costs.values,
        _enough(usages, path) if problem.usage_limit is msgspec.UNSET else problem.usage_limit,
        path,
    )


def _ends(lists: Lists) -> Integers:
    """Return by edge its two nodes, or one and -1."""
    pairs = np.flatnonzero(lists.sizes == 2)
    found = np.full((len(lists.sizes), 2), -1, dtype=np.int64)
    found[:, 0] = lists.values[lists.firsts]
    found[pairs, 1] = lists.values[lists.firsts[pairs] + 1]
    return found


def _enough(usages: Lists, path: Path) -> int:
    """Return what all nodes together can use: a limit that limits nothing."""
    most: int = sum(np.maximum.reduceat(usages.values, usages.firsts).tolist())
    if most > np.iinfo(np.int64).max:
        raise InputError(f"is missing, and the usages sum to {most}", file=path, field="problem.usage_limit")
    return most


def _name(path: Path) -> str:
    """Return a file's name without its last endings, as far as it is a name that a file could give."""
    bare = path.name.removesuffix(".gz").removesuffix(".json") or path.name
    return "".join(one if one.isprintable() else "?" for one in bare)[:LONGEST_NAME]

"""Whether the lists of a strategy graph fit each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hypar_opt.instance.strategy_graph.decoding import Lists
    from hypar_opt.instance.strategy_graph.graph import Integers


def check_nodes(intervals: Integers, costs: Lists, usages: Lists, path: Path) -> None:
    """Check that all lists have one entry a node, and a node as many usages as costs and no end before its start.

    Raises
    ------
    InputError
        If not: with the field.
    """
    for name, sizes in (("costs", costs.sizes), ("usages", usages.sizes)):
        if len(sizes) != len(intervals):
            found = f"expected {len(intervals)} entries, one a node as in 'intervals', got {len(sizes)}"
            raise InputError(found, file=path, field=f"problem.nodes.{name}")
    for node in _first(intervals[:, 1] < intervals[:, 0]):
        start, end = intervals[node].tolist()
        message = f"ends at {end}, before its start at {start}"
        raise InputError(message, file=path, field=f"problem.nodes.intervals[{node}]")
    for node in _first((costs.sizes == 0) | (costs.sizes != usages.sizes)):
        if not costs.sizes[node]:
            field = f"problem.nodes.costs[{node}]"
            raise InputError("expected at least one strategy, got none", file=path, field=field)
        message = f"expected {costs.sizes[node]} entries, one a strategy as in 'costs', got {usages.sizes[node]}"
        raise InputError(message, file=path, field=f"problem.nodes.usages[{node}]")


def check_ends(ends: Integers, nodes: int, path: Path) -> None:
    """Check that edges are of nodes that there are.

    Raises
    ------
    InputError
        If not: with the field.
    """
    for edge in _first((ends[:, 0] >= nodes) | (ends[:, 1] >= nodes)):
        place = 0 if ends[edge, 0] >= nodes else 1
        there = f"from 0 to {nodes - 1}" if nodes else "and there is none"
        message = f"expected the index of a node, {there}, got {ends[edge, place]}"
        raise InputError(message, file=path, field=f"problem.edges.nodes[{edge}][{place}]")


def check_entries(costs: Lists, ends: Integers, sizes: Integers, path: Path) -> None:
    """Check that an edge has one cost for every pair of strategies of its nodes, or every strategy of its only one.

    Raises
    ------
    InputError
        If not: with the field.
    """
    if len(costs.sizes) != len(ends):
        message = f"expected {len(ends)} entries, one an edge as in 'nodes', got {len(costs.sizes)}"
        raise InputError(message, file=path, field="problem.edges.costs")
    alone = ends[:, 1] < 0
    first, second = sizes[ends[:, 0]], np.where(alone, 1, sizes[ends[:, 1]])
    for edge in _first(costs.sizes != first * second):
        product = "" if alone[edge] else f" ({first[edge]} x {second[edge]})"
        message = f"expected {first[edge] * second[edge]} entries{product}, got {costs.sizes[edge]}"
        raise InputError(message, file=path, field=f"problem.edges.costs[{edge}]")


def _first(faults: NDArray[np.bool_]) -> list[int]:
    """Return the index of the first fault, if there is one."""
    return [int(one) for one in np.flatnonzero(faults)[:1]]

"""Whether the lists of a strategy graph fit each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.strategy_graph.schema import Edges, Nodes


def check_nodes(nodes: Nodes, path: Path) -> None:
    """Check that all lists have one entry a node, and a node as many usages as costs and no end before its start.

    Raises
    ------
    InputError
        If not: with the field.
    """
    for name, entries in (("costs", nodes.costs), ("usages", nodes.usages)):
        if len(entries) != len(nodes.intervals):
            found = f"expected {len(nodes.intervals)} entries, one a node as in 'intervals', got {len(entries)}"
            raise InputError(found, file=path, field=f"problem.nodes.{name}")
    for node, (start, end) in enumerate(nodes.intervals):
        if end < start:
            message = f"ends at {end}, before its start at {start}"
            raise InputError(message, file=path, field=f"problem.nodes.intervals[{node}]")
    for node, (costs, usages) in enumerate(zip(nodes.costs, nodes.usages, strict=True)):
        if not costs:
            field = f"problem.nodes.costs[{node}]"
            raise InputError("expected at least one strategy, got none", file=path, field=field)
        if len(costs) != len(usages):
            message = f"expected {len(costs)} entries, one a strategy as in 'costs', got {len(usages)}"
            raise InputError(message, file=path, field=f"problem.nodes.usages[{node}]")


def check_edges(edges: Edges, nodes: int, path: Path) -> None:
    """Check that both lists have one entry an edge, and that edges are of nodes that there are.

    Raises
    ------
    InputError
        If not: with the field.
    """
    if len(edges.costs) != len(edges.nodes):
        message = f"expected {len(edges.nodes)} entries, one an edge as in 'nodes', got {len(edges.costs)}"
        raise InputError(message, file=path, field="problem.edges.costs")
    for edge, ends in enumerate(edges.nodes):
        for place, node in enumerate(ends):
            if node >= nodes:
                there = f"from 0 to {nodes - 1}" if nodes else "and there is none"
                message = f"expected the index of a node, {there}, got {node}"
                raise InputError(message, file=path, field=f"problem.edges.nodes[{edge}][{place}]")


def check_entries(count: int, shape: Sequence[int], field: str, path: Path) -> None:
    """Check that an edge has one cost for every pair of strategies of its nodes, or every strategy of its only one.

    Raises
    ------
    InputError
        If not.
    """
    first, second = (*shape, 1)[:2]
    if count != first * second:
        product = f" ({first} x {second})" if len(shape) > 1 else ""
        raise InputError(f"expected {first * second} entries{product}, got {count}", file=path, field=field)

"""Branches that join again as blocks that no cut divides, as PipeDream has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


def in_blocks(operators: Sequence[Mapping[str, Any]], ignored: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return operators of which those stand together that are on branches which join again.

    Of every biconnected component of the graph, all but those that only read in it are one (Tarnawski et al., 2020, of
    PipeDream's optimiser). Operators that stand together already are one, their forward and backward phases apart.

    Parameters
    ----------
    operators
        As a pipeline's file has them.
    ignored
        Operators whose readers are left out of it: inputs that all layers read, such as masks.
    """
    vertices = {one["name"]: (_class(one), one.get("phase", "forward")) for one in operators}
    edges = [
        (vertices[maker], vertices[reader["name"]])
        for reader in operators
        for maker in reader.get("reads", ())
        if maker not in ignored and vertices[maker] != vertices[reader["name"]]
    ]
    makers: dict[frozenset[Any], set[Any]] = {}
    for maker, reader in edges:
        makers.setdefault(frozenset((maker, reader)), set()).add(maker)
    classes = nx.utils.UnionFind(dict.fromkeys(_class(one) for one in operators))
    for component in nx.biconnected_component_edges(nx.Graph(edges)):
        classes.union(*(name for edge in component for name, _ in makers[frozenset(edge)]))
    members: dict[Any, list[str]] = {}
    for one in operators:
        members.setdefault(classes[_class(one)], []).append(one["name"])
    blocks = [names for names in members.values() if len(names) > 1]
    block = {name: f"block {number}" for number, names in enumerate(blocks, start=1) for name in names}
    found = [{key: value for key, value in one.items() if key != "together"} for one in operators]
    return [one | ({"together": block[one["name"]]} if one["name"] in block else {}) for one in found]


def _class(operator: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what an operator stands with, or itself."""
    together = operator.get("together")
    return ("alone", operator["name"]) if together is None else ("class", together)

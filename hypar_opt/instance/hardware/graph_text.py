"""Custom graphs from text: GraphML, and node-link JSON as networkx writes it.

The latter has nodes with an id, and links or edges with source and target.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

from hypar_opt.instance.hardware.graphml import graphml_entries
from hypar_opt.instance.hardware.topologies.custom import (
    NUMBERS,
    Entries,
    check_edge_list,
    check_keys,
    quoted,
)
from hypar_opt.util.errors import MachineError, did_you_mean, nearest

Format: TypeAlias = Literal["graphml", "node-link"]
"""How a graph is written down."""
FIELDS: Final = ("directed", "multigraph", "graph", "nodes", "links", "edges")
"""Of the whole; `graph` holds what the writer likes to say of it."""


def read_graph(text: str, format: Format) -> tuple[Entries, Entries]:
    """Return the nodes and links of a graph, in the form that `custom` takes.

    Parameters
    ----------
    text
        A whole document.
    format
        What it is.

    Raises
    ------
    MachineError
        If it cannot be read, or a node or link is wrong.
    """
    nodes, links = graphml_entries(text) if format == "graphml" else node_link_entries(text)
    check_edge_list(nodes, links)
    return nodes, links


def node_link_entries(text: str) -> tuple[Entries, Entries]:
    """Return the nodes and links of a document.

    A node is called by its `name`, or by its `id` if it has none.

    Raises
    ------
    MachineError
        If it is no JSON, no undirected graph, or a link's end is no node.
    """
    whole = _parsed(text)
    _check_whole(whole)
    called: dict[str, str] = {}
    nodes = [_node(node, number, called) for number, node in enumerate(_listed(whole, "nodes"))]
    form = "edges" if "edges" in whole else "links"
    keyed = whole.get("multigraph", False)
    return nodes, [_link(link, number, called, keyed) for number, link in enumerate(_listed(whole, form))]


def _parsed(text: str) -> dict[str, Any]:
    try:
        whole = json.loads(text, parse_float=Decimal, parse_constant=Decimal, object_pairs_hook=_mapping)
    except (ValueError, RecursionError) as error:
        raise MachineError(f"cannot be read as JSON: {error}") from None
    if not isinstance(whole, dict):
        raise MachineError(f"expected a mapping with nodes and links, got {quoted(whole)}")
    return whole


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise MachineError(f"a mapping has {quoted(twice)} twice")
    return found


def _check_whole(whole: dict[str, Any]) -> None:
    for key in whole:
        if key not in FIELDS:
            raise MachineError(f"unknown field {quoted(key)}{did_you_mean(key, FIELDS)}")
    if "links" in whole and "edges" in whole:
        raise MachineError("has both links and edges, which are two names for one thing")
    for flag in ("directed", "multigraph"):
        if not isinstance(whole.get(flag, False), bool):
            raise MachineError(f"expected true or false, got {quoted(whole[flag])}", field=flag)
    if whole.get("directed", False):
        raise MachineError(
            "is directed; links carry bytes both ways, so expected an undirected graph", field="directed"
        )


def _listed(whole: dict[str, Any], field: str) -> list[dict[str, Any]]:
    if field not in whole:
        raise MachineError("missing", field=field)
    entries = whole[field]
    if not isinstance(entries, list):
        raise MachineError(f"expected a list, got {quoted(entries)}", field=field)
    for number, entry in enumerate(entries):
        if not isinstance(entry, dict):
            raise MachineError(f"expected a mapping, got {quoted(entry)}", field=f"{field}[{number}]")
    return entries


def _node(given: dict[str, Any], number: int, called: dict[str, str]) -> dict[str, object]:
    node = dict(given)
    identity = _identity(node.pop("id", None), "id", node=number)
    name = node.setdefault("name", identity)
    if identity in called:
        raise MachineError(f"two nodes have the id {quoted(identity)}", node=number, field="id")
    called[identity] = name
    return {"name": name, **node}


def _link(given: dict[str, Any], number: int, called: dict[str, str], keyed: bool) -> dict[str, object]:
    link = dict(given)
    if keyed:
        link.pop("key", None)  # tells parallel links apart, which are refused by their ends
    ends = []
    for field in ("source", "target"):
        end = _identity(link.pop(field, None), field, link=number)
        if end not in called:
            raise MachineError(f"unknown node {quoted(end)}{nearest(end, called)}", link=number, field=field)
        ends.append(called[end])
    check_keys(link, NUMBERS, link=number)
    return {"ends": tuple(ends), **link}


def _identity(value: object, field: str, **place: Any) -> str:
    """Return an id as text: networkx numbers nodes if nobody names them."""
    if isinstance(value, str) or type(value) is int:
        return str(value)
    raise MachineError(f"expected the id of a node, got {quoted(value)}", field=field, **place)

"""Custom graphs from text: GraphML, and node-link JSON as networkx writes it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from hypar_opt.instance.hardware.graphml import graphml_entries
from hypar_opt.instance.hardware.node_link import node_link_entries
from hypar_opt.instance.hardware.topologies.custom import Entries, check_edge_list

Format: TypeAlias = Literal["graphml", "node-link"]
"""How a graph is written down."""


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

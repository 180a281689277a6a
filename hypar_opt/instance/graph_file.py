"""Custom graphs in files of their own: GraphML, or node-link JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.array import read_graph
from hypar_opt.errors import InputError, MachineError
from hypar_opt.instance.document import read_text

if TYPE_CHECKING:
    from pathlib import Path


def read_graph_file(path: Path, most: int) -> dict[str, object]:
    """Return what a graph file says, in the form of `array.graph`: nodes and links.

    Parameters
    ----------
    most
        How many nodes it may have.

    Raises
    ------
    InputError
        If it cannot be read as what it is.
    """
    text = read_text(path)
    try:
        nodes, links = read_graph(text, "graphml" if text.lstrip().startswith("<") else "node-link")
    except MachineError as error:
        raise InputError(error.message, file=path, field=graph_field(error)) from None
    if len(nodes) > most:
        raise InputError(
            f"has {len(nodes):,} nodes, a custom graph has at most {most:,}; try one of the other topologies, which "
            "need no graph for the objective communication",
            file=path,
            field="nodes",
        )
    return {"nodes": list(nodes), "links": list(links)}


def graph_field(error: MachineError) -> str | None:
    """Return which field of a graph is to blame, if it is one."""
    parts = [] if error.link is None else [f"links[{error.link}]"]
    parts += [] if error.node is None else [f"nodes[{error.node}]"]
    return ".".join([*parts, *filter(None, [error.field])]) or None

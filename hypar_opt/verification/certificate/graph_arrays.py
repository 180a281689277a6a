"""The part of a certificate that says which strategy graph it is about: its arrays, and a digest of them."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.costgraph import Array
    from hypar_opt.instance.strategy_graph import StrategyGraph

KIND: Final = "strategy-graph"
"""Of a certificate's problem."""


def graph_arrays(graph: StrategyGraph) -> dict[str, Array]:
    """Return a strategy graph as arrays of one dimension, by their names; docs/certificates.md has the format.

    Many edges have the same costs, which stand in `tables` once; `places` says where.
    """
    places, tables = _shared(graph)
    return {
        "intervals": graph.intervals.reshape(-1),
        "sizes": graph.sizes,
        "costs": graph.costs,
        "usages": graph.usages,
        "ends": graph.ends.reshape(-1),
        "places": places,
        "tables": tables,
    }


def _shared(graph: StrategyGraph) -> tuple[Array, Array]:
    """Return where every edge's costs begin among those that differ, and these."""
    found: dict[bytes, int] = {}
    places, size = np.zeros(graph.edges, dtype=np.int64), 0
    starts = graph.edge_starts.tolist()
    for edge, (start, end) in enumerate(pairwise(starts)):
        content = graph.edge_costs[start:end].tobytes()
        places[edge] = found.setdefault(content, size)
        size += end - start if places[edge] == size else 0
    return places, np.frombuffer(b"".join(found), dtype=np.int64)


def digest_of(arrays: Mapping[str, Array]) -> str:
    """Return the SHA-256 of arrays, each with its name and length before it."""
    digest = hashlib.sha256()
    for name, values in arrays.items():
        digest.update(f"{name} {len(values)}\n".encode())
        digest.update(values.astype("<i8").tobytes())
    return digest.hexdigest()


def graph_document(graph: StrategyGraph, arrays: Mapping[str, Array]) -> dict[str, Any]:
    """Return what a certificate's header says of its problem.

    Parameters
    ----------
    arrays
        The graph's.
    """
    return {
        "kind": KIND,
        "instance": graph.name,
        "instance_sha256": graph.sha256,
        "overrides": {},
        "usage_limit": graph.usage_limit,
        "arrays_sha256": digest_of(arrays),
    }


def bind_graph(header: Mapping[str, Any], graph: StrategyGraph, path: Path | str) -> None:
    """Check that a certificate is one of this strategy graph.

    Raises
    ------
    InputError
        If it is not; names the first field that differs.
    """
    given = header["problem"]
    for name, value in graph_document(graph, graph_arrays(graph)).items():
        if given.get(name) != value:
            detail = f"it has {given.get(name)!r}, this instance has {value!r}"
            raise InputError(f"is a certificate of another problem: {detail}", file=path, field=f"problem.{name}")

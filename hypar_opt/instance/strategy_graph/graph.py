"""A strategy graph as its file says it: nodes with strategies, edges with costs, a limit on memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from hypar_opt.instance.text import cut

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    Integers: TypeAlias = NDArray[np.int64]

FORBIDDEN_COST: Final = 10**18
"""A cost of so much or more means that it must not be."""


@dataclass(frozen=True, eq=False, repr=False)
class StrategyGraph:
    """The problem of the ASPLOS 2025 contest on intra-operator parallelism, as read.

    Parameters
    ----------
    name
        As the file has it, or the file's.
    sha256
        Of the file's uncompressed bytes; of the instance where the graph was made from one.
    intervals
        By node, the times [start, end) at which its usage counts; shape (nodes, 2).
    sizes
        By node, its number of strategies; shape (nodes,).
    costs, usages
        Of all strategies, node by node; usages are not negative.
    ends
        By edge, its nodes in the file's order; the second is -1 where it has one only; shape (edges, 2).
    edge_costs
        Of all pairs of strategies, edge by edge, those of the first node by row.
    usage_limit
        What may be in use at any time.
    source
        The file.
    """

    name: str
    sha256: str
    intervals: Integers
    sizes: Integers
    costs: Integers
    usages: Integers
    ends: Integers
    edge_costs: Integers
    usage_limit: int
    source: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"StrategyGraph({cut(self.name)!r}, {len(self.sizes):,} nodes, {len(self.ends):,} edges)"

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.sizes)

    @property
    def edges(self) -> int:
        """Number of edges."""
        return len(self.ends)

    @cached_property
    def starts(self) -> Integers:
        """Where in `costs` and `usages` a node's begin; shape (nodes + 1,)."""
        return _offsets(self.sizes)

    @cached_property
    def edge_starts(self) -> Integers:
        """Where in `edge_costs` an edge's begin; shape (edges + 1,)."""
        second = np.where(self.ends[:, 1] < 0, 1, self.sizes[self.ends[:, 1]])
        return _offsets(self.sizes[self.ends[:, 0]] * second)


def _offsets(sizes: Integers) -> Integers:
    found = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=found[1:])
    return found

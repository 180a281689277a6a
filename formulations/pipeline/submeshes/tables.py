"""What stages between any two down-sets take at least, as far as that is known, for every kind of submesh."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.run import Limits

NEVER: Final = 2**59
"""The time of a stage that there may not be; three of them still fit into 64 bits."""
BYTES_A_PAIR: Final = 9
"""Of the tables of a kind, for every two down-sets: a time, and whether it is exact."""


@dataclass(frozen=True, eq=False)
class StageBounds:
    """Times of stages, at least; more and more of them exact.

    No pair of layers costs less than nothing, so that a stage takes no less than any stages that it is made of: what is
    found out of one raises the bounds of all that contain it.

    Parameters
    ----------
    graph
        Whose.
    members
        Whether a layer is in a down-set; shape (layers, down-sets); the empty one is the first, all layers the last.
    within
        Whether a down-set is in another and less; shape (down-sets, down-sets).
    live
        By down-set, the bytes that are made in it and needed behind it.
    least
        By kind of submesh, what a stage takes inside at least; shape (down-sets, down-sets).
    exact
        By kind, whether that is what it takes.
    """

    graph: SubmeshGraph
    members: Array
    within: Array
    live: Array
    least: list[Array]
    exact: list[Array]
    _costed: list[int] = field(default_factory=list)

    @classmethod
    def of(cls, graph: SubmeshGraph, sets: Sequence[int]) -> StageBounds:
        """Return what is known before anything is found: every layer and every pair at its least.

        Parameters
        ----------
        sets
            Down-sets, each as the bits of its layers.
        """
        ascending = sorted(sets, key=lambda one: (one.bit_count(), one))
        members = np.array([[one >> layer & 1 for one in ascending] for layer in range(graph.groups)], dtype=bool)
        counted = members.astype(np.int64)
        sizes = counted.sum(axis=0)
        within = ((counted.T @ counted) == sizes[:, None]) & (sizes[:, None] < sizes[None, :])
        live = np.zeros(len(sizes), dtype=np.int64)
        for one in graph.tensors:
            live += np.where(members[one.owner] & ~members[list(one.readers)].all(axis=0), one.size, 0)
        least = []
        for kind in range(graph.kinds):
            own, pairs = graph.inside.least(kind)
            single = np.array([min(one, NEVER) for one in own], dtype=np.int64) @ counted
            table = single[None, :] - single[:, None]
            for (first, second), cost in zip(graph.order, pairs, strict=True):
                if cost:
                    table += cost * np.outer(~members[first], members[second])
            least.append(np.where(within, np.clip(table, 0, NEVER), NEVER))
        exact = [~within for _ in least]
        return cls(graph, members, within, live, least, exact)

    @property
    def costed(self) -> int:
        """How many stages were found out about."""
        return len(self._costed)

    def layers(self, start: int, end: int) -> tuple[int, ...]:
        """Return the layers of the stage between two down-sets."""
        return tuple(np.flatnonzero(self.members[:, end] & ~self.members[:, start]).tolist())

    def settle(self, kind: int, start: int, end: int, limits: Limits) -> bool:
        """Find out what a stage takes, and what that says of others; return whether it was not known.

        Raises
        ------
        Stopped
            If the limits are over before.
        """
        if self.exact[kind][start, end]:
            return False
        time = self.graph.inside.time(kind, self.layers(start, end), limits)
        table, exact = self.least[kind], self.exact[kind]
        table[start, end] = NEVER if time is None else time
        exact[start, end] = True
        begins, ends = self.within[:, start].copy(), self.within[end].copy()
        begins[start] = ends[end] = True
        before, behind = table[:, start].copy(), table[end].copy()
        before[start] = behind[end] = 0
        around = np.minimum(before[:, None] + table[start, end] + behind[None, :], NEVER)
        np.maximum(table, around, out=table, where=np.outer(begins, ends) & ~exact)
        self._costed.append(kind)
        return True

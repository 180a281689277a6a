"""What devices take that have the groups between two down-sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph

BEYOND = np.int64(2**62)
"""The time of what a device may not have."""


@dataclass(frozen=True, eq=False)
class Loads:
    """Times of stages, of all that begin at one down-set together.

    An output is read by a stage that has one of its readers and not its owner, and sent by one that has its owner and
    not all its readers. Both are told from the outputs that a down-set leaves open, few of all: those with the owner
    inside and a reader outside (*made*), and those with a reader inside and the owner outside (*awaited*).

    Parameters
    ----------
    graph, lattice
        Whose.
    """

    graph: StageGraph
    lattice: Lattice

    @cached_property
    def _owned(self) -> Array:
        return self.lattice.members[self.graph.owners]

    @cached_property
    def _all_read(self) -> Array:
        return self._readers(np.logical_and)

    @cached_property
    def _made(self) -> Array:
        return self._owned & ~self._all_read

    @cached_property
    def _awaited(self) -> Array:
        return ~self._owned & self._readers(np.logical_or)

    def _readers(self, function: np.ufunc) -> Array:
        rows = [function.reduce(self.lattice.members[list(readers)], axis=0) for readers in self.graph.readers]
        return np.array(rows, dtype=bool).reshape(len(rows), self.lattice.count)

    @cached_property
    def _sums(self) -> tuple[tuple[Array, Array, Array, Array], ...]:
        """By kind, of every down-set: times, open outputs' transfers, usages, groups that it may not have."""
        members = self.lattice.members
        return tuple(
            (
                kind.times @ members,
                kind.transfers @ self._made + kind.transfers @ self._awaited,
                kind.usages @ members,
                (~kind.allowed) @ members.astype(np.int64),
            )
            for kind in self.graph.kinds
        )

    def between(self, one: int, others: Array) -> list[Array]:
        """Return by kind the times of stages with the groups of other down-sets that are not in one.

        Parameters
        ----------
        one, others
            Down-sets; each of the others has all of the first.
        """
        crossed = [transfers[others] for _, transfers, _, _ in self._sums]
        for output, change in self._changes(one, others):
            for kind, total in zip(self.graph.kinds, crossed, strict=True):
                total += kind.transfers[output] * change
        found = []
        for kind, transfers, (times, _, usages, barred) in zip(self.graph.kinds, crossed, self._sums, strict=True):
            load = times[others] - times[one] + transfers
            fits = barred[others] == barred[one]
            if kind.capacity is not None:
                fits &= usages[others] - usages[one] <= kind.capacity
            found.append(np.where(fits, load, BEYOND))
        return found

    def _changes(self, one: int, others: Array):  # type: ignore[no-untyped-def]
        """Yield outputs that are open at one down-set, with how often more they cross a stage than end open behind it.

        Behind a stage, an output is open that is made or awaited there; the stage's own crossings are those that end
        open, but for what was open before and does not touch the stage, and with what it closes.
        """
        members = self.lattice.members
        for output in np.flatnonzero(self._made[:, one]).tolist():
            left = [reader for reader in self.graph.readers[output] if not members[reader, one]]
            reads = members[left][:, others].any(axis=0)
            yield output, reads.astype(np.int64) - self._made[output, others]
        for output in np.flatnonzero(self._awaited[:, one]).tolist():
            left = [reader for reader in self.graph.readers[output] if not members[reader, one]]
            owned = self._owned[output, others]
            reads = members[left][:, others].any(axis=0) if left else np.zeros(len(others), dtype=bool)
            yield output, (owned & self._all_read[output, others]).astype(np.int64) - (~owned & ~reads)

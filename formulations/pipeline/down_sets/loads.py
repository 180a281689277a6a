"""What stages take that have the groups between two down-sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.bounds import beyond, number_type
from formulations.pipeline.down_sets.lattice import weighted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph


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
    def _sums(self) -> tuple[tuple[Array, Array, Array, Array, Array], ...]:
        """By option, of every down-set: times, awaited and made outputs' transfers, usages, groups it may not have."""
        members, exact = self.lattice.members, number_type(self.graph)
        return tuple(
            (
                weighted(option.times.astype(exact), members),
                weighted(option.transfers.astype(exact), self._awaited),
                weighted(option.sending.astype(exact), self._made),
                weighted(option.usages, members),
                weighted((~option.allowed).astype(np.int64), members),
            )
            for option in self.graph.options
        )

    @cached_property
    def _beyond(self) -> Array:
        """The time of a stage that there may not be."""
        return np.array(beyond(self.graph), dtype=number_type(self.graph))

    def between(self, one: int, others: Array) -> list[Array]:
        """Return by option the times of stages with the groups of other down-sets that are not in one.

        Parameters
        ----------
        one, others
            Down-sets; each of the others has all of the first.
        """
        changes, beyond_all = list(self._changes(one, others)), self._beyond
        found = []
        for option, (times, awaited, made, usages, barred) in zip(self.graph.options, self._sums, strict=True):
            computing, reading, sending = times[others] - times[one], awaited[others], made[others]
            for output, reads, sends in changes:
                reading += option.transfers[output] * reads
                sending += option.sending[output] * sends
            if self.graph.overlapped:
                load = np.maximum(computing, np.maximum(reading, sending))
            else:
                load = computing + reading + sending
            fits = barred[others] == barred[one]
            if option.capacity is not None and not option.ways:  # else another way may keep less
                fits &= usages[others] - usages[one] <= option.capacity
            found.append(np.where(fits, load, beyond_all))
        return found

    def computing(self, option: int, one: int, other: int) -> int:
        """Return what a stage computes, of a down-set without one that is in it."""
        times = self._sums[option][0]
        return int(times[other] - times[one])

    def _changes(self, one: int, others: Array) -> Iterator[tuple[int, Array, Array]]:
        """Yield outputs open at a down-set: how often more stages behind it read and send them than ends leave open.

        What is awaited at a stage's end is read by it, but for what was awaited before and none of its groups reads;
        what is made there is sent by it, but for what was made before. Besides it reads what was made before and its
        groups need, and sends what was awaited before and it makes and nobody else waits for.
        """
        members, exact = self.lattice.members, self._beyond.dtype
        for output in np.flatnonzero(self._made[:, one]).tolist():
            reads = self._reads(output, one, others).astype(exact)
            yield output, reads, -self._made[output, others].astype(exact)
        for output in np.flatnonzero(self._awaited[:, one]).tolist():
            owned = members[self.graph.owners[output], others]
            unread = ~owned & ~self._reads(output, one, others)
            yield output, -unread.astype(exact), (owned & self._all_read[output, others]).astype(exact)

    def _reads(self, output: int, one: int, others: Array) -> Array:
        """Return whether the groups between two down-sets read an output."""
        left = [reader for reader in self.graph.readers[output] if not self.lattice.members[reader, one]]
        found: Array = np.logical_or.reduce(self.lattice.members[left][:, others], axis=0)
        return found

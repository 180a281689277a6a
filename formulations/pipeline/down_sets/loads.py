"""What stages take that have the groups between two down-sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.bounds import beyond, number_type
from formulations.pipeline.down_sets.lattice import weighted

if TYPE_CHECKING:
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

    @cached_property
    def _linked(self) -> frozenset[int]:
        """Kinds of devices on which anything that crosses takes time."""
        moved = ((one.kind, one.transfers.any() or one.sending.any()) for one in self.graph.options)
        return frozenset(kind for kind, takes_time in moved if takes_time)

    def between(self, one: int, others: Array) -> list[Array]:
        """Return by option the times of stages with the groups of other down-sets that are not in one.

        Parameters
        ----------
        one, others
            Down-sets; each of the others has all of the first.
        """
        changes, beyond_all = self._changes(one, others) if self._linked else None, self._beyond
        found = []
        for option, (times, awaited, made, usages, barred) in zip(self.graph.options, self._sums, strict=True):
            computing, reading, sending = times[others] - times[one], awaited[others], made[others]
            if changes is not None and option.kind in self._linked:
                reading = reading + changes.read(option.transfers)
                sending = sending + changes.sent(option.sending)
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

    def _changes(self, one: int, others: Array) -> OpenOutputs:
        """Return what stages read and send of outputs that are open at a down-set, beside what their ends leave open.

        What is awaited at a stage's end is read by it, but for what was awaited before and none of its groups reads;
        what is made there is sent by it, but for what was made before. Besides it reads what was made before and its
        groups need, and sends what was awaited before and it makes and nobody else waits for.
        """
        made, awaited = self._made[:, one].nonzero()[0], self._awaited[:, one].nonzero()[0]
        reads, needs = self._reads(made, one, others), self._reads(awaited, one, others)
        owned = self._owned[awaited][:, others]
        kept, done = self._made[made][:, others], owned & self._all_read[awaited][:, others]
        return OpenOutputs(made, awaited, reads, ~(owned | needs), kept, done)

    @cached_property
    def _reading(self) -> tuple[Array, Array]:
        """Who reads an output, and which: a row for every reader of each."""
        readers = [reader for own in self.graph.readers for reader in own]
        outputs = [output for output, own in enumerate(self.graph.readers) for _ in own]
        return np.array(readers, dtype=np.int64), np.array(outputs, dtype=np.int64)

    def _reads(self, outputs: Array, one: int, others: Array) -> Array:
        """Return whether the groups between two down-sets read outputs; shape (outputs, others)."""
        found = np.zeros((len(outputs), len(others)), dtype=bool)
        if not len(outputs):
            return found
        members, (readers, read) = self.lattice.members, self._reading
        places = np.full(len(self.graph.readers), -1)
        places[outputs] = np.arange(len(outputs))
        left = ((places[read] >= 0) & ~members[readers, one]).nonzero()[0]
        if len(left):
            own = places[read[left]]
            begins = (own[1:] != own[:-1]).nonzero()[0] + 1
            begins = np.concatenate(([0], begins))
            found[own[begins]] = np.logical_or.reduceat(members[readers[left]][:, others], begins, axis=0)
        return found


@dataclass(frozen=True, eq=False)
class OpenOutputs:
    """Outputs that are open at a down-set, and stages that begin there.

    Parameters
    ----------
    made, awaited
        Outputs with the owner inside and a reader outside, and with a reader inside and the owner outside.
    reads, unread
        Of those made which stages read; of those awaited which they leave so; shape (outputs, stages).
    kept, done
        Of those made which are still made at a stage's end; of those awaited which it makes for no others.
    """

    made: Array
    awaited: Array
    reads: Array
    unread: Array
    kept: Array
    done: Array

    def read(self, transfers: Array) -> Array:
        """Return by stage what it takes more to read than what is awaited at its end."""
        return _sum(transfers[self.made], self.reads) - _sum(transfers[self.awaited], self.unread)

    def sent(self, transfers: Array) -> Array:
        """Return by stage what it takes more to send than what is made at its end."""
        return _sum(transfers[self.awaited], self.done) - _sum(transfers[self.made], self.kept)


def _sum(weights: Array, flags: Array) -> Array:
    found: Array = weights @ flags.astype(np.int64) if len(weights) else np.zeros(flags.shape[1], dtype=weights.dtype)
    return found

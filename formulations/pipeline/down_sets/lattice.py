"""The down-sets of an order: all sets of groups that have with a group whatever comes before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.pipeline.bounds import bytes_a_state, least_times, number_bytes
from hypar_opt.formulation.run import Stopped
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

MOST_DOWN_SETS: Final = 10**6
"""Beyond which they are not counted any more: each is set beside all that have it, which would take hours."""
_BYTES_WHILE_COUNTED: Final = 300
"""Of a down-set and the groups that may come next, as Python keeps them."""
_AT_ONCE: Final = 4096


@dataclass(frozen=True, eq=False)
class Lattice:
    """Down-sets, ascending by the least time of their groups: none comes before one that is in it.

    Parameters
    ----------
    members
        Whether a group is in a down-set; shape (groups, down-sets).
    words
        The same, 64 groups a word; shape (words, down-sets).
    work
        Of each the sum of its groups' times, each where it takes least; shape (down-sets,).
    effort
        The same of times times devices.
    """

    members: Array
    words: Array
    work: Array
    effort: Array

    @property
    def count(self) -> int:
        """How many there are, the empty and the whole one included."""
        return len(self.work)

    def above(self, one: int, most: int, least: int) -> Array:
        """Return the down-sets that have all of one and more, as far as work and effort allow.

        Parameters
        ----------
        one
            A down-set.
        most
            By which their work may exceed its own.
        least
            Of their effort.
        """
        end = int(np.searchsorted(self.work, self.work[one] + most, side="right"))
        found: Array = self.effort[one + 1 : end] >= least
        for word in self.words:
            if word[one]:
                found &= (word[one + 1 : end] & word[one]) == word[one]
        return np.flatnonzero(found) + one + 1


def lattice_of(graph: StageGraph, run: Run, most: int) -> Lattice:
    """Return all down-sets, `MOST_DOWN_SETS` at most.

    Raises
    ------
    Refusal, Stopped
        As of `down_sets_of`.
    """
    return _sorted(graph, down_sets_of(graph.groups, graph.search_order, run, most))


def down_sets_of(
    groups: int,
    order: Iterable[tuple[int, int]],
    run: Run,
    most: int,
    instead: str = "pipeline-cp-sat or pipeline-linear",
) -> list[int]:
    """Return all down-sets, each as the bits of its groups.

    Parameters
    ----------
    groups, order
        How many there are, and pairs of which the first comes no later.
    most
        How many there may be for their tables to fit into the memory.
    instead
        Who else can be asked.

    Raises
    ------
    Refusal
        If there are more.
    Stopped
        If the run's limits are over before.
    """
    before, behind = [0] * groups, [0] * groups
    for first, second in order:
        before[second] |= 1 << first
        behind[first] |= 1 << second
    free = sum(1 << group for group in range(groups) if not before[group])
    ready = {0: free}  # by down-set, the groups that may come next
    layer = dict(ready)
    while layer:
        following: dict[int, int] = {}
        for held, open_groups in layer.items():
            left = open_groups
            while left:
                bit = left & -left
                left ^= bit
                wider = held | bit
                if wider not in following:
                    following[wider] = (open_groups ^ bit) | _opened(behind[bit.bit_length() - 1], wider, before)
            if len(ready) + len(following) > min(most, MOST_DOWN_SETS):  # within a layer, which may be most of them
                raise Refusal(f"{run.source} declines: {_too_many(most, instead)}")
            if run.limits.over:
                raise Stopped
        ready |= following
        layer = following
    return list(ready)


def _too_many(most: int, instead: str) -> str:
    if most < MOST_DOWN_SETS:
        return (
            f"this order has more than {most:,} down-sets, beyond the memory limit; try a higher --memory-limit, "
            f"{instead}"
        )
    return (
        f"this order has more than {MOST_DOWN_SETS:,} down-sets, too many to set each beside all that have it; try "
        f"{instead}"
    )


def chain_of(graph: StageGraph) -> Lattice:
    """Return the down-sets that begin the groups' own order, or end it where stages are told from the end."""
    held, found = 0, [0]
    for group in sorted(range(graph.groups), reverse=graph.counts_behind):
        held |= 1 << group
        found.append(held)
    return _sorted(graph, found)


def _opened(candidates: int, held: int, before: Sequence[int]) -> int:
    """Return which of some groups have all that comes before them."""
    found = 0
    while candidates:
        bit = candidates & -candidates
        candidates ^= bit
        if before[bit.bit_length() - 1] & ~held == 0:
            found |= bit
    return found


def bytes_of(graph: StageGraph, states: int) -> int:
    """Return what a down-set takes while it is searched.

    Parameters
    ----------
    states
        In how many ways devices can be taken.
    """
    rows = _BYTES_WHILE_COUNTED + 4 * (graph.groups + len(graph.owners)) + 5 * len(graph.options) * number_bytes(graph)
    return rows + bytes_a_state(graph) * states


def weighted(weights: Array, flags: Array) -> Array:
    """Return by column the sum of the weights of the rows that are set, some columns at a time: these are widened."""
    begins = range(0, flags.shape[1], _AT_ONCE)
    zeros = np.zeros(flags.shape[1], dtype=weights.dtype)
    parts = [weights @ flags[:, begin : begin + _AT_ONCE].astype(np.int64) for begin in begins]
    return np.concatenate(parts) if len(weights) else zeros


def _sorted(graph: StageGraph, sets: Sequence[int]) -> Lattice:
    words = (graph.groups + 63) // 64
    packed = np.frombuffer(b"".join(one.to_bytes(words * 8, "little") for one in sets), dtype=np.uint8)
    packed = packed.reshape(len(sets), words * 8)
    members = np.unpackbits(packed, axis=1, bitorder="little")[:, : graph.groups].T
    work = weighted(least_times(graph), members)
    order = np.lexsort((members.sum(axis=0), work))
    return Lattice(
        np.ascontiguousarray(members[:, order].astype(bool)),
        np.ascontiguousarray(packed.view(np.uint64)[order].T),
        work[order],
        weighted(least_times(graph, of_devices=True), members)[order],
    )

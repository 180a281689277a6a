"""Sets of labels by state, and the two ways in which they are combined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from formulations.label_setting.dominance import non_dominated
from hypar_opt.formulation.run import Run, Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from formulations.label_setting.arcs import ArcLayer
    from hypar_opt.costgraph import Array

    Positions = NDArray[np.intp]


CHUNK = 2**17
"""Labels that are made at a time; of one state they are never split."""


@dataclass(frozen=True, eq=False)
class Labels:
    """Vectors by state.

    Parameters
    ----------
    values
        By coordinate; shape (labels,).
    offsets
        Where each state's labels begin, and where the last's end; shape (states + 1,).
    """

    values: tuple[Array, ...]
    offsets: Positions

    @property
    def count(self) -> int:
        """Number of labels."""
        return int(self.offsets[-1])

    @property
    def counts(self) -> Positions:
        """Number of labels by state."""
        return np.diff(self.offsets)

    @property
    def states(self) -> Positions:
        """Every label's state."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)

    def state_of(self, positions: Positions) -> Positions:
        """Return the states of some labels."""
        return np.searchsorted(self.offsets, positions, side="right") - 1

    def only(self, kept: NDArray[np.bool_]) -> tuple[Labels, Positions]:
        """Return the labels that are kept, and where they were."""
        positions = np.flatnonzero(kept)
        return _gathered(self.states[positions], [v[positions] for v in self.values], len(self.offsets) - 1), positions


def one_each(values: Sequence[Array], allowed: NDArray[np.bool_]) -> Labels:
    """Return one label for every allowed state."""
    offsets = np.concatenate([[0], np.cumsum(allowed)])
    return Labels(tuple(column[allowed] for column in values), offsets)


def shifted(labels: Labels, by: Sequence[Array]) -> Labels:
    """Return the labels with what their state costs added."""
    states = labels.states
    return Labels(tuple(v + own[states] for v, own in zip(labels.values, by, strict=True)), labels.offsets)


def advanced(labels: Labels, step: ArcLayer, room: Callable[[int, int], None]) -> tuple[Labels, Positions]:
    """Return each head's non-dominated labels over all its arcs, and the labels that they come from.

    Parameters
    ----------
    room
        Called with how many labels are about to be made, and how many arcs and labels wait.
    """
    counts = labels.counts[step.tails]
    begins = labels.offsets[step.tails]
    found: list[tuple[Positions, list[Array], Positions]] = []
    for arcs in _chunks(step.heads, np.cumsum(counts)):
        room(int(counts[arcs].sum()), len(step.tails) + sum(len(kept) for kept, _, _ in found))
        sources = spread(begins[arcs], counts[arcs])
        values = [column[sources] for column in labels.values]
        for j, cost in enumerate(step.costs):
            values[j] += np.repeat(cost[arcs], counts[arcs])
        heads = np.repeat(step.heads[arcs], counts[arcs])
        kept = non_dominated(heads, values)
        found.append((heads[kept], [column[kept] for column in values], sources[kept]))
    return _joined(found, step.size, labels)


def added(left: Labels, right: Labels, room: Callable[[int, int], None]) -> tuple[Labels, Positions, Positions]:
    """Return by state the non-dominated sums of two labels, and which these were."""
    counts, others = left.counts, right.counts
    pairs = counts * others
    room(int(pairs.sum()), 0)
    states = np.repeat(np.arange(len(pairs)), pairs)
    place = spread(np.zeros_like(pairs), pairs)
    first = left.offsets[states] + place // np.maximum(others, 1)[states]
    second = right.offsets[states] + place % np.maximum(others, 1)[states]
    values = [a[first] + b[second] for a, b in zip(left.values, right.values, strict=True)]
    kept = non_dominated(states, values)
    return _gathered(states[kept], [v[kept] for v in values], len(pairs)), first[kept], second[kept]


def spread(begins: Positions, counts: Positions) -> Positions:
    """Return begins[i], begins[i] + 1, ..., counts[i] of them, for all i in turn."""
    ends = np.cumsum(counts)
    found: Positions = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins - (ends - counts), counts)
    return found


def _chunks(heads: Positions, made: Positions) -> Iterator[slice]:
    """Yield runs of arcs that make about CHUNK labels each, all of a head's in one."""
    ends = np.append(np.flatnonzero(np.diff(heads)) + 1, len(heads)) if len(heads) else np.empty(0, dtype=np.intp)
    start, before = 0, 0
    while start < len(heads):
        fits = np.searchsorted(made[ends - 1], before + CHUNK, side="right")
        after = int(np.searchsorted(ends, start, side="right"))
        stop = int(ends[max(after, int(fits) - 1)])
        yield slice(start, stop)
        start, before = stop, int(made[stop - 1])


def _joined(found: Sequence[tuple[Any, Any, Any]], size: int, like: Labels) -> tuple[Labels, Positions]:
    if not found:
        return Labels(tuple(column[:0] for column in like.values), np.zeros(size + 1, dtype=np.intp)), like.offsets[:0]
    states, values, sources = zip(*found, strict=True)
    columns = [np.concatenate(column) for column in zip(*values, strict=True)]
    return _gathered(np.concatenate(states), columns, size), np.concatenate(sources)


def _gathered(states: Positions, values: Sequence[Array], size: int) -> Labels:
    """Return labels that are sorted by state."""
    return Labels(tuple(values), np.concatenate([[0], np.cumsum(np.bincount(states, minlength=size))]))


WORK = 6
"""Arrays as long as the labels in work, beside those of their coordinates."""


class Full(Stopped):
    """Raised where the labels exceed the memory limit."""


@dataclass
class Room:
    """What labels may take of the memory.

    Parameters
    ----------
    run
        Whose limits they are.
    coordinates, cell
        Of a label, and bytes each.
    stored
        Pointers kept for decoding.
    made, most
        How many labels were made, and the most that one variable kept.
    """

    run: Run
    coordinates: int
    cell: int
    stored: int = 0
    made: int = 0
    most: int = 0

    def take(self, labels: int, waiting: int) -> None:
        """Count labels that are about to be made, beside those made before and waiting for them.

        Raises
        ------
        Stopped
            If a limit is hit.
        """
        self.run.check()
        self.made += labels
        need = 8 * self.stored + (labels + waiting) * (2 * self.coordinates * self.cell + 8 * WORK)
        if need > self.run.limits.memory_bytes:
            raise Full

    def keep(self, labels: int, pointers: int) -> None:
        """Count labels that are kept, and their pointers."""
        self.stored += labels * pointers
        self.most = max(self.most, labels)


@dataclass(frozen=True, eq=False)
class Kept:
    """What decoding needs of a variable's labels.

    Parameters
    ----------
    labels
        Of which the offsets matter; the values only until the parent has them.
    origins
        By child: which of its labels a label comes from.
    """

    labels: Labels
    origins: tuple[tuple[int, Positions], ...] = ()

    def only(self, kept: NDArray[np.bool_]) -> Kept:
        """Return what is left of it."""
        if kept.all():
            return self
        labels, positions = self.labels.only(kept)
        return Kept(labels, tuple((child, pointer[positions]) for child, pointer in self.origins))

    @property
    def bare(self) -> Kept:
        """The same without values."""
        return Kept(Labels((), self.labels.offsets), self.origins)

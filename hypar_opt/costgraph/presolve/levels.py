"""What every variable takes of the memory, row after row, all of its items together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import offsets
from hypar_opt.costgraph.presolve.sums import ranges

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Memory


@dataclass(frozen=True, eq=False)
class Levels:
    """What holders take from each of the rows on in which that may change.

    Parameters
    ----------
    holders, points
        By change, whose it is, and the row; ordered.
    starts
        Where in `changes` and `levels` those of a change begin.
    changes, levels
        By change and value, by how much, and what is taken from then on.
    """

    holders: Array
    points: Array
    starts: Array
    changes: Array
    levels: Array


def levels(memory: Memory) -> Levels:
    """Return what holders take, as sums of changes: those of a holder's value stand together and end at 0."""
    both = memory.holders[:, None] * (memory.rows + 1) + memory.spans
    keys, where = np.unique(both, return_inverse=True)
    where = where.reshape(-1, 2)
    lengths = np.diff(memory.starts)
    sizes = np.zeros(len(keys), dtype=np.int64)
    sizes[where] = lengths[:, None]
    starts = offsets(sizes)
    holders, points = np.divmod(keys, memory.rows + 1)
    firsts = np.searchsorted(holders, holders)
    counts = np.searchsorted(holders, holders, side="right") - firsts
    places = np.repeat(starts[firsts] + np.arange(len(keys)) - firsts, sizes)
    places += ranges(np.zeros_like(sizes), sizes) * np.repeat(counts, sizes)
    changes = np.zeros(len(places), dtype=np.int64)
    for side, take in ((0, np.add), (1, np.subtract)):
        take.at(changes, places[ranges(starts[where[:, side]], lengths)], memory.usages)
    return Levels(holders, points, starts, changes[places], np.cumsum(changes)[places])

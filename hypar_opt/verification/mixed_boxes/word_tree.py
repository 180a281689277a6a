"""Least sums over words of a boundary, letter by letter: costs are a sum over levels.

A boundary costs at every level what both letters say, times what the letters above leave of the reader's box, or of the
producer's. So the producer's letters can be replaced by the reader's one level after the other, from the root down, and
back from the leaves up, with what the producer's letters left so far beside them: that is one of few numbers. There are
as many operations as words times letters, levels and these, and not as pairs of words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hypar_opt.evaluation.mixed.level_sums import Floats, LevelSums


@dataclass(frozen=True, eq=False)
class WordTree:
    """Costs of pairs of words by level.

    Parameters
    ----------
    levels
        Root first.
    producer, reader
        Positions of their words among all that letters spell, as numbers.
    """

    levels: tuple[LevelSums, ...]
    producer: NDArray[np.int64]
    reader: NDArray[np.int64]

    def by_reader(self, costs: Floats) -> Floats:
        """Return by the reader's word the least of the producer's words' costs and the pair's."""
        _, letters, others = self.levels[0].by_reader.shape
        state = np.full(letters ** len(self.levels), np.inf)
        state[self.producer] = costs
        for one in self.levels:  # letters above are the reader's, those from here on the producer's
            rows = state.reshape(len(one.by_reader), len(one.following), letters, -1)
            found = np.full((len(rows), others, int(one.following.max()) + 1, rows.shape[-1]), np.inf)
            for (left, letter), then in np.ndenumerate(one.following):
                table = one.by_reader[:, letter] + one.by_producer[left, letter]
                known = found[:, :, then]
                np.minimum(known, rows[:, None, left, letter] + table[:, :, None], out=known)
            state = found
        whole: Floats = state.reshape(others ** len(self.levels), -1).min(axis=1)
        return whole[self.reader]

    def by_producer(self, costs: Floats) -> Floats:
        """Return by the producer's word the least of the reader's words' costs and the pair's."""
        _, letters, others = self.levels[0].by_reader.shape
        state = np.full(others ** len(self.levels), np.inf)
        state[self.reader] = costs
        state = np.repeat(state[:, None], int(self.levels[-1].following.max()) + 1, axis=1)
        for one in reversed(self.levels):
            rows = state.reshape(len(one.by_reader), others, int(one.following.max()) + 1, -1)
            found = np.empty((len(rows), *one.following.shape, rows.shape[-1]))
            for (left, letter), then in np.ndenumerate(one.following):
                table = one.by_reader[:, letter] + one.by_producer[left, letter]
                found[:, left, letter] = (rows[:, :, then] + table[:, :, None]).min(axis=1)
            state = found
        return state.reshape(letters ** len(self.levels))[self.producer]

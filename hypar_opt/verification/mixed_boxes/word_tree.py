"""Least sums over words of a boundary, letter by letter: where costs are a sum over levels, sized by the reader's box.

A boundary costs at every level what both letters say, times what the reader's letters above leave. So the producer's
letters can be replaced by the reader's one level after the other, from the root down, and back from the leaves up; the
number of operations is that of words times letters and levels, and not of pairs of words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from hypar_opt.evaluation.mixed.word_sums import Floats


@dataclass(frozen=True, eq=False)
class WordTree:
    """Costs of pairs of words by level.

    Parameters
    ----------
    levels
        Root first, by the reader's letters above (one number in their base), the producer's letter and the reader's.
    producer, reader
        Positions of their words among all that letters spell, as numbers.
    """

    levels: tuple[Floats, ...]
    producer: NDArray[np.int64]
    reader: NDArray[np.int64]

    def by_reader(self, costs: Floats) -> Floats:
        """Return by the reader's word the least of the producer's words' costs and the pair's."""
        _, letters, others = self.levels[0].shape
        state = np.full(letters ** len(self.levels), np.inf)
        state[self.producer] = costs
        for table in self.levels:  # letters above are the reader's, those from here on the producer's
            rows = state.reshape(len(table), letters, -1)
            found = rows[:, 0, None, :] + table[:, 0, :, None]
            for letter in range(1, letters):
                np.minimum(found, rows[:, letter, None, :] + table[:, letter, :, None], out=found)
            state = found
        return state.reshape(others ** len(self.levels))[self.reader]

    def by_producer(self, costs: Floats) -> Floats:
        """Return by the producer's word the least of the reader's words' costs and the pair's."""
        _, letters, others = self.levels[0].shape
        state = np.full(others ** len(self.levels), np.inf)
        state[self.reader] = costs
        for table in reversed(self.levels):
            rows = state.reshape(len(table), others, -1)
            found = rows[:, 0, None, :] + table[:, :, 0, None]
            for letter in range(1, others):
                np.minimum(found, rows[:, letter, None, :] + table[:, :, letter, None], out=found)
            state = found
        return state.reshape(letters ** len(self.levels))[self.producer]

"""What pairs of words add at a boundary, level by level, where the box of either may size what is read."""

from __future__ import annotations

from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Floats: TypeAlias = NDArray[np.float64]
State: TypeAlias = tuple[Fraction, ...]
"""By class, what letters leave of a tensor."""


class LevelSums(NamedTuple):
    """What pairs of words add at one level: what their letters there say, times what the letters above leave.

    Parameters
    ----------
    by_reader
        Sized by the reader's box: by its letters above, the producer's letter, and the reader's.
    by_producer
        Sized by the producer's box: by what its letters above leave (of which there are few), and both letters.
    following
        What the producer's letters leave then: by what those above do, and its letter.
    """

    by_reader: Floats
    by_producer: Floats
    following: NDArray[np.int64]


def states_behind(states: Sequence[State], written: Sequence[State]) -> tuple[list[State], NDArray[np.int64]]:
    """Return what may be left one level further down, and which of it by what was left above and letter.

    Parameters
    ----------
    states
        What may be left above.
    written
        By letter, what the level's halves leave of that.
    """
    known: dict[State, int] = {}
    rows = [[known.setdefault(tuple(map(mul, state, left)), len(known)) for left in written] for state in states]
    return list(known), np.array(rows)

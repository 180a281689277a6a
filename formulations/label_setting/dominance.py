"""Which vectors are not dominated, in many sets at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph import Array

    Whole = NDArray[np.int64]
    Flags = NDArray[np.bool_]

ROOM = 2**62
"""What a sorting key may reach."""


def non_dominated(sets: NDArray[np.intp], values: Sequence[Array]) -> NDArray[np.intp]:
    """Return the positions of the vectors that no other one of their set is nowhere above.

    Parameters
    ----------
    sets
        Which set a vector belongs to.
    values
        By coordinate; int64 or Python integers.

    Returns
    -------
    Ascending by set, then by the vectors' coordinates in turn; of equal vectors of a set the first alone.
    """
    if not len(sets):
        return np.empty(0, dtype=np.intp)
    count = int(sets.max()) + 1
    whole = [_small(column, count) for column in values]
    if len(whole) == 1:
        return _firsts(sets, whole[0])
    return _staircases(sets, *whole) if len(whole) == 2 else _by_halves(sets, [_ranks(column) for column in whole])


def _small(column: Array, sets: int) -> Whole:
    """Return numbers from 0 in the same order, so few that a set's number fits beside them in an int64."""
    least = column.min()
    if column.dtype == object or (int(column.max()) - int(least) + 1) * sets >= ROOM:
        return _ranks(column)
    small: Whole = column - least
    return small


def _ranks(column: Array) -> Whole:
    ranks: Whole = np.unique(column, return_inverse=True)[1].reshape(-1).astype(np.int64)
    return ranks


def _firsts(sets: NDArray[np.intp], x: Whole) -> NDArray[np.intp]:
    """One coordinate: each set's least."""
    order = np.argsort(sets * (x.max() + 1) + x, kind="stable")
    ordered = sets[order]
    kept: NDArray[np.intp] = order[np.append(True, ordered[1:] != ordered[:-1])]
    return kept


def _staircases(sets: NDArray[np.intp], x: Whole, y: Whole) -> NDArray[np.intp]:
    """Two coordinates: ascending by the first, keep what falls below all before in the second.

    A set's second coordinates are shifted below all of the sets before, so that one running minimum serves all.
    """
    keys = sets * (x.max() + 1) + x
    order = np.argsort(keys, kind="stable")
    falling = (y - sets * (y.max() + 1))[order]
    lowest = np.minimum.accumulate(falling)
    kept = order[np.append(True, falling[1:] < lowest[:-1])]
    # of several with one first coordinate that fell in turn, the last is the least
    last = keys[kept]
    found: NDArray[np.intp] = kept[np.append(last[1:] != last[:-1], True)]
    return found


def _by_halves(sets: NDArray[np.intp], ranks: Sequence[Whole]) -> NDArray[np.intp]:
    """Three coordinates and more: whatever dominates a vector comes before it in lexicographic order.

    Any two positions p < q of a set fall into the left and the right half of one block of some size 2^(j+1), so for
    every j the left halves' vectors are compared with the right halves' in the remaining coordinates.
    """
    order = np.lexsort((*reversed(ranks), sets))
    columns = [sets[order], *(column[order] for column in ranks)]
    fresh = np.append(True, np.any([column[1:] != column[:-1] for column in columns], axis=0))
    order, columns = order[fresh], [column[fresh] for column in columns]
    found: NDArray[np.intp] = order[~_beaten_in_order(columns[0], columns[2:])]
    return found


def _beaten_in_order(sets: Whole, columns: Sequence[Whole], source: Flags | None = None) -> Flags:
    """Return which vectors, sorted by set, have one before them in their set that is nowhere above them.

    Parameters
    ----------
    source
        Which vectors may beat others, which are then themselves not asked about; None if all may and all are.
    """
    count = len(sets)
    begins = np.append(True, sets[1:] != sets[:-1])
    number = np.cumsum(begins) - 1
    place = np.arange(count) - np.flatnonzero(begins)[number]
    beaten = np.zeros(count, dtype=np.bool_)
    for j in reversed(range(int(place.max()).bit_length() if count else 0)):
        right = (place >> j & 1).astype(np.bool_)
        asked = ~beaten if source is None else np.where(right, ~source & ~beaten, source)
        chosen = np.flatnonzero(asked)
        block = number[chosen] * (int(place.max()) + 1) + (place[chosen] >> (j + 1))
        beaten[chosen[_beaten(block, [column[chosen] for column in columns], ~right[chosen])]] = True
    return beaten


def _beaten(sets: Whole, columns: Sequence[Whole], source: Flags) -> Flags:
    """Return which of the others some source of their set is nowhere above."""
    y, *rest = columns
    # equal first coordinates: sources come first
    order = np.lexsort((2 * y + ~source, sets))
    ordered, sources = sets[order], source[order]
    if len(rest) > 1:
        found = _beaten_in_order(ordered, [column[order] for column in rest], sources)
    else:
        found = _below(ordered, rest[0][order], sources)
    beaten = np.zeros(len(sets), dtype=np.bool_)
    beaten[order[found]] = True
    return beaten


def _below(sets: Whole, z: Whole, source: Flags) -> Flags:
    """Return which of the others come, within their set, behind a source that is not above them."""
    number = np.cumsum(np.append(True, sets[1:] != sets[:-1]))
    span = int(z.max(initial=0)) + 2
    lowest = np.minimum.accumulate(np.where(source, z, span - 1) - number * span)
    found: Flags = ~source & (lowest <= z - number * span)
    return found

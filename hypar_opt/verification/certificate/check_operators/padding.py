"""What converting padded tensors moves: every part of n numbers in p parts is ceil(n / p) long (docs/operators.md)."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import numpy as np

from .exact import ExactTable, dtype_of
from .placements import FLAT, PARTIAL, WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .archive import Array


def received_padded(shape: Sequence[int], have: Array, need: Array, axes: Sequence[int]) -> ExactTable:
    """Return the elements that D devices receive, in 1/D of one for each device: D times what they receive together.

    Parameters
    ----------
    shape
        Sizes of the tensor's dimensions.
    have, need
        By row, an entry an axis; the other dimensions are broadcast.
    axes
        Their sizes, outermost first: sums begin innermost, gathers outermost.
    """
    have, need = np.broadcast_arrays(have, need)
    # A stage brings a device less than the tensor times the axis; of all axes together, times the devices.
    most = 3 * prod(axes) ** 2 * prod(shape)
    found = np.zeros(have.shape[:-1], dtype_of(have[..., 0].size, most))
    left = (need == PARTIAL) & (have != PARTIAL)  # one of the parts counts, the others add nothing
    need = np.where(left, np.where(have == WHOLE, FLAT, have), need)
    now = np.where(have == WHOLE, need, have)  # slices
    for axis in reversed(range(len(axes))):
        summed = (have[..., axis] == PARTIAL) & (need[..., axis] != PARTIAL)
        after = np.where(need[..., axis] == WHOLE, FLAT, need[..., axis])
        now[..., axis] = np.where(summed, after, now[..., axis])
        found += np.where(summed, (axes[axis] - 1) * _held(shape, axes, now, dtype=found.dtype), 0)
    turned = _is_shard(have) & _is_shard(need) & (have != need)
    others = np.where(turned, np.array(axes), 1).prod(axis=-1) - 1  # devices that something comes from
    found += others * _held(shape, axes, now, np.where(turned, need, WHOLE), dtype=found.dtype)
    now = np.where(turned, need, now)
    for axis, length in enumerate(axes):
        gathered = (now[..., axis] != WHOLE) & (need[..., axis] == WHOLE)
        found += np.where(gathered, (length - 1) * _held(shape, axes, now, dtype=found.dtype), 0)
        now[..., axis] = np.where(gathered, WHOLE, now[..., axis])
    return ExactTable(found, most)


def _is_shard(codes: Array) -> Array:
    found: Array = (codes >= 0) | (codes == FLAT)
    return found


def _held(shape: Sequence[int], axes: Sequence[int], *placements: Array, dtype: np.dtype) -> Array:
    """Return what a device holds of a tensor that is cut by all of several placements, in 1/D of an element."""

    def parts(code: int) -> Array:
        cut = [np.where(one == code, np.array(axes), 1).prod(axis=-1) for one in placements]
        found: Array = np.prod(cut, axis=0)
        return found.astype(dtype)

    found: Array = prod(axes) // parts(FLAT)
    for place, size in enumerate(shape):
        found = found * -(-size // parts(place))
    return found

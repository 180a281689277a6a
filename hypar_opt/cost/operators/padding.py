"""What devices hold and receive of tensors whose dimensions are padded to multiples of their parts.

Every part of a dimension of n numbers that is split into p is ceil(n / p) long, whatever the axes are, and so is what
messages carry: a reduce-scatter along an axis of a devices brings a device (a - 1) times what it holds behind it, an
all-gather (a - 1) times what it holds before it, and an exchange from each other device a piece that is split along
the dimensions of both sides. Sums that nobody needs in parts are scattered as numbers in a row, which need no padding.
Numbers of elements are in units of 1 / devices.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.cost.operators.placements import FLAT, PARTIAL, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Tensor


def held_padded(shape: Sequence[int], axes: Sequence[int], *placements: Placements, dtype: Any = object) -> Array:
    """Return what a device holds of a tensor by all of several placements.

    Parameters
    ----------
    shape, axes
        Sizes of the tensor's dimensions, and of the axes.
    placements
        Last dimension: an entry an axis; the others are broadcast. An axis that they split along two dimensions splits
        along both.
    dtype
        Of what is returned.
    """
    found: Array = np.full((), prod(axes), dtype=dtype)
    for place in (*range(len(shape)), FLAT):
        parts: Array = np.ones((), dtype=dtype)
        for one in placements:
            for axis, length in enumerate(axes):
                parts = parts * np.where(one[..., axis] == place, length, 1).astype(dtype)
        found = found // parts if place == FLAT else found * -(-shape[place] // parts)
    return found


def received_padded(
    shape: Sequence[int],
    have: Placements,
    need: Placements,
    axes: Sequence[int],
    fastest: Sequence[int],
    dtype: Any,
) -> Array:
    """Return what each device receives along each axis; first dimension: the axes.

    Parameters
    ----------
    shape
        Sizes of the tensor's dimensions.
    have, need
        As of `conversions.conversion`.
    axes
        Their sizes.
    fastest
        In which order sums begin, and the reverse of that of gathers.
    dtype
        Of what is returned.
    """
    have, need = np.broadcast_arrays(have, need)
    found = np.zeros((len(axes), *have.shape[:-1]), dtype=dtype)
    need = np.where((need == PARTIAL) & (have != PARTIAL), np.where(have == WHOLE, np.int8(FLAT), have), need)
    now = np.where(have == WHOLE, need, have)
    turned = (have >= 0) & (need >= 0) & (have != need)

    def along(axis: int, moved: Array, after: Placements) -> None:
        """Change the placement of an axis where devices exchange along it, in a reduce-scatter or an all-gather."""
        before = now.copy()
        now[..., axis] = np.where(moved, after, now[..., axis])
        smaller = np.where((after == WHOLE)[..., None], before, now)
        piece = held_padded(shape, axes, smaller, dtype=dtype)
        found[axis] += np.where(moved, (axes[axis] - 1) * piece, 0)

    for axis in fastest:
        summed = (have[..., axis] == PARTIAL) & (need[..., axis] != PARTIAL)
        along(axis, summed, np.where(need[..., axis] == WHOLE, np.int8(FLAT), need[..., axis]))
    piece = held_padded(shape, axes, now, np.where(turned, need, np.int8(WHOLE)), dtype=dtype)
    left = np.where(turned, np.array(axes, dtype=dtype), 1).prod(axis=-1).astype(dtype)
    for axis, length in enumerate(axes):
        left = np.where(turned[..., axis], left // length, left)
        found[axis] += np.where(turned[..., axis], (length - 1) * left * piece, 0)
    now = np.where(turned, need, now)
    for axis in reversed(fastest):
        along(axis, (now[..., axis] != WHOLE) & (need[..., axis] == WHOLE), np.full(now.shape[:-1], np.int8(WHOLE)))
    return found


def most_received(levels: int) -> int:
    """Return how many times all of a padded tensor a device receives at the most, on so many axes.

    As no dimension is split into more parts than it has numbers, a ceil(n / a) is less than 2 n: a stage along one axis
    brings less than twice the tensor, and an exchange that many times for each dimension along which it is split then.
    """
    return 4 * levels + (1 << levels)


def by_placement(make: Callable[[Placements, Placements], Array], have: Placements, need: Placements) -> Array:
    """Return what is made of placements; of tables of them each pair is made once.

    Parameters
    ----------
    make
        From placements, shapes (n, 1, axes) and (1, m, axes), to what is returned, shape (n, m).
    have, need
        Of tables shapes (words, 1, axes) and (1, words, axes); else rows, shape (words, axes).
    """
    if have.ndim < 3:
        return make(have, need)
    rows, first = np.unique(have.reshape(-1, have.shape[-1]), axis=0, return_inverse=True)
    columns, second = np.unique(need.reshape(-1, need.shape[-1]), axis=0, return_inverse=True)
    table = make(rows[:, None, :], columns[None, :, :])
    found: Array = table[first.reshape(have.shape[:-1]), second.reshape(need.shape[:-1])]
    return found


def filled_up(tensor: Tensor, need: Sequence[int], axes: Sequence[int]) -> Tensor:
    """Return a tensor whose dimensions are multiples of the parts that a placement splits them into."""
    sizes = []
    for place, size in enumerate(tensor.sizes):
        parts = prod(length for length, one in zip(axes, need, strict=True) if one == place)
        sizes.append(-(-size // parts) * parts)
    return replace(tensor, sizes=tuple(sizes))

"""What devices hold and receive of tensors whose dimensions are padded to multiples of their parts.

Every part of a dimension of n numbers that is split into p is ceil(n / p) long, whatever the axes are, and so is what
messages carry: a reduce-scatter along an axis of a devices brings a device (a - 1) times what it holds behind it, an
all-gather (a - 1) times what it holds before it, and an exchange from each other device a piece that is split along
the dimensions of both sides. Sums that nobody needs in parts are scattered as numbers in a row, which need no padding.
Numbers of elements are in units of 1 / devices.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.cost.operators.placements import FLAT, PARTIAL, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array


def held_padded(shape: Sequence[int], axes: Sequence[int], placements: Placements, dtype: Any = object) -> Array:
    """Return what a device holds of a tensor by placements.

    Parameters
    ----------
    shape, axes
        Sizes of the tensor's dimensions, and of the axes.
    placements
        Last dimension: an entry an axis.
    dtype
        Of what is returned.
    """
    return _Parts.of(shape, placements, axes, dtype).held


def received_padded(
    shape: Sequence[int],
    have: Placements,
    need: Placements,
    axes: Sequence[int],
    fastest: Sequence[int],
    dtype: Any,
) -> Array:
    """Return what each device receives along each axis, of an exchange the outermost on which giver and taker differ.

    Parameters
    ----------
    shape, have, need, axes, fastest, dtype
        As of `stages_padded`.

    Returns
    -------
    array
        First dimension: the axes.
    """
    found, piece, turned = stages_padded(shape, have, need, axes, fastest, dtype)
    left = np.where(turned, np.array(axes, dtype=dtype), 1).prod(axis=-1).astype(dtype)
    for axis, length in enumerate(axes):
        left = np.where(turned[..., axis], left // length, left)
        found[axis] += np.where(turned[..., axis], (length - 1) * left * piece, 0)
    return found


def stages_padded(
    shape: Sequence[int],
    have: Placements,
    need: Placements,
    axes: Sequence[int],
    fastest: Sequence[int],
    dtype: Any,
) -> tuple[Array, Array, Array]:
    """Return what each device receives in sums and gathers, and in an exchange.

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

    Returns
    -------
    array
        By axis, what it receives in reduce-scatters and all-gathers along that; first dimension: the axes.
    array
        What it receives of each other device with which it exchanges.
    array
        Last dimension: the axes, whether it exchanges along them, all at once.
    """
    have, need = np.broadcast_arrays(have, need)
    found = np.zeros((len(axes), *have.shape[:-1]), dtype=dtype)
    need = np.where((need == PARTIAL) & (have != PARTIAL), np.where(have == WHOLE, np.int8(FLAT), have), need)
    parts = _Parts.of(shape, np.where(have == WHOLE, need, have), axes, dtype)
    turned = (have >= 0) & (need >= 0) & (have != need)
    summed, gathered = (have == PARTIAL) & (need != PARTIAL), (have != WHOLE) & (need == WHOLE)
    scattered = np.where(need == WHOLE, np.int8(FLAT), need)
    for axis in fastest:
        if summed[..., axis].any():
            parts.split(axis, summed[..., axis], scattered[..., axis])
            found[axis] += np.where(summed[..., axis], (axes[axis] - 1) * parts.held, 0)
    for axis in range(len(axes)):
        parts.split(axis, turned[..., axis], need[..., axis])
    piece = parts.held
    for axis in range(len(axes)):
        parts.join(axis, turned[..., axis], have[..., axis])
    before = np.where(summed, scattered, have)
    for axis in reversed(fastest):
        if gathered[..., axis].any():
            found[axis] += np.where(gathered[..., axis], (axes[axis] - 1) * parts.held, 0)
            parts.join(axis, gathered[..., axis], before[..., axis])
    return found, piece, turned


@dataclass(frozen=True, eq=False)
class _Parts:
    """Into how many parts tensors are split along each dimension, changed axis by axis.

    Parameters
    ----------
    shape, axes
        Sizes of the tensor's dimensions, and of the axes.
    parts
        By dimension, and of numbers in a row.
    """

    shape: Sequence[int]
    axes: Sequence[int]
    parts: Mapping[int, Array]

    @classmethod
    def of(cls, shape: Sequence[int], placements: Placements, axes: Sequence[int], dtype: Any) -> _Parts:
        """Return the parts of placements."""
        places = (*range(len(shape)), FLAT)
        made = cls(shape, axes, {place: np.ones(placements.shape[:-1], dtype=dtype) for place in places})
        for axis in range(len(axes)):
            made.split(axis, np.ones((), dtype=bool), placements[..., axis])
        return made

    def split(self, axis: int, where: Array, places: Placements) -> None:
        """Split along dimensions on an axis."""
        for place, parts in self.parts.items():
            np.multiply(parts, self.axes[axis], out=parts, where=where & (places == place))

    def join(self, axis: int, where: Array, places: Placements) -> None:
        """Join what is split along dimensions on an axis."""
        for place, parts in self.parts.items():
            np.floor_divide(parts, self.axes[axis], out=parts, where=where & (places == place))

    @property
    def held(self) -> Array:
        """What a device holds, in units of 1 / devices of an element."""
        found = prod(self.axes) // self.parts[FLAT]
        for place, size in enumerate(self.shape):
            found = found * -(-size // self.parts[place])
        return found


def most_received(levels: int) -> int:
    """Return how many times all of a padded tensor a device receives at the most, on so many axes.

    As no dimension is split into more parts than it has numbers, a ceil(n / a) is less than 2 n: a stage along one axis
    brings less than twice the tensor, and an exchange that many times for each dimension along which it is split then.
    """
    return 4 * levels + int(2**levels)


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

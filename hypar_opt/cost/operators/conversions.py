"""What conversions of a tensor between placements move: received bytes, added up over all devices.

Each is slices of what is whole, which cost nothing; one reduce-scatter over the axes with partial sums; one fused
all-to-all over those whose shards change; and all-gathers. With n the share of the tensor that a device holds - n0
behind the slices, n1 behind the reduce-scatter, n1a of that what the all-to-all leaves where it is, and n at the end -
these receive n0 - n1, n1 - n1a and n - n1 of it, so that all devices together receive

    devices x bytes x (n0 + n - n1 - n1a),

where every share is a product over the axes. Costs are in units of 1 / devices of a byte, in which they are whole.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.cost.operators.placements import PARTIAL, WHOLE
from hypar_opt.cost.operators.rows import total_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.cost.operators.placements import Placements
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, Tensor, Window

SUMS = 64
"""How many costs may be added up before 64 bits have to be left."""


def dtype_of(most_bytes: int, sizes: Sequence[int]) -> Any:
    """Return int64 if every cost of tensors of so many bytes is proven to fit, else Python integers."""
    return np.int64 if SUMS * most_bytes * prod(sizes) ** 2 < 2**63 else object


def conversion(size: int, have: Placements, need: Placements, axes: Sequence[int], dtype: Any) -> Array:
    """Return what it costs to convert a tensor of so many bytes from placements to others.

    Parameters
    ----------
    size
        Bytes of the whole tensor.
    have, need
        Last dimension: an entry an axis; the others are broadcast. What is needed in partial sums is left in them, and
        a shard, or a part of what is whole, counts as one: the other parts add nothing.
    axes
        Their sizes.
    dtype
        As of `dtype_of`.
    """
    shares = np.ones((4, 1), dtype=dtype)
    for axis, length in enumerate(axes):
        factors = _factors(have[..., axis], need[..., axis], length)
        shares = [share * factor.astype(dtype) for share, factor in zip(shares, factors, strict=True)]  # type: ignore[assignment]
    before, behind, reduced, kept = shares
    found: Array = (before + behind - reduced - kept) * np.array(size, dtype=dtype)
    return found


def _factors(have: Placements, need: Placements, length: int) -> tuple[Array, Array, Array, Array]:
    """Return n0, n, n1 and n1a of one axis, times the square of its size."""
    part, whole = length, length**2
    left = need == PARTIAL
    shards = (have >= 0) | (need >= 0) | left
    before = np.where(have == PARTIAL, whole, np.where(shards, part, whole))
    behind = np.where(left, before, np.where(need >= 0, part, whole))
    reduced = np.where(left, before, np.where((have == WHOLE) & (need == WHOLE), whole, part))
    changed = (have >= 0) & (need >= 0) & (have != need)
    return before, behind, reduced, np.where(changed, 1, reduced)


def halo(
    operand: Operand, tensor: Tensor, need: Placements, axes: Sequence[int], dtype: Any, *, padded: bool = False
) -> Array:
    """Return what windows over an operand read of other parts than their own.

    Of the rows of each dimension that is split and read through windows, all parts need so many, and have so many of
    these. Of several such dimensions the two are products, and their difference is what moves, in each of the groups
    that have it otherwise whole.

    Parameters
    ----------
    operand, tensor
        What is read.
    need
        How it has to lie, an entry an axis; shape (words, axes).
    axes
        Their sizes.
    dtype
        As of `dtype_of`.
    padded
        Whether dimensions that parts do not divide are padded; those that windows slide along move rows that are there.
    """
    windows: Mapping[int, Window] = {
        place: window for name, window in operand.windows.items() if (place := operand.position(name)) is not None
    }
    if not windows:
        return np.zeros(len(need), dtype=dtype)
    lengths = np.array(axes, dtype=dtype)
    copies = np.where(need == WHOLE, lengths, 1).prod(axis=1)
    held = wanted = np.ones(len(need), dtype=dtype)
    rest, finest = np.full(len(need), tensor.element_bytes, dtype=dtype), np.full(len(need), prod(axes), dtype=dtype)
    for place, size in enumerate(tensor.sizes):
        parts = np.where(need == place, lengths, 1).prod(axis=1)
        if place not in windows:
            rest = rest * (-(-size // parts) * parts if padded else size)
            continue
        known = {one: total_rows(windows[place], size, one, padded=padded) for one in set(parts.tolist())}
        needed, own = (np.array([int(known[one][i] * one) for one in parts.tolist()], dtype=dtype) for i in (0, 1))
        wanted, held, finest = wanted * needed, held * own, finest // parts
    found: Array = (wanted - held) * copies * rest * finest
    return found

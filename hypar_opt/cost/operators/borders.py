"""What the parts of an operand that is read through windows need of others, axis by axis.

What a part needs of another comes across the outermost axis on which the two differ; of a device that differs in
several dimensions of rows, as at corners, across the outermost of all.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.cost.operators.rows import needed_rows, sliding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.operators import Operand, Tensor, Window

Piece: TypeAlias = tuple[int | None, Fraction]
"""Rows, and the axis that they come across; None for a part's own."""


def wait_at_borders(
    operand: Operand,
    tensor: Tensor,
    need: Sequence[int],
    axes: Sequence[int],
    costs: Sequence[tuple[Fraction, Fraction]],
    *,
    padded: bool = False,
) -> Fraction:
    """Return how long the part waits that waits longest.

    Parameters
    ----------
    operand, tensor
        What is read.
    need
        How it has to lie, an entry an axis.
    axes
        Their sizes.
    costs
        By axis, seconds of a byte and of a message; each device that gives rows sends one.
    padded
        Whether what parts do not divide is padded.
    """
    windows = sliding(operand, need)
    shards = prod(length for length, place in zip(axes, need, strict=True) if place >= 0 and place not in windows)
    row = Fraction(row_bytes(tensor, windows, need, axes, padded=padded), shards)

    def wait(parts: Sequence[Sequence[Piece]]) -> Fraction:
        return sum((row * rows * costs[axis][0] + costs[axis][1] for axis, rows in _crossing(parts)), start=Fraction(0))

    kinds = (
        dict.fromkeys(_by_part(window, tensor.sizes[place], need, place, axes, padded))
        for place, window in windows.items()
    )
    return max(map(wait, product(*kinds)), default=Fraction(0))


def energy_of_borders(
    operand: Operand,
    tensor: Tensor,
    need: Sequence[int],
    axes: Sequence[int],
    costs: Sequence[Fraction],
    *,
    padded: bool = False,
) -> Fraction:
    """Return what all parts' rows cost.

    Parameters
    ----------
    operand, tensor, need, axes, padded
        As of `wait_at_borders`.
    costs
        By axis, of a byte that every device receives.
    """
    windows = sliding(operand, need)
    copies = prod(length for length, place in zip(axes, need, strict=True) if place < 0)
    row = Fraction(row_bytes(tensor, windows, need, axes, padded=padded) * copies, prod(axes))
    rows = []
    for place, window in windows.items():
        together: dict[int | None, Fraction] = {}
        for part in _by_part(window, tensor.sizes[place], need, place, axes, padded):
            for axis, count in part:
                together[axis] = together.get(axis, Fraction(0)) + count
        rows.append(list(together.items()))
    return sum((row * count * costs[axis] for axis, count in _crossing(rows)), start=Fraction(0))


def row_bytes(
    tensor: Tensor, windows: Mapping[int, Window], need: Sequence[int], axes: Sequence[int], *, padded: bool
) -> int:
    """Return the bytes of a row of all parts, filled up if padded; of a pixel where two dimensions are of rows.

    Parameters
    ----------
    tensor, need, axes, padded
        As of `wait_at_borders`.
    windows
        By dimension, those that slide.
    """
    found = tensor.element_bytes
    for place, size in enumerate(tensor.sizes):
        if place not in windows:
            parts = prod(length for length, one in zip(axes, need, strict=True) if one == place)
            found *= -(-size // parts) * parts if padded else size
    return found


def _crossing(rows: Sequence[Sequence[Piece]]) -> Iterator[tuple[int, Fraction]]:
    """Yield what comes across an axis: rows of one dimension by those of others."""
    for pieces in product(*rows):
        crossed = [axis for axis, _ in pieces if axis is not None]
        if crossed:
            yield min(crossed), prod((count for _, count in pieces), start=Fraction(1))


def _by_part(
    window: Window, rows: int, need: Sequence[int], place: int, axes: Sequence[int], padded: bool
) -> Iterator[tuple[Piece, ...]]:
    """Yield of each part of a dimension what it needs of each, itself included, by the axis between the two."""
    own = [axis for axis, one in enumerate(need) if one == place]
    parts = prod(axes[axis] for axis in own)
    for taker, needs in enumerate(needed_rows(window, rows, parts, padded=padded)):
        pieces = [(_between(taker, giver, own, axes), count) for giver, count in needs.items()]
        yield tuple(sorted(pieces, key=lambda one: (-1 if one[0] is None else one[0], one[1])))


def _between(one: int, other: int, own: Sequence[int], axes: Sequence[int]) -> int | None:
    """Return the outermost axis on which two parts differ, which are numbered by these axes."""
    found = None
    for axis in reversed(own):
        one, digit = divmod(one, axes[axis])
        other, digit_there = divmod(other, axes[axis])
        found = axis if digit != digit_there else found
    return found

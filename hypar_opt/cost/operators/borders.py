"""What the parts of an operand that is read through windows need of their neighbours, axis by axis, in closed form.

The parts of a dimension lie side by side. Of the axes that it is split on, the innermost lies between most neighbours:
a part can have both of its own across that one, or one of them across any other, where all digits behind roll over.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.operators import Operand, Tensor

Piece: TypeAlias = tuple[int | None, Fraction]
"""Rows, and the axis that they come across; None for a part's own."""


def wait_at_borders(
    operand: Operand,
    tensor: Tensor,
    need: Sequence[int],
    axes: Sequence[int],
    costs: Sequence[tuple[Fraction, Fraction]],
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
        By axis, seconds of a byte and of a message; each neighbour sends one.
    """
    windows = _windows(operand, tensor, need)
    shards = prod(length for length, place in zip(axes, need, strict=True) if place >= 0 and place not in windows)
    row = Fraction(_row_bytes(tensor, windows), shards)

    def wait(kinds: Sequence[Sequence[Piece]]) -> Fraction:
        return sum((row * rows * costs[axis][0] + costs[axis][1] for axis, rows in _pieces(kinds)), start=Fraction(0))

    kinds = (_kinds(tensor.sizes[place], rows, need, place, axes) for place, rows in windows.items())
    return max(map(wait, product(*kinds)), default=Fraction(0))


def energy_of_borders(
    operand: Operand, tensor: Tensor, need: Sequence[int], axes: Sequence[int], costs: Sequence[Fraction]
) -> Fraction:
    """Return what all parts' rows cost.

    Parameters
    ----------
    operand, tensor, need, axes
        As of `wait_at_borders`.
    costs
        By axis, of a byte that every device receives.
    """
    windows = _windows(operand, tensor, need)
    copies = prod(length for length, place in zip(axes, need, strict=True) if place < 0)
    row = Fraction(_row_bytes(tensor, windows) * copies, prod(axes))
    rows = [_all_rows(tensor.sizes[place], halo, need, place, axes) for place, halo in windows.items()]
    return sum((row * count * costs[axis] for axis, count in _pieces(rows)), start=Fraction(0))


def _windows(operand: Operand, tensor: Tensor, need: Sequence[int]) -> dict[int, int]:
    """Return by number the tensor's dimensions that are split and read through windows, with their halos."""
    found = {operand.position(name): window.halo for name, window in operand.windows.items()}
    return {place: halo for place, halo in found.items() if place is not None and halo > 0 and place in need}


def _row_bytes(tensor: Tensor, windows: dict[int, int]) -> int:
    """Return the bytes of one row, or of one pixel where there are two dimensions of rows, of the whole tensor."""
    return tensor.element_bytes * prod(size for place, size in enumerate(tensor.sizes) if place not in windows)


def _pieces(rows: Sequence[Sequence[Piece]]) -> Iterator[tuple[int, Fraction]]:
    """Yield what comes across an axis: rows of one dimension by those of others; corners come across the outermost."""
    for pieces in product(*rows):
        crossed = [axis for axis, _ in pieces if axis is not None]
        if crossed:
            yield min(crossed), prod((count for _, count in pieces), start=Fraction(1))


def _kinds(size: int, halo: int, need: Sequence[int], place: int, axes: Sequence[int]) -> Iterator[list[Piece]]:
    """Yield the rows of each kind of part: across which axes its neighbours lie that have the most of them."""
    *outer, inner = (axis for axis, one in enumerate(need) if one == place)
    parts = prod(axes[axis] for axis in (*outer, inner))
    before, behind = halo // 2, halo - halo // 2
    pairs: list[tuple[int | None, int | None]] = [(None, inner), (inner, None)]
    pairs += [(inner, inner)] if axes[inner] > 2 else []
    pairs += [pair for axis in outer for pair in ((axis, inner), (inner, axis))]
    for first, second in pairs:
        found: list[Piece] = [(None, Fraction(size, parts))]
        found += [(first, Fraction(before))] if first is not None and before else []
        found += [(second, Fraction(behind))] if second is not None else []
        yield found


def _all_rows(size: int, halo: int, need: Sequence[int], place: int, axes: Sequence[int]) -> list[Piece]:
    """Return the rows of all parts together."""
    found: list[Piece] = [(None, Fraction(size))]
    groups = 1
    for axis, one in enumerate(need):
        if one == place:
            found.append((axis, Fraction(groups * (axes[axis] - 1) * halo)))
            groups *= axes[axis]
    return found

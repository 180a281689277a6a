"""What an operator needs of its neighbours' rows where it reads a tensor through windows.

The parts of a dimension lie side by side, in the order of the devices' coordinates on the axes that split it, and a
part needs some rows of the one before it and of the one behind it. Of several such dimensions it needs the corners too.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.placements import WHOLE, needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Word
    from hypar_opt.instance.operators import Operand, Tensor
    from hypar_opt.instance.operators.links import AxisLink


def filled_up(tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int]) -> Tensor:
    """Return a tensor with every dimension padded to so many times the size of its largest part.

    Parameters
    ----------
    tensor, operand, word, sizes
        As of `halo`.
    """
    parts = [prod(size for size, letter in zip(sizes, word, strict=True) if letter == dim) for dim in operand.dims]
    padded = (-(-size // count) * count for size, count in zip(tensor.sizes, parts, strict=True))
    return replace(tensor, sizes=tuple(padded))


def halo(tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int]) -> Mapping[int, Fraction]:
    """Return the bytes that all devices together receive, by the outermost axis on which giver and taker differ.

    Parameters
    ----------
    tensor, operand
        What is read, and how.
    word
        Of the operator that reads it.
    sizes
        Of the axes.
    """
    dims = [dim for dim in operand.windows if dim in operand.dims and dim in word and operand.windows[dim].halo > 0]
    rows = [list(_rows(tensor, operand, dim, word, sizes)) for dim in dims]
    positions = {operand.dims.index(dim) for dim in dims}
    others = prod(size for position, size in enumerate(tensor.sizes) if position not in positions)
    copies = prod(size for size, entry in zip(sizes, needed(operand, word), strict=True) if entry == WHOLE)
    found: dict[int, Fraction] = {}
    for pieces in product(*rows):
        crossed = [axis for axis, _ in pieces if axis is not None]
        if crossed:
            moved = prod((count for _, count in pieces), start=Fraction(1)) * others * copies * tensor.element_bytes
            found[min(crossed)] = found.get(min(crossed), Fraction(0)) + moved
    return found


def slowest(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int], links: Sequence[AxisLink]
) -> Mapping[int, tuple[Fraction, int]]:
    """Return what the device receives that waits longest, by axis: bytes, and messages, one from each neighbour.

    Parameters
    ----------
    tensor, operand, word, sizes
        As of `halo`.
    links
        Along each axis; where a bandwidth is not known, the device with the most bytes.
    """
    known = all(link.bandwidth is not None for link in links)

    def wait(received: Mapping[int, tuple[Fraction, int]]) -> Fraction:
        waits = Fraction(0)
        for axis, (moved, count) in received.items():
            bandwidth = links[axis].bandwidth
            waits += moved / bandwidth + count * links[axis].latency if known and bandwidth is not None else moved
        return waits

    return max(_by_device(tensor, operand, word, sizes), key=wait, default={})


def _by_device(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int]
) -> Iterator[Mapping[int, tuple[Fraction, int]]]:
    """Yield what each device receives, of those alike in the dimensions that are read through windows one."""
    dims = [dim for dim in operand.windows if dim in operand.dims and dim in word and operand.windows[dim].halo > 0]
    positions = {operand.dims.index(dim) for dim in dims}
    others = Fraction(prod(size for position, size in enumerate(tensor.sizes) if position not in positions))
    for size, entry in zip(sizes, needed(operand, word), strict=True):
        others /= size if entry != WHOLE and entry.position not in positions else 1
    for parts in product(*(_of_parts(tensor, operand, dim, word, sizes) for dim in dims)):
        found: dict[int, tuple[Fraction, int]] = {}
        for pieces in product(*parts):
            crossed = [axis for axis, _ in pieces if axis is not None]
            if crossed:
                moved = prod((count for _, count in pieces), start=others) * tensor.element_bytes
                before, messages = found.get(min(crossed), (Fraction(0), 0))
                found[min(crossed)] = before + moved, messages + 1
        yield found


def _of_parts(
    tensor: Tensor, operand: Operand, dim: str, word: Word, sizes: Sequence[int]
) -> Iterator[list[tuple[int | None, Fraction]]]:
    """Yield of each part the rows that it needs."""
    found: list[tuple[int | None, Fraction]] = []
    for axis, count in _rows(tensor, operand, dim, word, sizes):
        if axis is None and found:
            yield found
            found = []
        found.append((axis, count))
    yield found


def _rows(
    tensor: Tensor, operand: Operand, dim: str, word: Word, sizes: Sequence[int]
) -> Iterator[tuple[int | None, Fraction]]:
    """Yield the rows that the parts need: their own, with no axis, and those across each boundary, with its axis.

    A window that reaches over a boundary takes half of its rows from either side; of an odd one more from behind.
    """
    axes = [axis for axis, letter in enumerate(word) if letter == dim]
    position = operand.dims.index(dim)
    parts = list(product(*(range(sizes[axis]) for axis in axes)))
    reach = operand.windows[dim].halo
    for part, _ in enumerate(parts):
        yield None, Fraction(tensor.sizes[position], len(parts))
        for neighbour, count in ((part - 1, reach // 2), (part + 1, reach - reach // 2)):
            if count and 0 <= neighbour < len(parts):
                yield _crossed(axes, parts[part], parts[neighbour]), Fraction(count)


def _crossed(axes: Sequence[int], one: Sequence[int], other: Sequence[int]) -> int:
    return next(axis for axis, here, there in zip(axes, one, other, strict=True) if here != there)

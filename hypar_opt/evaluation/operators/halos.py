"""What an operator needs of other parts' rows where it reads a tensor through windows.

Every position of the output and every row that it reads is looked at, and who has the one and who makes the other: a
row that another part has is needed of that. Of several such dimensions a device needs the rows of each by those of the
others, corners included. The gradient of what a part has read goes back the same way, to be added up where it lies.

Parts have blocks of positions and of the rows that belong to these. Where they do not divide the blocks, block b of
n is cut into p shares, one for each of p parts, of which share s belongs to part floor((b p + s) / n); a share is made
from the shares of the same number, so that rows are fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import gcd, prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.evaluation.operators.placements import WHOLE, needed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.placements import Word
    from hypar_opt.instance.operators import Operand, Tensor, Window
    from hypar_opt.instance.operators.links import AxisLink

Given: TypeAlias = "Mapping[tuple[int, int], Fraction]"
"""By part that needs them and part that has them, rows."""


def filled_up(tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int]) -> Tensor:
    """Return a tensor with every dimension padded to so many times the size of its largest part.

    Those that windows slide along are not: rows are given that are there.

    Parameters
    ----------
    tensor, operand, word, sizes
        As of `halo`.
    """
    parts = [1 if dim in operand.windows else parts_of(dim, word, sizes) for dim in operand.dims]
    padded = (-(-size // count) * count for size, count in zip(tensor.sizes, parts, strict=True))
    return replace(tensor, sizes=tuple(padded))


def parts_of(dim: str | None, word: Word, sizes: Sequence[int]) -> int:
    """Return into how many parts a word splits a dimension."""
    return prod(size for size, letter in zip(sizes, word, strict=True) if letter == dim)


def windowed(operand: Operand, word: Word) -> list[str]:
    """Return the dimensions of an operand that a word splits and that are read through windows."""
    return [dim for dim in operand.windows if dim in operand.dims and dim in word]


@cache
def given_rows(window: Window, rows: int, parts: int, is_padded: bool) -> Given:
    """Return which rows each part needs of each, itself included.

    Parameters
    ----------
    window, rows
        What slides over how many.
    parts
        Of the dimension.
    is_padded
        Whether every part has as many blocks as the largest, but the last ones.
    """
    blocks = gcd(window.positions, rows)
    longest = -(-blocks // parts)
    shares = range(0, parts, gcd(parts, blocks))  # others are where one of these is
    taps = np.arange(window.kernel) * window.dilation - window.before
    read, rest = np.divmod(np.arange(window.positions)[:, None] * window.stride + taps, window.spacing)
    position, tap = np.nonzero((rest == 0) & (read >= 0) & (read < rows))
    found: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
    for share in shares[:1] if is_padded else shares:
        block = np.arange(blocks)
        whose = block // longest if is_padded else (block * parts + share) // blocks
        takers = whose[position // (window.positions // blocks)]
        pairs = np.unique(takers * rows + read[position, tap])
        of_pairs = pairs // rows * parts + whose[pairs % rows // (rows // blocks)]
        for pair, count in zip(*(one.tolist() for one in np.unique(of_pairs, return_counts=True)), strict=True):
            found[divmod(pair, parts)] += Fraction(count, 1 if is_padded else len(shares))
    return dict(found)


def halo(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int], *, is_padded: bool = False
) -> Mapping[int, Fraction]:
    """Return the bytes that all devices together receive, by the outermost axis on which giver and taker differ.

    Parameters
    ----------
    tensor, operand
        What is read, and how; filled up where it is padded.
    word
        Of the operator that reads it.
    sizes
        Of the axes.
    is_padded
        Whether what parts do not divide is padded.
    """
    dims = windowed(operand, word)
    rows = []
    for dim in dims:
        crossed: dict[int | None, Fraction] = defaultdict(Fraction)
        for (taker, giver), count in _given(tensor, operand, dim, word, sizes, is_padded).items():
            crossed[_crossed(dim, word, sizes, taker, giver)] += count
        rows.append(list(crossed.items()))
    positions = {operand.dims.index(dim) for dim in dims}
    others = prod(size for position, size in enumerate(tensor.sizes) if position not in positions)
    copies = prod(size for size, entry in zip(sizes, needed(operand, word), strict=True) if entry == WHOLE)
    found: dict[int, Fraction] = {}
    for pieces in product(*rows):
        axes = [axis for axis, _ in pieces if axis is not None]
        if axes:
            moved = prod((count for _, count in pieces), start=Fraction(1)) * others * copies * tensor.element_bytes
            found[min(axes)] = found.get(min(axes), Fraction(0)) + moved
    return found


def slowest(
    tensor: Tensor,
    operand: Operand,
    word: Word,
    sizes: Sequence[int],
    links: Sequence[AxisLink],
    *,
    is_padded: bool = False,
) -> Mapping[int, tuple[Fraction, int]]:
    """Return what the device receives that waits longest, by axis: bytes, and messages, one from each giver.

    Parameters
    ----------
    tensor, operand, word, sizes, is_padded
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

    return max(_by_device(tensor, operand, word, sizes, is_padded), key=wait, default={})


def _by_device(
    tensor: Tensor, operand: Operand, word: Word, sizes: Sequence[int], is_padded: bool
) -> Iterator[Mapping[int, tuple[Fraction, int]]]:
    """Yield what each device receives, of those alike one."""
    dims = windowed(operand, word)
    positions = {operand.dims.index(dim) for dim in dims}
    others = Fraction(prod(size for position, size in enumerate(tensor.sizes) if position not in positions))
    for size, entry in zip(sizes, needed(operand, word), strict=True):
        others /= size if entry != WHOLE and entry.position not in positions else 1
    for parts in product(*(_of_parts(tensor, operand, dim, word, sizes, is_padded) for dim in dims)):
        found: dict[int, tuple[Fraction, int]] = {}
        for pieces in product(*parts):
            crossed = [axis for axis, _ in pieces if axis is not None]
            if crossed:
                moved = prod((count for _, count in pieces), start=others) * tensor.element_bytes
                before, messages = found.get(min(crossed), (Fraction(0), 0))
                found[min(crossed)] = before + moved, messages + 1
        yield found


def _of_parts(
    tensor: Tensor, operand: Operand, dim: str, word: Word, sizes: Sequence[int], is_padded: bool
) -> frozenset[tuple[tuple[int | None, Fraction], ...]]:
    """Return what parts need: rows of their own, with no axis, and of each other that has some, with its axis."""
    found: dict[int, list[tuple[int | None, Fraction]]] = defaultdict(list)
    for (taker, giver), count in _given(tensor, operand, dim, word, sizes, is_padded).items():
        found[taker].append((_crossed(dim, word, sizes, taker, giver), count))
    return frozenset(tuple(sorted(one, key=str)) for one in found.values())


def _given(tensor: Tensor, operand: Operand, dim: str, word: Word, sizes: Sequence[int], is_padded: bool) -> Given:
    rows = tensor.sizes[operand.dims.index(dim)]
    return given_rows(operand.windows[dim], rows, parts_of(dim, word, sizes), is_padded)


def _crossed(dim: str, word: Word, sizes: Sequence[int], one: int, other: int) -> int | None:
    """Return the outermost axis on which two parts of a dimension differ, None where they are the same part."""
    axes = [axis for axis, letter in enumerate(word) if letter == dim]
    places = zip(axes, *(np.unravel_index(part, [sizes[axis] for axis in axes]) for part in (one, other)), strict=True)
    return next((axis for axis, here, there in places if here != there), None)

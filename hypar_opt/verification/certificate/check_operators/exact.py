"""Tables of exact integers, and how much of them there may be.

Every table goes with a number that none of its entries exceeds, whatever their signs. What makes a new one works out
that number first, as one of Python's integers, and chooses the type of the entries by it: 64 bits where they fit, else
Python's integers. No sum is wrapped around, rounded or cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .archive import Array, expect

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_BYTES = 2**28  # of a table; there are a few at a time
MOST_IN_ALL = 2**30  # bytes of all tables of costs
MOST_WORK = 2**35  # numbers of all tables that are ever computed
CELLS = 2**20  # of a cluster's sums, how many are there at a time


def size_of(entries: int, most: int) -> int:
    """Return the bytes of so many integers, none of which exceeds `most`; Python's are objects behind pointers."""
    return entries * (8 if most < 2**63 else 56 + most.bit_length() // 7)


def dtype_of(entries: int, most: int) -> Any:
    """Return the type of so many integers, none of which exceeds `most`; refuse them if they need too much memory."""
    size = size_of(entries, most)
    text = f"expected tables of at most {MOST_BYTES} bytes, {entries} numbers of {most.bit_length()} bits need {size}"
    expect(size <= MOST_BYTES, text)
    return np.int64 if most < 2**63 else object


@dataclass
class WorkRoom:
    """How much may still be computed, and kept.

    Parameters
    ----------
    work
        Numbers of tables that may still be computed.
    memory
        Bytes of tables that may still be kept.
    """

    work: int = field(default_factory=lambda: MOST_WORK)
    memory: int = field(default_factory=lambda: MOST_IN_ALL)

    def spend(self, entries: int, most: int = 0) -> None:
        """Compute so many numbers, none of which exceeds `most`; Python's integers are slower, and count 64 times."""
        self.work -= entries * (1 if most < 2**63 else 64)
        expect(self.work >= 0, f"expected tables of at most {MOST_WORK} numbers to be computed in all")

    def keep(self, table: ExactTable) -> ExactTable:
        """Return a table that is kept."""
        self.memory -= size_of(table.values.size, table.most)
        expect(self.memory >= 0, f"expected at most {MOST_IN_ALL} bytes in all tables of costs")
        return table


@dataclass(frozen=True, eq=False)
class ExactTable:
    """Exact integers. Without axes, too, an array stays one, since NumPy's single numbers have other rules.

    Parameters
    ----------
    values
        Of 64 bits, or Python's.
    most
        What none of them exceeds, whatever its sign.
    """

    values: Array
    most: int

    @staticmethod
    def of(raw: Array) -> ExactTable:
        """Return integers as they are read: of 64 bits, or Python's."""
        most = max(int(raw.max(initial=0)), -int(raw.min(initial=0)))
        return ExactTable(raw.astype(dtype_of(raw.size, most)), most)

    def __add__(self, other: ExactTable) -> ExactTable:
        most = self.most + other.most
        dtype = dtype_of(self.values.size, most)
        return ExactTable(np.asarray(self.values.astype(dtype) + other.values.astype(dtype), dtype), most)

    def times(self, factor: int) -> ExactTable:
        """Return so many times these numbers."""
        most = max(self.most, abs(factor), self.most * abs(factor))
        dtype = dtype_of(self.values.size, most)
        return ExactTable(np.asarray(self.values.astype(dtype) * np.array(factor, dtype), dtype), most)

    def where(self, kept: Array) -> ExactTable:
        """Return these numbers, and 0 where they are not kept."""
        return ExactTable(np.where(kept, self.values, np.array(0, self.values.dtype)), self.most)


def least(sizes: Sequence[int], tables: Sequence[tuple[tuple[int, ...], ExactTable]], room: WorkRoom) -> int:
    """Return the least sum of tables over some variables.

    Parameters
    ----------
    sizes
        Of the variables' domains.
    tables
        Each with the positions of the variables that it is over, an axis each.
    room
        What may be computed.
    """
    most = sum(table.most for _, table in tables)
    dtype = np.int64 if most < 2**63 else object
    spread = sorted((_spread(axes, table.values, len(sizes)) for axes, table in tables), key=lambda one: one.size)
    shape = [1] * len(sizes)
    for one in spread:
        shape = [max(pair) for pair in zip(shape, one.shape, strict=True)]
        room.spend(prod(shape), most)
    found: int | None = None
    for part in _parts(shape):
        total = np.zeros([1] * len(sizes), dtype)
        for one in spread:
            place = tuple(at if length > 1 else slice(None) for at, length in zip(part, one.shape, strict=True))
            total = total + one[place].astype(dtype, copy=False)  # which has as many axes as there are variables
        here = int(total.min())
        found = here if found is None else min(found, here)
    assert found is not None  # a domain is never empty
    return found


def _spread(axes: tuple[int, ...], values: Array, count: int) -> Array:
    """Return a table with an axis for each of so many variables, of length 1 where it is not over it."""
    lengths = dict(zip(axes, values.shape, strict=True))
    turned = values.transpose(sorted(range(len(axes)), key=axes.__getitem__))
    return turned.reshape([lengths.get(axis, 1) for axis in range(count)])


def _parts(shape: Sequence[int]) -> Iterator[tuple[slice, ...]]:
    """Yield places that cover a table, each of a few cells."""
    behind, steps = 1, []
    for length in reversed(shape):
        steps.append(max(1, min(length, CELLS // behind)))
        behind *= length
    ranges = (range(0, length, step) for length, step in zip(shape, reversed(steps), strict=True))
    for begin in product(*ranges):
        yield tuple(slice(at, at + step) for at, step in zip(begin, reversed(steps), strict=True))

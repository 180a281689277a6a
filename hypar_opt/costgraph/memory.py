"""What the values of variables keep in memory, and for how long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypar_opt.costgraph.unary import Array


def offsets(sizes: Array) -> Array:
    """Return where the parts of a flat array begin, and where the last one ends."""
    found = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


def ranges(starts: Array, lengths: Array) -> Array:
    """Return start, start + 1, ..., start + length - 1 of one after the other."""
    found: Array = np.repeat(starts - offsets(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    return found


def least_of(values: Array, starts: Array) -> Array:
    """Return the least number of every part of a flat array; no part is empty.

    Parameters
    ----------
    starts
        Where the parts begin, and where the last one ends.
    """
    least: Array = np.minimum.reduceat(values, starts[:-1]) if len(starts) > 1 else values
    return least


@dataclass(frozen=True, eq=False)
class Memory:
    """Rows, one a moment, each of which has so much room; and items, which take some of it.

    Parameters
    ----------
    holders
        By item, the variable whose value decides how much it takes; shape (items,).
    spans
        By item, the rows [first, last) in which it does; shape (items, 2).
    starts
        Where in `usages` an item's begin; shape (items + 1,).
    usages
        What every item takes with every value of its holder, none below 0; item by item.
    room
        By row, what there is; may be below 0, where there is no plan.
    moments
        By row, the time that it stands for.
    """

    holders: Array
    spans: Array
    starts: Array
    usages: Array
    room: Array
    moments: Array

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.room)

    @property
    def items(self) -> int:
        """Number of items."""
        return len(self.holders)

    def of(self, item: int) -> Array:
        """Return what an item takes, by its holder's value."""
        own: Array = self.usages[self.starts[item] : self.starts[item + 1]]
        return own

    def used(self, choices: Array) -> Array:
        """Return what an assignment takes, by row; shape (rows,)."""
        taken = self.usages[self.starts[:-1] + choices[self.holders]]
        return self.summed(taken)

    def summed(self, taken: Array) -> Array:
        """Return by row the sum of what the items take, one number each; shape (rows,)."""
        steps = np.zeros(self.rows + 1, dtype=taken.dtype)
        np.add.at(steps, self.spans[:, 0], taken)
        np.subtract.at(steps, self.spans[:, 1], taken)
        sums: Array = np.cumsum(steps[:-1])
        return sums

    def by_holder(self, count: int) -> tuple[Array, Array]:
        """Return the items by holder, as an order of them and where in it a holder's begin; shape (count + 1,).

        Parameters
        ----------
        count
            Number of variables.
        """
        order = np.argsort(self.holders, kind="stable")
        return order, np.searchsorted(self.holders[order], np.arange(count + 1))

    def restricted(self, items: Array, rows: Array) -> Memory:
        """Return some of the items and some of the rows.

        Parameters
        ----------
        items, rows
            By item and by row, whether it stays.
        """
        lengths = np.diff(self.starts)
        return Memory(
            self.holders[items],
            offsets(rows)[self.spans[items]],
            offsets(lengths[items]),
            self.usages[np.repeat(items, lengths)],
            self.room[rows],
            self.moments[rows],
        )

    @staticmethod
    def none() -> Memory:
        """Return the memory of a problem without any."""
        empty = np.zeros(0, dtype=np.int64)
        return Memory(empty, empty.reshape(0, 2), np.zeros(1, dtype=np.int64), empty, empty, empty)

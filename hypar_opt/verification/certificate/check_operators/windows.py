"""What windows read that slide over parts: rows of other parts than their own (docs/operators.md)."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd, prod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from .exact import ExactTable
from .placements import WHOLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .exact import WorkRoom
    from .placements import Lies

Window: TypeAlias = "tuple[int, int, int, int, int, int]"
"""Its `FIELDS`: position o reads row i where spacing i = stride o + dilation j - before for a j < kernel."""
FIELDS = ("positions", "kernel", "stride", "dilation", "before", "spacing")


def window_of(given: Mapping[str, int]) -> Window:
    """Return a window of the header."""
    positions, kernel, stride, dilation, before, spacing = (given[name] for name in FIELDS)
    return positions, kernel, stride, dilation, before, spacing


@dataclass(frozen=True)
class WindowRows:
    """What an operator reads through windows of an operand, and how it has to lie.

    Parameters
    ----------
    need
        How it has to lie.
    windows
        Numbers of the operand's dimensions that are read through one, each with that.
    shape
        Sizes of the operand's dimensions.
    each
        Bytes of an element.
    """

    need: Lies
    windows: tuple[tuple[int, Window], ...]
    shape: tuple[int, ...]
    each: int

    def lacking(self, axes: Sequence[int], room: WorkRoom, *, padded: bool) -> ExactTable:
        """Return what all parts read and have not, in 1/D of a byte.

        Of the rows of each dimension they read so many together, and have so many of those: the products of either over
        the dimensions are what they need, and what they have of it. Where parts are padded, dimensions without windows
        are filled up to multiples of their parts.
        """
        rows, places = np.unique(self.need.rows, axis=0, return_inverse=True)
        known: dict[tuple[int, int], tuple[int, int]] = {}
        found = []
        for need in rows.tolist():
            parts = [prod(length for length, one in zip(axes, need, strict=True) if one == at) for at in range(-1, 16)]
            copies, left, wanted, held = parts[WHOLE + 1], prod(axes), self.each, self.each
            slide = dict(self.windows)
            for at, size in enumerate(self.shape):
                cut = parts[at + 1]
                if at not in slide or cut == 1:
                    filled = -(-size // cut) * cut if padded and at not in slide else size
                    wanted, held = wanted * filled, held * filled
                    continue
                if (at, cut) not in known:
                    known[at, cut] = rows_read(slide[at], size, cut, room, padded=padded)
                wanted, held, left = wanted * known[at, cut][0], held * known[at, cut][1], left // cut
            found.append((wanted - held) * copies * left)
        return ExactTable.of(np.array(found, object)[places.reshape(-1)])


def rows_read(window: Window, rows: int, parts: int, room: WorkRoom, *, padded: bool) -> tuple[int, int]:
    """Return `parts` times the rows that all parts read together, and have of what they read.

    Positions and rows fall into blocks that belong together. Of parts that do not divide these, each block is cut into
    shares, one for every part, and a share is made from the shares of the same number: the mean over these is taken.
    """
    positions, kernel, stride, dilation, before, spacing = window
    blocks = gcd(positions, rows)
    longest, shares = -(-blocks // parts), 1 if padded or blocks % parts == 0 else parts
    room.spend(64 * shares * positions * kernel)
    read = own = 0
    for share in range(shares):
        by_part: dict[int, set[int]] = {}
        for position in range(positions):
            block, first = position // (positions // blocks), stride * position - before
            part = block // longest if shares == 1 else (block * parts + share) // blocks
            seen = (at // spacing for at in range(first, first + dilation * kernel, dilation) if at % spacing == 0)
            by_part.setdefault(part, set()).update(row for row in seen if 0 <= row < rows)
        for part, those in by_part.items():
            whose = (row // (rows // blocks) for row in those)
            has = (one // longest if shares == 1 else (one * parts + share) // blocks for one in whose)
            read, own = read + len(those), own + sum(one == part for one in has)
    return read * parts // shares, own * parts // shares

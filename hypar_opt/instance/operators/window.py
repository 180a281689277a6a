"""Windows that slide along a dimension: which rows of an operand each position of the output is made from."""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd


@dataclass(frozen=True)
class Window:
    """A window that slides along a dimension of an operand.

    Position o of the output reads row i where spacing i = stride o + dilation j - before for a j from 0 to kernel - 1;
    what is no row of the operand is padding.

    Parameters
    ----------
    positions
        How many there are.
    kernel
        How many rows each reads, padding included.
    stride
        From a position to the next.
    dilation
        From one row that a position reads to the next.
    before
        How many rows in front of the first one the first position begins.
    spacing
        How far apart rows lie: the stride of a transposed convolution.
    """

    positions: int
    kernel: int
    stride: int = 1
    dilation: int = 1
    before: int = 0
    spacing: int = 1

    @property
    def span(self) -> int:
        """From the first to the last that a position sees."""
        return self.dilation * (self.kernel - 1) + 1

    def blocks(self, rows: int) -> int:
        """Return into how many equal blocks the positions and so many rows fall, one of each belonging together."""
        return gcd(self.positions, rows)

    def is_aligned(self, rows: int) -> bool:
        """Return whether no block of positions reads rows of another block than its own: then parts need none either.

        Of the blocks between, what the first position of one and the last one of the block before read is linear in the
        block's number, so that the outermost tell.
        """
        blocks = self.blocks(rows)
        positions, own = self.positions // blocks, rows // blocks
        for block in {1, blocks - 1} - {0, blocks}:
            first = self.stride * block * positions - self.before
            last = self.stride * (block * positions - 1) + self.span - 1 - self.before
            if -(-first // self.spacing) < block * own or last // self.spacing >= block * own:
                return False
        return True

"""What decides the shares of an array's splits: nothing, the instance, or the search."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

EQUAL = Fraction(1, 2)


@dataclass(frozen=True)
class GivenShares:
    """Shares that are given.

    Parameters
    ----------
    first
        By split, what its first half gets; strictly between 0 and 1.
    """

    first: tuple[Fraction, ...]


@dataclass(frozen=True)
class WholeShares:
    """Shares that are decided: at every split the first half gets k of so many equal parts, 0 < k < parts.

    Parameters
    ----------
    parts
        At least 2.
    """

    parts: int


@dataclass(frozen=True)
class ExactShares:
    """A share that is decided, any number: either half gets a sample of the batch at least, or as much of what is cut.

    That is the range in which whole shares are, too. Without it the least time may have no share at all: where one half
    alone is better, the more the other half gives up the better, but for the last bit, as it still takes part in sums.
    """

    def ends(self, batch: int) -> tuple[Fraction, Fraction]:
        """Return the least share and the largest, both of them allowed."""
        return Fraction(1, batch), Fraction(batch - 1, batch)


Shares: TypeAlias = GivenShares | WholeShares | ExactShares

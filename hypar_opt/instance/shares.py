"""What decides the shares of an array's splits: nothing, the instance, or the search; for all layers or for each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

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


@dataclass(frozen=True)
class GridShares:
    """Shares that are decided for every layer by itself: the first half gets k of so many equal parts, 0 < k < grid.

    Parameters
    ----------
    grid
        At least 2.
    """

    grid: int


Shares: TypeAlias = GivenShares | WholeShares | ExactShares | GridShares


def own_share(layer: str, split: str) -> str:
    """Return what a plan calls the share that a layer has of its own at a split."""
    return f"{layer}/{split}"


def share_of(shares: Mapping[str, Fraction], layer: str, split: str) -> Fraction | None:
    """Return the share of a plan that a layer has at a split, its own or that of all; None where it is not cut."""
    return shares.get(split, shares.get(own_share(layer, split)))

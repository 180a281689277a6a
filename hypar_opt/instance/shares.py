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
    """Shares that are decided, any numbers between 0 and 1."""


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

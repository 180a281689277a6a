"""Why no other shares are better, as data: the boxes of shares that a search looked at, and how each was closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hypar_opt.util.numbers import exact


class Closing(NamedTuple):
    """Why no box of shares that it is said of has a better plan.

    Parameters
    ----------
    name
        As in files.
    summary
        For tables.
    """

    name: str
    summary: str


WEIGHTS: Final = Closing("weights", "the least weighted sum at every corner is no better")
MEMORY: Final = Closing("memory", "no words fit into the memories")
TABLES: Final = Closing("tables", "no words keep what classes need at least below the best step")
PLANS: Final = Closing("plans", "all words that could be better were looked at")
CLOSINGS: Final[Mapping[str, Closing]] = MappingProxyType({one.name: one for one in (WEIGHTS, MEMORY, TABLES, PLANS)})
"""By name; a further way to close boxes has its record here."""


@dataclass(frozen=True)
class SearchedBox:
    """A box of shares that was looked at.

    Parameters
    ----------
    number
        From 1, each once.
    within
        The number of the box that it is a part of; 0 of the first.
    low, high
        By split, the ends, both of them shares in the box.
    weights
        By wait and class, what a second weighs in the sums that bound it, or leave words out; None where none were
        asked for.
    bound
        Seconds: no better plan in it was known to take less.
    closed
        The name of a `Closing`; None where it was cut into others, or left open.
    """

    number: int
    within: int
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    weights: tuple[tuple[Fraction, ...], ...] | None = None
    bound: Fraction | None = None
    closed: str | None = None


@dataclass(frozen=True)
class ShareEvidence:
    """All boxes that a search looked at.

    Parameters
    ----------
    parts
        Shares are multiples of one over this; None where they are given.
    boxes
        The first holds all shares; those that one was cut into hold all of its own.
    """

    parts: int | None
    boxes: tuple[SearchedBox, ...]

    @property
    def document(self) -> dict[str, Any]:
        """What plan files have: numbers exact, as text."""
        return {"parts": self.parts, "boxes": [_box(one) for one in self.boxes]}


def _box(one: SearchedBox) -> dict[str, Any]:
    return {
        "number": one.number,
        "within": one.within,
        "low": _row(one.low),
        "high": _row(one.high),
        "weights": None if one.weights is None else [_row(row) for row in one.weights],
        "bound": exact(one.bound),
        "closed": one.closed,
    }


def _row(numbers: tuple[Fraction, ...]) -> str:
    return " ".join(map(str, numbers))

"""What the evaluator is told and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Bytes: TypeAlias = int | Fraction
"""Exact; only the leaves' own boxes can be fractions of a byte."""
LEAF_EXACT = "leaf-exact"
"""The accounting that lays out the boxes of all leaves."""


@dataclass(frozen=True)
class Setting:
    """What the bytes of a plan depend on beside the network.

    Parameters
    ----------
    batch, levels, accounting, bytes_per_element
        As in the instance.
    """

    batch: int
    levels: int
    accounting: str
    bytes_per_element: int


@dataclass(frozen=True)
class Breakdown:
    """Where the bytes of a plan go.

    Parameters
    ----------
    intra
        By layer, bytes at each level.
    inter
        By boundary (in the workload's order), bytes at each level.
    """

    intra: tuple[tuple[int, ...], ...]
    inter: tuple[tuple[Bytes, ...], ...]

    @property
    def total(self) -> Bytes:
        """All bytes."""
        return whole(sum(sum(row) for row in (*self.intra, *self.inter)))

    def level(self, h: int) -> Bytes:
        """Return the bytes of one level (from 0)."""
        return whole(sum(row[h] for row in (*self.intra, *self.inter)))


def whole(number: Bytes) -> Bytes:
    """Return an integer where the number is one."""
    return int(number) if number == int(number) else number

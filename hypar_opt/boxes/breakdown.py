"""What the evaluator is told and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Bytes: TypeAlias = int | Fraction
"""Exact; only the leaves' own boxes can be fractions of a byte."""
LEAF_EXACT = "leaf-exact"
"""The accounting that lays out the boxes of all leaves."""


@dataclass(frozen=True)
class Setting:
    """What the bytes of a plan depend on beside the network.

    Parameters
    ----------
    batch, levels, accounting, bytes_per_element, input_error
        As in the instance.
    """

    batch: int
    levels: int
    accounting: str
    bytes_per_element: int
    input_error: bool = True


@dataclass(frozen=True)
class Breakdown:
    """Where the bytes of a plan go.

    Parameters
    ----------
    intra
        By layer, bytes at each level.
    forward
        By boundary (in the workload's order), bytes of F at each level.
    backward
        The same of E.
    strategies
        By layer: the plan.
    """

    intra: tuple[tuple[int, ...], ...]
    forward: tuple[tuple[Bytes, ...], ...]
    backward: tuple[tuple[Bytes, ...], ...]
    strategies: Mapping[str, str]

    @cached_property
    def inter(self) -> tuple[tuple[Bytes, ...], ...]:
        """By boundary, bytes of F and E at each level."""
        return tuple(
            tuple(whole(feature + error) for feature, error in zip(*rows, strict=True))
            for rows in zip(self.forward, self.backward, strict=True)
        )

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

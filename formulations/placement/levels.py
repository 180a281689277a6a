"""Levels exchanged: another naming of the leaves, by which the levels of a placement change places."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def exchanged(placed: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return the placement whose level h weighs what level order[h] of the given one does.

    A leaf whose bit of level h is set stands where the leaf with the bit of level order[h] stood.
    """
    levels = len(order)

    def origin(leaf: int) -> int:
        return sum(1 << levels - 1 - old for h, old in enumerate(order) if leaf >> levels - 1 - h & 1)

    return tuple(placed[origin(leaf)] for leaf in range(1 << levels))


def descending(numbers: Sequence[int]) -> tuple[int, ...]:
    """Return the positions of numbers, the largest first."""
    return tuple(sorted(range(len(numbers)), key=lambda i: -numbers[i]))


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """Return where every position is in an order of them."""
    return tuple(sorted(range(len(order)), key=order.__getitem__))

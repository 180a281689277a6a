"""In which order variables are eliminated, and over which others what is left of each then is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class EliminationOrder:
    """In which order variables are eliminated.

    Parameters
    ----------
    order
        The variables.
    scopes
        By variable, those behind it that its message is over, as they come.
    """

    order: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """By variable, those whose messages it is the first to take."""
        found: list[list[int]] = [[] for _ in self.order]
        for one in self.order:
            if self.scopes[one]:
                found[self.scopes[one][0]].append(one)
        return tuple(map(tuple, found))


def order_of(sizes: Sequence[int], pairs: Sequence[tuple[int, int]]) -> EliminationOrder:
    """Return an order by the least tables first."""
    near: dict[int, set[int]] = {one: set() for one in range(len(sizes))}
    for first, second in pairs:
        near[first].add(second)
        near[second].add(first)
    order: list[int] = []
    scopes: dict[int, set[int]] = {}
    while near:
        one = min(near, key=lambda v: (prod(sizes[other] for other in near[v]) * sizes[v], v))
        around = near.pop(one)
        for other in around:
            near[other] |= around - {other}
            near[other].discard(one)
        order.append(one)
        scopes[one] = around
    place = {one: at for at, one in enumerate(order)}
    return EliminationOrder(
        tuple(order), tuple(tuple(sorted(scopes[one], key=place.__getitem__)) for one in range(len(sizes)))
    )

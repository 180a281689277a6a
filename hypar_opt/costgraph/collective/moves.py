"""Sends as the choices of a solution: a row of integers each, one behind the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HEAD: Final = 5
"""Integers in front of a route."""


class Move(NamedTuple):
    """A chunk on its way: when it begins and ends, by which nodes, and whether it is added to what is there."""

    begin: int
    end: int
    chunk: int
    route: tuple[int, ...]
    adds: bool = False


def written(moves: Iterable[Move]) -> tuple[int, ...]:
    """Return moves as choices: of each its chunk, whether it adds, begin, end, and the number and names of nodes."""
    return tuple(
        number
        for one in sorted(moves)
        for number in (one.chunk, int(one.adds), one.begin, one.end, len(one.route), *one.route)
    )


def read_moves(choices: Sequence[int]) -> list[Move]:
    """Return the moves that choices are.

    Raises
    ------
    ValueError
        If they break off, or what says whether something is added is neither 0 nor 1.
    """
    found, place = [], 0
    while place < len(choices):
        head = choices[place : place + _HEAD]
        if len(head) < _HEAD or head[4] < 0 or head[1] not in (0, 1):
            raise ValueError(f"choices break off at {place}")
        chunk, adds, begin, end, length = head
        place += _HEAD + length
        if place > len(choices):
            raise ValueError(f"a route breaks off at {place - length}")
        found.append(Move(begin, end, chunk, tuple(choices[place - length : place]), bool(adds)))
    return found

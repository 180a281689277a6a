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
    found, place, whole = [], 0, len(choices)
    while place < whole:
        route = place + _HEAD
        if route > whole:
            raise ValueError(f"choices break off at {place}")
        chunk, adds, begin, end, length = choices[place:route]
        if length < 0 or adds not in (0, 1):
            raise ValueError(f"choices break off at {place}")
        place = route + length
        if place > whole:
            raise ValueError(f"a route breaks off at {route}")
        found.append(Move(begin, end, chunk, tuple(choices[route:place]), bool(adds)))
    return found

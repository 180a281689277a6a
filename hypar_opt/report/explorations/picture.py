"""The two things that span the map of an exploration."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.report.explorations.terminal import free_layers

if TYPE_CHECKING:
    from hypar_opt.exploring import Exploration

MOST_TICKS: Final = 32
"""Rows, or columns, of a map that can still be read."""


@dataclass(frozen=True)
class Grid:
    """The two things that span a map: what they are, their words, and a combination for every pair of words."""

    rows: str
    columns: str
    row_words: tuple[str, ...]
    column_words: tuple[str, ...]
    indices: tuple[tuple[int, ...], ...]


def grid_of(found: Exploration) -> Grid | None:
    """Return the map of an exploration of two layers, or of two levels; None where neither is, or it is too large."""
    space = found.space
    if len(space.free) == 2 and max(space.shape) <= MOST_TICKS:
        words = [space.problem.base.variables[i].words for i in space.free]
        named = [
            tuple(one.word(choice) for choice in space.candidates[i])
            for one, i in zip(words, space.free, strict=True)
            if one is not None
        ]
        columns = space.shape[1]
        indices = tuple(tuple(i * columns + j for j in range(columns)) for i in range(space.shape[0]))
        first, second = free_layers(found)
        return Grid(first, second, named[0], named[1], indices)
    return _by_level(found)


def _by_level(found: Exploration) -> Grid | None:
    """Return the map of two levels: a word is a letter of every free layer, in their order."""
    space = found.space
    letters = space.problem.instance.choices
    count = len(letters) ** len(space.free)
    if len(space.levels) != 2 or count > MOST_TICKS or prod(space.shape) != count**2 or not space.free:
        return None
    # a layer's candidates come in the order of its letters: the upper level's first, then the lower one's
    positions = list(product(range(len(letters)), repeat=len(space.free)))
    spelt = tuple("".join(letters[one] for one in word) for word in positions)
    indices = tuple(tuple(_index(upper, lower, len(letters)) for lower in positions) for upper in positions)
    upper, lower = space.levels
    names = ", ".join(free_layers(found))
    return Grid(f"level {upper}: {names}", f"level {lower}: {names}", spelt, spelt, indices)


def _index(upper: tuple[int, ...], lower: tuple[int, ...], letters: int) -> int:
    index = 0
    for first, second in zip(upper, lower, strict=True):
        index = index * letters**2 + first * letters + second
    return index

"""Where a tensor lies while an operator reads or writes it, by the operator's word: an entry for every axis."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators import Operand, Operator

Word: TypeAlias = tuple[str, ...]
"""By axis, the dimension that is split there, or `none`."""
NONE: Final = "none"
"""Every group of the axis computes all of it."""


@dataclass(frozen=True)
class Entry:
    """How a tensor lies on one axis: whole in every group, unless told otherwise.

    Parameters
    ----------
    position
        The tensor's dimension that is split.
    is_partial
        Whether every group holds a summand of it.
    """

    position: int | None = None
    is_partial: bool = False


Placement: TypeAlias = tuple[Entry, ...]
"""By axis."""
WHOLE: Final = Entry()
PARTIAL: Final = Entry(is_partial=True)


def needed(operand: Operand, word: Sequence[str]) -> Placement:
    """Return how an operator needs what it reads, or the gradient of what it writes: whole where it is not split."""
    return _needed(operand.dims, tuple(word))


def written(operator: Operator, word: Sequence[str]) -> Placement:
    """Return how an operator's output lies: what is split and not in it was summed over."""
    return _left(operator.output.dims, tuple(word), ())


def produced(operator: Operator, operand: Operand, word: Sequence[str]) -> Placement:
    """Return how the gradient of an operand lies.

    What is added to the output when that is summed up takes the output's gradient as it is, which all groups have that
    split a dimension that the output lacks.
    """
    word = tuple(word)
    whole = tuple(x for x in word if x not in operator.output.dims) if operand.is_added else ()
    return _left(operand.dims, word, whole)


@cache
def _needed(dims: tuple[str | None, ...], word: Word) -> Placement:
    return tuple(Entry(dims.index(letter)) if letter in dims else WHOLE for letter in word)


@cache
def _left(dims: tuple[str | None, ...], word: Word, whole: Word) -> Placement:
    """Return how a tensor lies behind an operator that is split by a word; on dimensions in `whole` it is whole."""

    def entry(letter: str) -> Entry:
        if letter in dims and letter not in whole:
            return Entry(dims.index(letter))
        return WHOLE if letter == NONE or letter in whole else PARTIAL

    return tuple(map(entry, word))

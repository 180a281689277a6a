"""Where a tensor lies while an operator reads or writes it, by the operator's word: an entry for every axis."""

from __future__ import annotations

from dataclasses import dataclass
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
    return tuple(Entry(operand.position(letter)) for letter in word)


def written(operator: Operator, word: Sequence[str]) -> Placement:
    """Return how an operator's output lies: what is split and not in it was summed over."""
    return tuple(_left(operator.output, letter) for letter in word)


def produced(operator: Operator, operand: Operand, word: Sequence[str]) -> Placement:
    """Return how the gradient of an operand lies.

    What is added to the output when that is summed up takes the output's gradient as it is, which all groups have that
    split a dimension that the output lacks.
    """
    return tuple(
        WHOLE if operand.is_added and operator.output.position(letter) is None else _left(operand, letter)
        for letter in word
    )


def _left(operand: Operand, letter: str) -> Entry:
    position = operand.position(letter)
    return PARTIAL if position is None and letter != NONE else Entry(position)

"""How tensors lie under an operator's words: in shards, whole, or in partial sums.

A placement is an entry an axis: the number of the tensor's dimension of which every group has a shard, `WHOLE` where
every group has all of it, or `PARTIAL` where the groups' tensors have to be added up. Placements of many words stand
in one array, a row a word.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators import Operand, Operator, Statistic

Placements: TypeAlias = "NDArray[np.int8]"
"""Shape (words, axes)."""
Word: TypeAlias = "tuple[str, ...]"
"""By axis the dimension that an operator is split along, or `none`."""
NONE: Final = "none"
"""In a word: every group computes all of it."""
FLAT: Final = 127
"""In place of a dimension: all numbers of a device in a row, which are cut anywhere."""
WHOLE: Final = -1
PARTIAL: Final = -2


def needed(operand: Operand, words: Sequence[Word]) -> Placements:
    """Return how an operand has to lie for an operator to run by its words."""
    return _by_letter(words, lambda letter: _along(operand, letter, WHOLE))


def written(operator: Operator, words: Sequence[Word]) -> Placements:
    """Return how an operator's output lies."""
    return _by_letter(words, lambda letter: _along(operator.output, letter, WHOLE if letter == NONE else PARTIAL))


def needed_gradient(operator: Operator, words: Sequence[Word]) -> Placements:
    """Return how the gradient of an operator's output has to lie for its backward phase."""
    return needed(operator.output, words)


def written_gradient(operator: Operator, operand: Operand, words: Sequence[Word]) -> Placements:
    """Return how the gradient of an operand lies that an operator's backward phase writes.

    Where the operand does not run along what is split, every part has summed over its own share of that dimension
    only. What is added to the output sums over the dimensions of the output, and over no other.
    """

    def lies(letter: str) -> int:
        summed = letter != NONE and not (operand.is_added and operator.output.position(letter) is None)
        return _along(operand, letter, PARTIAL if summed else WHOLE)

    return _by_letter(words, lies)


def alike_before(operator: Operator, place: int, lies: Callable[[Operand], Placements]) -> NDArray[np.bool_]:
    """Return by words whether an operand lies as one before it of the same tensor.

    Parameters
    ----------
    place
        The operand's.
    lies
        Returns the placements of an operand by words.
    """
    own = operator.operands[place]
    here = lies(own)
    found = np.zeros(len(here), dtype=bool)
    for one in operator.operands[:place]:
        if one.tensor == own.tensor:
            found |= (lies(one) == here).all(axis=1)
    return found


def needed_before(operator: Operator, place: int, words: Sequence[Word], *, kept: bool = False) -> NDArray[np.bool_]:
    """Return by words whether an operand is needed as one before it of the same tensor, which is then that one.

    Parameters
    ----------
    kept
        Whether those come first that the backward phase reads: which of several decides what is kept of them.
    """
    own = operator.operands[place]
    before = operator.operands[:place]
    if kept:
        before = tuple(one for one in before if one.saved >= own.saved)
        before += tuple(one for one in operator.operands[place + 1 :] if one.saved > own.saved)
    return alike_before(replace(operator, operands=(*before, own)), len(before), lambda one: needed(one, words))


def summed_statistic(statistic: Statistic, words: Sequence[Word]) -> Placements:
    """Return how a statistic lies before it is summed up."""

    def lies(letter: str) -> int:
        if letter == NONE:
            return WHOLE
        return statistic.dims.index(letter) if letter in statistic.dims else PARTIAL

    return _by_letter(words, lies)


def stored(gradient: Placements, need: Placements) -> Placements:
    """Return how a parameter's shards lie that are shared out wherever its gradient has to be added up."""
    return np.where((gradient == PARTIAL) & (need == WHOLE), np.int8(FLAT), need)


def held(placements: Placements, axes: Sequence[int]) -> Array:
    """Return what a device has of a tensor by placements, in units of 1 / devices of it; shape (words,)."""
    found: Array = np.where(placements >= 0, 1, np.array(axes, dtype=object)).prod(axis=-1)
    return found


def complete(placements: Placements) -> Placements:
    """Return the placements with all partial sums added up, each part having all of them."""
    return np.where(placements == PARTIAL, np.int8(WHOLE), placements)


def _along(operand: Operand, letter: str, otherwise: int) -> int:
    position = operand.position(letter)
    return otherwise if position is None else position


def _by_letter(words: Sequence[Word], lies: Callable[[str], int]) -> Placements:
    known = {letter: lies(letter) for letter in {letter for word in words for letter in word}}
    return np.array([[known[letter] for letter in word] for word in words], dtype=np.int8).reshape(len(words), -1)

"""Strategies of operators as words: for every axis the dimension along which an operator is split there, or none."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final, Protocol

from hypar_opt.instance.fix import OPEN
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hypar_opt.instance.operators.graph import Operator, OperatorGraph
    from hypar_opt.util.partition import Partition

NONE: Final = "none"
"""Of a strategy: every group of an axis computes all of it."""


def word_text(word: Sequence[str]) -> str:
    """Return a word as files and screens have it."""
    return " ".join(word)


def word_of(text: str) -> tuple[str, ...]:
    """Return the entries of a word, one an axis."""
    return tuple(text.split())


def offered(operator: Operator, choices: Sequence[str] | None) -> tuple[str, ...]:
    """Return what an operator may choose on an axis; `none` wherever there is nothing else.

    Parameters
    ----------
    choices
        Those of the instance; None where all are offered, and `none` of cheap operators.
    """
    found = operator.splits if choices is None else tuple(name for name in operator.splits if name in choices)
    left_whole = operator.is_cheap if choices is None else NONE in choices
    return (*found, NONE) if left_whole or not found else found


def parts_of(word: Sequence[str], partition: Partition) -> Mapping[str, int]:
    """Return by dimension into how many parts a word splits it."""
    return {
        name: prod(axis.size for axis, one in zip(partition.axes, word, strict=True) if one == name)
        for name in dict.fromkeys(word)
        if name not in (NONE, OPEN)
    }


class Splittable(Protocol):
    """What has a name, and dimensions with sizes: an operator, or a placement."""

    @property
    def name(self) -> str:
        """Of messages."""

    @property
    def sizes(self) -> Mapping[str, int]:
        """By dimension."""


def divisors_text(size: int, devices: int) -> str:
    """Return the divisors of a size as a list in words, those up to twice as many as there are devices."""
    found = [f"{parts:,}" for parts in range(1, min(size, 2 * devices) + 1) if size % parts == 0]
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} or {found[-1]}"


def divided(operator: Operator, graph: OperatorGraph, splits: str) -> Collection[str]:
    """Return the dimensions of an operator that their parts have to divide.

    Parameters
    ----------
    splits
        As instances say: `divisible` asks it of all, `any` of none, and `padded` of those that tensors have otherwise.
    """
    return operator.splits if splits == "divisible" else graph.factors(operator) if splits == "padded" else ()


def split_fault(
    operator: Splittable, word: Sequence[str], partition: Partition, *, divided: Collection[str]
) -> str | None:
    """Return which dimension of an operator a word splits into parts that it does not have, or None."""
    for name, parts in parts_of(word, partition).items():
        size = operator.sizes.get(name, parts)  # of a placement, `whole` is no dimension
        if name in divided and size % parts:
            said = f"{name} of '{operator.name}' has size {size:,}, which {parts:,} parts do not divide"
            others = ", and --splits any allows others" if parts < size else ""
            return f"{said}; {divisors_text(size, partition.leaves)} do{others}"
        if size < parts:
            return f"{name} of '{operator.name}' has size {size:,}, which is less than {parts:,} parts"
    return None


def word_fault(
    operator: Splittable, text: str, choices: Sequence[str], partition: Partition, *, divided: Collection[str]
) -> str | None:
    """Return why an operator, or a placement, cannot have a word in which axes may be left open, or None.

    Parameters
    ----------
    choices
        Those that the operator is offered.
    divided
        The dimensions that their parts have to divide.
    """
    word = word_of(text)
    if len(word) != partition.levels:
        axes = ", ".join(axis.name for axis in partition.axes)
        count = f"{partition.levels} entries with spaces between" if partition.levels > 1 else "one entry"
        return f"expected {count}, one an axis ({axes}), got {shown(text)}"
    for entry in word:
        if entry != OPEN and entry not in choices:
            known = f"one of {', '.join(choices)} for '{operator.name}', or {OPEN} where it is open"
            return f"expected {known}, got {shown(entry)}{did_you_mean(entry, choices)}"
    return split_fault(operator, word, partition, divided=divided)

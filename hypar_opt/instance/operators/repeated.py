"""Blocks of operators that are repeated, by name: whether each runs once more is a decision of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.graph import OperatorGraph

RECOMPUTE: Final = ":recompute"
"""Behind a block's name, what the decision is called."""
YES, NO = "yes", "no"
"""Whether a block runs once more."""


@dataclass(frozen=True)
class RepeatedBlock:
    """Operators that are repeated together.

    Parameters
    ----------
    name
        What all their names begin with, `h.3`; of operators that have nothing in common the first one's.
    first, length
        Its first operator, and how many there are.
    """

    name: str
    first: int
    length: int


def blocks_of(graph: OperatorGraph) -> tuple[RepeatedBlock, ...]:
    """Return the blocks that a graph repeats, in order, each under a name of its own."""
    places = [
        (repeat.first + number * repeat.length, repeat.length)
        for repeat in graph.repeats
        for number in range(repeat.times)
    ]
    names = [one.name for one in graph.operators]
    begins = [_begin(names[first : first + length]) for first, length in places]
    times = Counter(begins)
    return tuple(
        RepeatedBlock(begin if begin and times[begin] == 1 else names[first], first, length)
        for begin, (first, length) in zip(begins, places, strict=True)
    )


def _begin(names: Sequence[str]) -> str:
    """Return the parts that names of operators begin with in common, without the last one of each."""
    parts = [name.split(".")[:-1] for name in names]
    same = takewhile(lambda alike: len(set(alike)) == 1, zip(*parts, strict=False))
    return ".".join(alike[0] for alike in same)

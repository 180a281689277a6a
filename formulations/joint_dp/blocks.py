"""Which blocks of a graph's variables really are alike, and the order in which they are eliminated one by one.

Blocks are alike if their own costs are, and those on edges within each, to the next one, and to variables that stay
the same. Between the first of a run and the last nothing but the number of the block differs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph import Repeats

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from hypar_opt.costgraph import Array, CostGraph, EdgeCost, UnaryCost

FEWEST = 4
"""How many blocks are worth being looked at together."""


@dataclass(frozen=True)
class Blocks:
    """Blocks that are alike.

    Parameters
    ----------
    first, length, times
        The first block's first variable, variables in each, and how many blocks there are.
    """

    first: int
    length: int
    times: int

    @property
    def end(self) -> int:
        """The variable behind the last block."""
        return self.first + self.length * self.times

    def behind(self, number: int) -> Blocks:
        """Return the blocks without so many of the first."""
        return Blocks(self.first + number * self.length, self.length, self.times - number)

    def moves(self, variable: int) -> bool:
        """Return whether a variable, seen from the first block, is another one for each block."""
        return self.first <= variable < self.first + 2 * self.length

    def shifted(self, variable: int, number: int) -> int:
        """Return what is a variable of the first block, or next to it, for the block of a number."""
        return variable + number * self.length if self.moves(variable) else variable

    def shift(self, number: int) -> Callable[[int], int]:
        """Return what does so for many variables."""
        begin, end, by = self.first, self.first + 2 * self.length, number * self.length
        return lambda variable: variable + by if begin <= variable < end else variable


def runs_of(graph: CostGraph) -> tuple[Blocks, ...]:
    """Return the runs of blocks that are alike, of those that the graph's repeats name."""
    if not graph.repeats or any(variable.words is not None for variable in graph.variables):
        return ()
    ends, sizes = graph.ends, np.array(graph.sizes, dtype=float)
    costs = _numbers(list(graph.edge_costs.values()))
    own = _numbers(graph.unary_costs)
    return tuple(run for one in graph.repeats for run in _runs(_turned(one, ends, sizes), ends, costs, own))


def _turned(hint: Repeats, ends: Array, sizes: Array) -> Repeats:
    """Return the blocks begun at another of their variables: where fewest values are joined with what comes before.

    What a block passes on is by the values of those variables of the next one that have edges from behind.
    """
    start = hint.first + hint.times // 2 * hint.length
    near = ends[((start - hint.length <= ends) & (ends < start + 2 * hint.length)).all(axis=1)]

    def joined(begin: int) -> float:
        met = np.unique(near[(near[:, 0] < begin) & (near[:, 1] >= begin), 1])
        return float(np.log(sizes[met]).sum())

    turn = min(range(hint.length), key=lambda one: (round(joined(start + one), 6), one))
    return Repeats(hint.first + turn, hint.length, hint.times - (turn > 0)) if hint.times > 1 else hint


def _runs(hint: Repeats, ends: Array, costs: Array, own: Array) -> Iterator[Blocks]:
    """Yield the longest runs of blocks of which each is like the one before it."""
    inside = (hint.first <= ends) & (ends < hint.end)
    touched = inside.any(axis=1)
    pairs, within, prices = ends[touched], inside[touched], costs[touched]
    numbers = (pairs - hint.first) // hint.length
    block = np.where(within[:, 0], numbers[:, 0], numbers[:, 1])
    near = within | ((numbers == block[:, None] + 1) & within[:, :1])
    rows = np.column_stack([np.where(near, pairs - block[:, None] * hint.length, pairs), near, prices])
    order = np.lexsort((*rows.T, block))
    values = own[hint.first : hint.end].reshape(hint.times, hint.length)
    like = (values[1:] == values[:-1]).all(axis=1) & _repeated(rows[order], block[order], hint.times)
    begin = 0
    for alike, group in groupby([*like.tolist(), False]):
        count = len(list(group))
        if alike and count + 1 >= FEWEST:
            yield Blocks(hint.first + begin * hint.length, hint.length, count + 1)
        begin += count


def _repeated(rows: Array, block: Array, times: int) -> Array:
    """Return of each block but the first whether its rows are those of the block before it.

    Parameters
    ----------
    rows, block
        In the order of blocks, in each in one order; and whose they are.
    times
        How many blocks there are.
    """
    counts = np.bincount(block, minlength=times)
    as_many = np.concatenate([[False], counts[1:] == counts[:-1]])
    compared = np.flatnonzero(as_many[block])
    differ = (rows[compared] != rows[compared - counts[block[compared]]]).any(axis=1)
    wrong = np.bincount(block[compared[differ]], minlength=times)
    found: Array = as_many[1:] & (wrong[1:] == 0)
    return found


def _numbers(costs: Sequence[UnaryCost] | Sequence[EdgeCost]) -> Array:
    """Return a number for each cost; of tables that are equal the same."""
    identities = np.fromiter(map(id, costs), dtype=np.int64, count=len(costs))
    _, places, numbers = np.unique(identities, return_index=True, return_inverse=True)
    by_content: dict[Hashable, int] = {}
    found = [by_content.setdefault(costs[place].content(), len(by_content)) for place in places.tolist()]
    return np.array(found, dtype=np.int64)[numbers]


def segments_of(graph: CostGraph, runs: Sequence[Blocks]) -> tuple[Array, Array]:
    """Return when each variable is eliminated, the number of its segment, and which variables wait.

    Segments are blocks, and what lies between runs of them. Of an edge between segments that are not neighbours the
    first end waits for the last segment, unless it is in a block.
    """
    count = len(graph.variables)
    found, blocks = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
    begin, segment = 0, 0
    for run in runs:
        found[begin : run.first] = segment
        found[run.first : run.end] = segment + 1 + np.repeat(np.arange(run.times), run.length)
        blocks[run.first : run.end] = True
        begin, segment = run.end, segment + 1 + run.times
    found[begin:] = segment
    ends = graph.ends
    far = found[ends[:, 1]] - found[ends[:, 0]] > 1
    waiting = np.unique(ends[far, 0])
    waiting = waiting[~blocks[waiting]]
    found[waiting] = segment + 1
    return found, waiting

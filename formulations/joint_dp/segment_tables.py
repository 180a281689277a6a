"""What a segment's elimination takes and what it leaves behind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from operator import add
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.tables import Factor, Pair

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from formulations.joint_dp.blocks import Blocks


@dataclass(frozen=True, eq=False)
class Bucket:
    """What one variable's elimination takes.

    Parameters
    ----------
    variable
        Which.
    pairs, tables
        The factors; its own costs and messages are tables.
    message
        What it passes on.
    """

    variable: int
    pairs: tuple[Pair, ...]
    tables: tuple[Factor, ...]
    message: Factor

    @cached_property
    def scope(self) -> tuple[int, ...]:
        """The other variables, which its message is over."""
        scopes = (one.scope for some in (self.pairs, self.tables) for one in some)
        return tuple(sorted({x for scope in scopes for x in scope} - {self.variable}))

    def best(self, choices: Mapping[int, int]) -> int:
        """Return the variable's best value where all others are chosen; the lowest of several."""
        rows = [table.row(self.variable, choices) for table in self.tables]
        rows += (pair.row(self.variable, choices, rows[0].dtype) for pair in self.pairs)
        return int(np.argmin(reduce(add, rows)))


@dataclass(frozen=True, eq=False)
class EliminatedSegment:
    """A segment eliminated.

    Parameters
    ----------
    buckets
        In order.
    blocks
        Of a block, itself as the first of those that may be like it.
    """

    buckets: tuple[Bucket, ...]
    blocks: Blocks

    @cached_property
    def own(self) -> tuple[int, ...]:
        """Its variables, in order."""
        return tuple(bucket.variable for bucket in self.buckets)

    @cached_property
    def outer(self) -> tuple[int, ...]:
        """The others that its choices depend on."""
        return tuple(sorted({x for bucket in self.buckets for x in bucket.scope} - set(self.own)))

    @cached_property
    def left(self) -> tuple[tuple[int, ...], ...]:
        """The scopes of the messages that are left when all its variables are eliminated."""
        own = frozenset(self.own)
        return tuple(dict.fromkeys(one.scope for one in self.buckets if one.scope and own.isdisjoint(one.scope)))

    def best(self, there: Sequence[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the best values of its variables by the values of the others: of those in a row, with the first."""
        choices = dict(zip(self.outer, there, strict=True))
        for bucket in reversed(self.buckets):
            choices[bucket.variable] = bucket.best(choices)
        own = sorted(self.own)
        cuts = [0, *(i for i in range(1, len(own)) if own[i] != own[i - 1] + 1), len(own)]
        return tuple((own[a], tuple(choices[x] for x in own[a:b])) for a, b in pairwise(cuts) if a < b)


@dataclass(frozen=True, eq=False)
class Passed:
    """What is left when a block is eliminated.

    Parameters
    ----------
    on
        Messages to the next block, the least that each costs by what waits taken off.
    kept
        What was taken off, and messages to what waits alone.
    key
        The messages as seen from the block.
    """

    on: tuple[Factor, ...]
    kept: tuple[Factor, ...]
    key: Hashable

    @staticmethod
    def of(alive: Sequence[Factor], blocks: Blocks) -> Passed:
        """Part what is left of a block."""
        on, kept, key = [], [], []
        for one in alive:
            moving = tuple(axis for axis, x in enumerate(one.scope) if blocks.moves(x))
            if not moving:
                kept.append(one)
                continue
            least = np.asarray(one.values.min(axis=moving, keepdims=True), dtype=one.values.dtype)
            values = one.values - least
            on.append(Factor(one.scope, values))
            still = tuple(x for x in one.scope if not blocks.moves(x))
            kept.append(Factor(still, least.reshape([one.values.shape[one.scope.index(x)] for x in still])))
            scope = tuple((blocks.moves(x), x - blocks.first * blocks.moves(x)) for x in one.scope)
            key.append((scope, values.tobytes() if values.dtype == np.int64 else tuple(values.reshape(-1).tolist())))
        return Passed(tuple(on), tuple(kept), tuple(sorted(key)))

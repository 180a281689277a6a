"""Min-marginals where blocks are alike: found once for all blocks that know the same of what is before and behind.

The way back over the segments carries beliefs: for a message's scope, by how much the best assignment with given values
there exceeds the best of all. With F the sum of what a variable x's elimination takes, m its message over the scope S,
and b the belief over S, the belief over x and S is

    F(x, S) - m(S) + b(S),

and the least of it over all but a few of these variables is the belief over those few: over x itself its min-marginal
less the optimum, over the scope of a message that it took what the sender needs. Nothing in it depends on the number of
a block, so that blocks which took the same and hear the same have the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from formulations.joint_dp.tables import Arithmetic, Factor, eliminate, project
from hypar_opt.costgraph.graph import SUMMANDS
from hypar_opt.costgraph.unary import content_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from formulations.joint_dp.folding import Folding
    from formulations.joint_dp.segment_tables import Bucket, EliminatedSegment
    from hypar_opt.costgraph import Array

Beliefs = dict[tuple[int, ...], "Array"]
"""By scope."""


def folded_marginals(folding: Folding) -> tuple[Array, ...]:
    """Return for every variable and value the least cost of an assignment that has it.

    Parameters
    ----------
    folding
        Of a graph in which every value is allowed.

    Raises
    ------
    Stopped
        If a limit is hit before the last variable.
    """
    back = _Backward(folding)
    excess: dict[int, Array] = {}
    for segment, number in reversed(folding.done):
        own, heard = back.passed(segment, number)
        moved = segment.blocks.shift(number)
        excess |= {moved(x): values for x, values in own.items()}
        back.beliefs |= {tuple(map(moved, scope)): values for scope, values in heard.items()}
    dtype = folding.graph.dtype
    known: dict[int, Array] = {}
    for values in excess.values():
        if id(values) not in known:  # blocks that are alike share theirs
            known[id(values)] = np.asarray(values.astype(dtype) + folding.base, dtype=dtype)
    return tuple(known[id(excess[x])] for x in range(len(excess)))


@dataclass(eq=False)
class _Backward:
    """What is known of the segments behind.

    Parameters
    ----------
    folding
        The segments eliminated.
    beliefs
        Over the scopes of messages that segments further on took.
    """

    folding: Folding
    beliefs: Beliefs = field(default_factory=dict)
    _known: dict[Hashable, tuple[Mapping[int, Array], Beliefs]] = field(default_factory=dict)
    _contents: dict[int, tuple[Array, Hashable]] = field(default_factory=dict)
    """With the arrays, so that no other one has the identity of one that is gone."""

    def passed(self, segment: EliminatedSegment, number: int) -> tuple[Mapping[int, Array], Beliefs]:
        """Return the beliefs over a segment's own variables and over the scopes that it took, from its own place."""
        moved = segment.blocks.shift(number)
        told = {scope: self.beliefs[tuple(map(moved, scope))] for scope in segment.left}
        key = id(segment), tuple(map(self._content, told.values()))
        if key not in self._known:
            self.folding.run.check()
            self._known[key] = self._over(segment, told)
        return self._known[key]

    def _content(self, values: Array) -> Hashable:
        """Return what is equal of equal beliefs; those of blocks that are alike are one object."""
        if id(values) not in self._contents:
            self._contents[id(values)] = values, content_of(values)
        return self._contents[id(values)][1]

    def _over(self, segment: EliminatedSegment, told: Beliefs) -> tuple[Mapping[int, Array], Beliefs]:
        own: dict[int, Array] = {}
        heard = {(): np.zeros((), dtype=np.int64), **told}
        for bucket in reversed(segment.buckets):
            found = self._of_bucket(bucket, heard)
            own[bucket.variable] = found[bucket.variable,]
            heard |= found
        return own, heard

    def _of_bucket(self, bucket: Bucket, heard: Beliefs) -> Beliefs:
        sizes, x = self.folding.sizes, bucket.variable
        scope = bucket.scope
        behind = Factor(scope, heard[scope])
        maths = self._maths(bucket, behind)
        tables = [Factor(one.scope, one.values.astype(maths.dtype)) for one in (*bucket.tables, behind)]
        message = eliminate(x, bucket.pairs, tables[:-1], sizes, maths)
        tables[-1] = Factor(scope, np.asarray(tables[-1].values - message.values, dtype=maths.dtype))
        wanted = dict.fromkeys(((x,), *(one.scope for one in bucket.tables)))
        return {keep: _small(project(keep, (x, *scope), bucket.pairs, tables, sizes, maths)) for keep in wanted}

    def _maths(self, bucket: Bucket, behind: Factor) -> Arithmetic:
        """Return 64-bit arithmetic where all sums fit."""
        most = 2 * sum(int(abs(one.values).max()) for one in (*bucket.tables, behind))
        most += 2 * sum(pair.cost.upper for pair in bucket.pairs)
        dtype = np.int64 if SUMMANDS * (most + 1) < 2**63 else object
        return Arithmetic(dtype, None, self.folding.run.limits.workers)


def _small(values: Array) -> Array:
    """Return numbers in 64 bits if they fit, so that what is equal looks equal."""
    fits = values.dtype == np.int64 or int(values.max()) < 2**62
    return np.array(values, dtype=np.int64 if fits else object)

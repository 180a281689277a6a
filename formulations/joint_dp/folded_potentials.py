"""The messages of an elimination by blocks as dual potentials of all variables: what repeats is unfolded again.

A block's messages to the next one had what they cost by variables that wait taken off, which was kept for the end. As
potentials these are two: one to the next block, and one to whoever eliminates the variables that wait.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from formulations.joint_dp.segment_tables import Passed
from hypar_opt.formulation.potentials import Cluster, Message, Potentials

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from formulations.joint_dp.segment_tables import Bucket, EliminatedSegment
    from formulations.joint_dp.tables import Factor
    from hypar_opt.costgraph import Array


def folded_potentials(done: Iterable[tuple[EliminatedSegment, int, bool]]) -> Potentials:
    """Return the potentials of an elimination by segments.

    Parameters
    ----------
    done
        The segments in order, with how many blocks further on one is than the block that was looked at, and whether it
        was parted what it passes on.
    """
    found = _Unfolding()
    for segment, number, parted in done:
        for bucket in segment.buckets:
            found.add(bucket, segment, number, parted=parted)
    return Potentials(tuple(found.clusters), tuple(sorted(found.messages, key=lambda one: one.source)))


@dataclass
class _Unfolding:
    """Clusters so far, and what they pay that nobody has been given yet.

    Parameters
    ----------
    clusters, messages
        Of the potentials.
    waiting
        By variable that is eliminated later, what is given to its cluster: from which, over which variables.
    """

    clusters: list[Cluster] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    waiting: list[tuple[int, tuple[int, ...], Array]] = field(default_factory=list)
    _parts: dict[int, Sequence[Factor]] = field(default_factory=dict)

    def add(self, bucket: Bucket, segment: EliminatedSegment, number: int, *, parted: bool) -> None:
        """Add the cluster of a variable's elimination, and what it is given."""
        moved = partial(segment.blocks.shifted, number=number)
        x, place = moved(bucket.variable), len(self.clusters)
        given = [one for one in self.waiting if x in one[1]]
        self.waiting = [one for one in self.waiting if x not in one[1]]
        self.messages += (Message(source, place, scope, values) for source, scope, values in given)
        pairs = [(moved(pair.first), moved(pair.second)) for pair in bucket.pairs]
        around = {y for some in (*pairs, *(scope for _, scope, _ in given)) for y in some} - {x}
        edges = tuple((min(pair), max(pair)) for pair in pairs)
        self.clusters.append(Cluster("bucket", (x, *sorted(around)), (x,), edges))
        for factor in self._passed(bucket, segment) if parted else (bucket.message,):
            if factor.scope:
                self.waiting.append((place, tuple(map(moved, factor.scope)), factor.values))

    def _passed(self, bucket: Bucket, segment: EliminatedSegment) -> Sequence[Factor]:
        """Return a message as what goes to the next block, and what is kept; within its own it is not parted."""
        if id(bucket) not in self._parts:
            own = set(segment.own)
            leaves = own.isdisjoint(bucket.message.scope) and bucket.message.scope
            passed = Passed.of([bucket.message], segment.blocks) if leaves else None
            self._parts[id(bucket)] = (bucket.message,) if passed is None else (*passed.on, *passed.kept)
        return self._parts[id(bucket)]

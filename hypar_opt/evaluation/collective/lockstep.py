"""What synchronous steps take in seconds, whatever the size of a chunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from hypar_opt.evaluation.collective.links import LinkUse
    from hypar_opt.instance.collective import SendSchedule

Line: TypeAlias = tuple[Fraction, Fraction]
"""Of a send: its latencies in seconds, and its seconds for a byte of a chunk."""


@dataclass(frozen=True)
class LockstepTimes:
    """The steps of a schedule, each of which waits for all sends of the one before.

    Parameters
    ----------
    kinds
        By the lines of a step's sends, of which the last to end is what the step takes, how many such steps there are.
    """

    kinds: Mapping[frozenset[Line], int]

    def seconds(self, chunk_bytes: Fraction) -> Fraction:
        """Return what all steps take with chunks of so many bytes."""
        return sum(
            (
                count * max(latency + per_byte * chunk_bytes for latency, per_byte in lines)
                for lines, count in self.kinds.items()
            ),
            start=Fraction(0),
        )


def lockstep_of(use: LinkUse, schedule: SendSchedule, loads: Mapping[int, Counter[tuple[int, int]]]) -> LockstepTimes:
    """Return what the steps of a schedule take, where every link has a bandwidth.

    Parameters
    ----------
    use
        What links do.
    schedule
        In synchronous steps.
    loads
        By step, how many chunks each direction of a link carries.
    """
    per_byte = {hop: use.transfer(hop) / use.instance.chunk_bytes for hop in use.messages}
    lines: dict[Line, int] = {}  # few, and found again by number: a hash of fractions costs more than all else here
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    kinds: dict[int, set[int]] = {}
    for one in schedule.sends:
        step = int(one.end)
        counts = tuple(loads[step][hop] for hop in pairwise(one.route))
        key = one.route, counts
        if key not in known:
            slowest = max(per_byte[hop] * count for hop, count in zip(pairwise(one.route), counts, strict=True))
            known[key] = lines.setdefault((use.latency(one.route), slowest), len(lines))
        kinds.setdefault(step, set()).add(known[key])
    found = tuple(lines)
    counts_of = Counter(frozenset(one) for one in kinds.values())
    return LockstepTimes({frozenset(found[line] for line in kind): count for kind, count in counts_of.items()})

"""Steps on workers that do one at a time: taken as they come, or in an order that was planned.

Lists of task graphs know what everything takes; here workers learn it at the end of a step, having planned
with something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.studies.conjugate_gradient.unrolling import LoopStep


NOBODY: Final = -1


@dataclass(frozen=True)
class Dispatch:
    """What was done when.

    Parameters
    ----------
    begins
        By step, in the unit of the seconds that were given.
    queues
        By worker, numbers of steps in the order in which it did them. What takes no time is nobody's.
    length
        When the last step ended.
    """

    begins: tuple[int, ...]
    queues: tuple[tuple[int, ...], ...]
    length: int


def whole(*durations: Sequence[Fraction]) -> tuple[int, list[list[int]]]:
    """Return the units a second in which all durations are integers, and the durations in these."""
    units = lcm(*(one.denominator for several in durations for one in several))
    return units, [[int(one * units) for one in several] for several in durations]


def tails(steps: Sequence[LoopStep], seconds: Sequence[int]) -> list[int]:
    """Return by step the longest time from its begin to the end of all that waits for it."""
    found = list(seconds)
    for number in reversed(range(len(steps))):
        for one in steps[number].waits_for:
            found[one] = max(found[one], seconds[one] + found[number])
    return found


def dispatch(
    steps: Sequence[LoopStep], seconds: Sequence[int], workers: int, planned: Sequence[int] | None = None
) -> Dispatch:
    """Let workers take what is ready, those with the longest tail first, as soon as they are idle.

    Barriers, and what takes no time, need no worker.

    Parameters
    ----------
    seconds
        What each step takes, integers of some unit; workers learn of it when it has ended.
    workers
        How many.
    planned
        What each was expected to take, from which tails are; as `seconds` unless given.
    """
    urgency = tails(steps, seconds if planned is None else planned)
    missing = [len(step.waits_for) for step in steps]
    waiting: list[list[int]] = [[] for _ in steps]
    for number, step in enumerate(steps):
        for one in step.waits_for:
            waiting[one].append(number)
    begins = [0] * len(steps)
    queues: list[list[int]] = [[] for _ in range(workers)]
    idle, now = list(range(workers)), 0
    ready: list[tuple[int, int]] = []
    running: list[tuple[int, int, int]] = []

    def begin(number: int, worker: int) -> None:
        begins[number] = now
        heappush(running, (now + seconds[number], number, worker))

    def release(number: int) -> None:
        if needs_worker(steps[number], seconds[number]):
            heappush(ready, (-urgency[number], number))
        else:
            begin(number, NOBODY)

    for number, count in enumerate(missing):
        if not count:
            release(number)
    while ready or running:
        while ready and idle:
            number, worker = heappop(ready)[1], heappop(idle)
            queues[worker].append(number)
            begin(number, worker)
        now = running[0][0]
        while running and running[0][0] == now:
            _, number, worker = heappop(running)
            if worker != NOBODY:
                heappush(idle, worker)
            for other in waiting[number]:
                missing[other] -= 1
                if not missing[other]:
                    release(other)
    return Dispatch(tuple(begins), tuple(map(tuple, queues)), now)


def follow(steps: Sequence[LoopStep], seconds: Sequence[int], planned: Dispatch) -> int:
    """Return the length where every worker does its steps in the order that was planned, as soon as they can be.

    Parameters
    ----------
    seconds
        What each step takes now, in some unit, which is that of the length; no step that took time takes none.
    planned
        With other durations.
    """
    before = {later: earlier for queue in planned.queues for earlier, later in pairwise(queue)}
    ends = [0] * len(steps)
    for number in sorted(range(len(steps)), key=lambda one: (planned.begins[one], one)):
        earlier = (*steps[number].waits_for, *([before[number]] if number in before else []))
        ends[number] = max((ends[one] for one in earlier), default=0) + seconds[number]
    return max(ends)


def least(steps: Sequence[LoopStep], seconds: Sequence[int], workers: int) -> int:
    """Return what no schedule is shorter than: from barrier to barrier the longest path, and the work of all."""
    found, path, work = 0, 0, 0
    ends = [0] * len(steps)
    for number, step in enumerate(steps):
        # a barrier parts what is before it from what comes, and each part is bounded by itself
        ends[number] = max((ends[one] for one in step.waits_for), default=0) + seconds[number]
        path = max(path, ends[number])
        work += seconds[number] if needs_worker(step, seconds[number]) else 0
        if step.kernel.operation.name == "barrier":
            found = max(path, found + -(-work // workers) + seconds[number])
            ends[number] = path = found
            work = 0
    return max(path, found + -(-work // workers))


def needs_worker(step: LoopStep, seconds: int) -> bool:
    """Return whether a step occupies a worker."""
    return seconds > 0 and step.kernel.operation.name != "barrier"

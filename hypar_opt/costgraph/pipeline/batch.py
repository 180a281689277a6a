"""What a batch of microbatches takes by a named schedule, given each group's slot."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from hypar_opt.costgraph.pipeline.option import integers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.costgraph import Array

BatchRule: TypeAlias = Literal["gpipe", "1f1b"]
"""In which order stage s of K does microbatches: all forward and then all backward; or K - s forward, then in turn."""


@dataclass(frozen=True)
class BatchMessage:
    """An output that other groups read.

    Parameters
    ----------
    owner, backward
        The group that makes it, and whether in the backward phase.
    readers
        Other groups that need it in the forward phase, and such that do in the backward one.
    """

    owner: int
    backward: bool
    readers: tuple[tuple[int, ...], tuple[int, ...]]


class PhaseTimes(NamedTuple):
    """A stage's time forward and backward, and until others have what it made; exact integers."""

    forward: int
    backward: int
    lag: int


@dataclass(frozen=True, eq=False)
class BatchTimes:
    """A batch.

    Parameters
    ----------
    rule, microbatches
        The schedule, and how many there are.
    forward, backward
        By option, of the computing of every group; exact integers.
    transfers
        By option, of reading or sending every message.
    messages
        All of them.
    reads
        Pairs of groups of which the second needs the first one's outputs in the forward phase.
    overlapped
        Whether messages are on their way while stages compute.
    """

    rule: BatchRule
    microbatches: int
    forward: tuple[Array, ...]
    backward: tuple[Array, ...]
    transfers: tuple[Array, ...]
    messages: tuple[BatchMessage, ...]
    reads: tuple[tuple[int, int], ...]
    overlapped: bool = False

    @cached_property
    def most(self) -> int:
        """What no batch takes more than: everything one after the other, each group and message where it takes most."""
        moved = [(len(one.readers[0]) + len(one.readers[1]) + 1) for one in self.messages]
        each = _most_of(self.forward) + _most_of(self.backward) + 2 * _most_of(self.transfers, moved)
        return each * self.microbatches

    @cached_property
    def divisor(self) -> int:
        """The greatest common divisor of all times."""
        every = (*self.forward, *self.backward, *self.transfers)
        return gcd(*(int(time) for times in every for time in times)) or 1

    def divided(self, divisor: int | None = None) -> BatchTimes:
        """Return the same with all times divided by that, or by a divisor of that."""
        unit = divisor or self.divisor
        forward, backward, transfers = (
            tuple(integers([int(time) // unit for time in times]) for times in every)
            for every in (self.forward, self.backward, self.transfers)
        )
        return replace(self, forward=forward, backward=backward, transfers=transfers)

    def phases(self, option: int, groups: Sequence[int]) -> PhaseTimes:
        """Return the times of a stage with some groups."""
        inside = set(groups)
        moved = [0, 0]
        for message, transfer in zip(self.messages, self.transfers[option].tolist(), strict=True):
            for phase, readers in enumerate(message.readers):
                if message.owner not in inside and not inside.isdisjoint(readers):
                    moved[phase] += transfer
            if message.owner in inside and not inside.issuperset((*message.readers[0], *message.readers[1])):
                moved[message.backward] += transfer
        forward = sum(int(self.forward[option][group]) for group in groups)
        backward = sum(int(self.backward[option][group]) for group in groups)
        if self.overlapped:
            return PhaseTimes(forward, backward, max(moved))
        return PhaseTimes(forward + moved[0], backward + moved[1], 0)

    def value(self, stages: Sequence[tuple[int, Sequence[int]]]) -> int:
        """Return what a batch takes.

        Parameters
        ----------
        stages
            In order, each one's option and groups: all stages, or those at the end alone.
        """
        place = {group: number for number, (_, groups) in enumerate(stages) for group in groups}
        reads: list[set[int]] = [set() for _ in stages]
        for maker, reader in self.reads:
            if maker in place and reader in place and place[maker] != place[reader]:
                reads[place[reader]].add(place[maker])
        return self.finish([self.phases(option, groups) for option, groups in stages], reads)

    def finish(self, times: Sequence[PhaseTimes], reads: Sequence[set[int]]) -> int:
        """Return when the last operation of stages in order ends, each as early as can be.

        Parameters
        ----------
        times
            Of the stages.
        reads
            By stage, those before it that its forward phase waits for.
        """
        count, microbatches = len(times), self.microbatches
        behind: list[list[int]] = [[] for _ in times]
        for stage, makers in enumerate(reads):
            for maker in makers:
                behind[maker].append(stage)
        ahead = [self.ahead(count - stage - 1) for stage in range(count)]
        ends = [([0] * microbatches, [0] * microbatches) for _ in times]
        free = [0] * count
        for stages, phase, turn in self._turns(count, ahead):
            for stage in stages:
                one = turn - (ahead[stage] if phase else 0)
                number = microbatches - 1 - one if phase and self.rule == "gpipe" else one
                begin = free[stage]
                if phase:
                    lag = times[stage].lag
                    begin = max([begin, *(ends[other][1][number] + lag for other in behind[stage])])
                else:
                    begin = max([begin, *(ends[other][0][number] + times[other].lag for other in reads[stage])])
                free[stage] = ends[stage][phase][number] = begin + times[stage][phase]
        return max(free, default=0)

    def ahead(self, behind: int) -> int:
        """Return how many further microbatches a stage has done forward when one comes back, with so many behind it."""
        return self.microbatches - 1 if self.rule == "gpipe" else min(behind, self.microbatches - 1)

    def _turns(self, count: int, ahead: Sequence[int]) -> Iterator[tuple[Sequence[int], int, int]]:
        """Yield which stages do their next forward, or backward, operation, so that what each needs was done before."""
        microbatches = self.microbatches
        for turn in range(microbatches + max(ahead)):
            yield [stage for stage in range(count) if turn < microbatches], 0, turn
            yield [stage for stage in reversed(range(count)) if 0 <= turn - ahead[stage] < microbatches], 1, turn


def _most_of(times: Sequence[Array], weights: Sequence[int] | None = None) -> int:
    """Return a sum over groups or messages, each by the option by which it takes most."""
    most = [max(map(int, each)) for each in zip(*times, strict=True)]
    return sum(number * weight for number, weight in zip(most, weights or [1] * len(most), strict=True))

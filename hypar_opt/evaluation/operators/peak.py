"""The most that is in a device's memory at once during a training step, and when that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.index_sets import local_sizes
from hypar_opt.evaluation.operators.shifted import ShiftedBuffers
from hypar_opt.evaluation.operators.timeline import KEPT, Timeline, Use

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition


WHEN: Final[Mapping[str, str]] = MappingProxyType({
    "forward": "in the forward phase of '{}'",
    "recompute": "while '{}' runs once more",
    "backward": "in the backward phase of '{}'",
    "update": "in the update of '{}'",
})  # fmt: skip
"""By phase when that is, with a place for the operator's name."""


@dataclass(frozen=True)
class MemoryPeak:
    """What is in a device's memory at one moment.

    Parameters
    ----------
    phase, operator
        The moment: while an operator runs, maybe once more, or its backward phase.
    parts
        Bytes by what they are for.
    """

    phase: Phase
    operator: str
    parts: Mapping[Use, Fraction]

    @property
    def when(self) -> str:
        """The moment in words."""
        return WHEN[self.phase].format(self.operator)

    @property
    def bytes(self) -> Fraction:
        """All of it."""
        return sum(self.parts.values(), start=Fraction(0))

    @property
    def work(self) -> Mapping[Use, Fraction]:
        """What is not kept, but needed while operators run: by what it is for, the most first."""
        found = {use: size for use, size in self.parts.items() if use not in KEPT}
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    @property
    def work_space(self) -> Fraction:
        """All of what is not kept."""
        return sum(self.work.values(), start=Fraction(0))


def occupied(
    graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser
) -> tuple[MemoryPeak, ...]:
    """Return what is in each device's memory, moment by moment.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    optimiser
        How many numbers it has for each one trained.
    """
    found = _occupancy(graph, partition, plan, optimiser)
    return tuple(found.at(number) for number in range(len(found.moments)))


@dataclass(frozen=True)
class _Occupancy:
    """By how many whole numbers of 1 / `unit` bytes a device's memory changes, by use and moment."""

    moments: Sequence[tuple[Phase, str]]
    changes: Mapping[Use, Sequence[int]]
    unit: int

    @cached_property
    def sizes(self) -> Mapping[Use, Sequence[int]]:
        """What is there."""
        return {use: tuple(accumulate(change)) for use, change in self.changes.items()}

    def at(self, number: int) -> MemoryPeak:
        """Return what is there at a moment."""
        return self._peak(number, {use: sizes[number] for use, sizes in self.sizes.items()})

    def most(self) -> MemoryPeak:
        """Return what is there when most is, of several moments at the first."""
        totals = list(accumulate(map(sum, zip(*self.changes.values(), strict=True))))[: len(self.moments)]
        number = totals.index(max(totals))
        return self._peak(number, {use: sum(change[: number + 1]) for use, change in self.changes.items()})

    def _peak(self, number: int, sizes: Mapping[Use, int]) -> MemoryPeak:
        phase, name = self.moments[number]
        return MemoryPeak(phase, name, {use: Fraction(size, self.unit) for use, size in sizes.items() if size})


def _occupancy(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser) -> _Occupancy:
    timeline, size = Timeline(graph, plan), local_sizes(partition, is_padded=plan.is_padded)
    count = len(timeline.moments)
    changes = defaultdict[Use, list[int]](lambda: [0] * (count + 1))
    for alike in ShiftedBuffers(timeline, optimiser.states):
        one = alike.buffer
        change, taken = changes[one.use], one.times * size(one.tensor, one.placement)
        for first, last in alike.spans:
            change[first] += taken
            change[last + 1] -= taken
    return _Occupancy(timeline.moments, changes, partition.leaves)


def peak_of(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser) -> MemoryPeak:
    """Return the moment at which most is in the memory, of several the first; parameters as of `occupied`."""
    return _occupancy(graph, partition, plan, optimiser).most()

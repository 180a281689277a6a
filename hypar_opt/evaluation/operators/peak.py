"""The most that is in a device's memory at once during a training step, and when that is."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.buffers import buffers
from hypar_opt.evaluation.operators.index_sets import held, measure
from hypar_opt.evaluation.operators.timeline import KEPT, Timeline, Use

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.operators.program import Phase
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Peak:
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


def occupied(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser) -> tuple[Peak, ...]:
    """Return what is in each device's memory, moment by moment.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    optimiser
        How many numbers it has for each one trained.
    """
    timeline, sizes = Timeline(graph, plan), [axis.size for axis in partition.axes]
    first, count = [0] * len(sizes), len(timeline.moments)
    changes: dict[Use, list[Fraction]] = {}
    for one in buffers(timeline, optimiser.states):
        size = (
            one.times
            * one.tensor.bytes
            * measure(held(one.placement, first), sizes, one.tensor.sizes if plan.is_padded else None)
        )
        change = changes.setdefault(one.use, [Fraction(0)] * (count + 1))
        change[one.first] += size
        change[one.last + 1] -= size
    there = {use: list(accumulate(change)) for use, change in changes.items()}
    return tuple(
        Peak(phase, name, {use: sizes[number] for use, sizes in there.items() if sizes[number]})
        for number, (phase, name) in enumerate(timeline.moments)
    )


def peak_of(graph: OperatorGraph, partition: Partition, plan: OperatorPlan, optimiser: Optimiser) -> Peak:
    """Return the moment at which most is in the memory, of several the first; parameters as of `occupied`."""
    return max(occupied(graph, partition, plan, optimiser), key=lambda one: one.bytes)

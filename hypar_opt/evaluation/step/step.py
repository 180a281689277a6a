"""A training step as a whole: computing, exchanging, and what both cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.communication import Breakdown, by_phase
from hypar_opt.evaluation.links import Measured, weigh
from hypar_opt.evaluation.step.computing import Stage, stages_of
from hypar_opt.instance.objective.components import (
    ADD_ENERGY,
    COMPUTE_TIME,
    DRAM_ENERGY,
    MULTIPLY_ENERGY,
    SRAM_ENERGY,
    TOTALS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.step.slices import StepSetting
    from hypar_opt.instance.network import Workload

WORD: Final = 4
"""Bytes of the words that energies are given for."""
ACCESSES: Final = {"as-evaluated": 3, "row-stationary": 2}
"""To the memories for a word that is exchanged: read where it is, written where it is needed, or as evaluated."""


@dataclass(frozen=True)
class OverlapBounds:
    """How long a step takes, by how much of the exchange hides behind computing.

    Parameters
    ----------
    none
        Nothing: one after the other.
    by_layer
        Every layer's exchange hides behind its own computing, or the other way round; levels follow one another.
    perfect
        All that can, levels on different links among them: what the busiest accelerator or link has to do. No step on
        this machine is shorter, whatever the order.
    """

    none: Fraction
    by_layer: Fraction
    perfect: Fraction


@dataclass(frozen=True)
class Step:
    """What a plan's training step costs.

    Parameters
    ----------
    work
        The layers.
    breakdown
        What the plan exchanges.
    setting
        The machine and the training.
    measured
        What crosses the links; None where no placement is given.
    """

    work: Workload
    breakdown: Breakdown
    setting: StepSetting
    measured: Measured | None = None

    @cached_property
    def stages(self) -> tuple[Stage, ...]:
        """Every weighted layer's phases, of one accelerator."""
        return stages_of(self.work, self.breakdown.strategies, self.setting)

    @property
    def compute_time(self) -> Fraction:
        """Seconds."""
        return sum((one.seconds for one in self.stages), start=Fraction(0))

    @property
    def comm_time(self) -> Fraction | None:
        """Seconds; None where it is not known where the groups stand, or how fast links are."""
        return None if self.measured is None else self.measured.comm_time

    @cached_property
    def costs(self) -> Mapping[str, Fraction]:
        """What is known, by component: seconds and joules."""
        found = {
            COMPUTE_TIME: self.compute_time,
            **self._energies(),
        }
        if self.measured is not None:
            summed = {part for parts in TOTALS.values() for part in parts}
            found |= {name: cost for name, cost in self.measured.costs.items() if name in summed}
        whole = {
            total: sum((found[part] for part in parts), start=Fraction(0))
            for total, parts in TOTALS.items()
            if all(part in found for part in parts)
        }
        return found | whole

    @cached_property
    def together(self) -> OverlapBounds | None:
        """The bounds for a step whose exchange overlaps its computing; None where the exchange's time is not known."""
        exchanged = self.comm_time
        if exchanged is None:
            return None
        computed, moved = self._by_layer()
        by_layer = sum((max(computed[name], moved[name]) for name in computed), start=Fraction(0))
        return OverlapBounds(self.compute_time + exchanged, by_layer, max(self.compute_time, self._busiest_link()))

    def _busiest_link(self) -> Fraction:
        """Return how long the link with most to carry needs for all levels; those on other links can overlap."""
        assert self.measured is not None
        timed = self.measured.timed
        loads = self.measured.loads if timed is None else timed.loads
        times = (self.measured.time(hop, load) for hop, load in loads.items())
        return max((time for time in times if time is not None), default=Fraction(0))

    def _by_layer(self) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
        """Return every layer's seconds of computing and of exchanging; a boundary counts for its reader."""
        assert self.measured is not None
        computed = {layer.name: Fraction(0) for layer in self.work.layers}
        moved = dict(computed)
        for one in self.stages:
            computed[one.layer] += one.seconds
        timed = self.measured.timed
        for one_sum in () if timed is None else timed.sums:
            moved[one_sum.layer] += one_sum.seconds
        for part in by_phase(self.work, self.breakdown.strategies, self.breakdown):
            if timed is not None and part.kind == "layer":
                continue
            name = part.name if part.kind == "layer" else part.name.rpartition(" -> ")[2]
            moved[name] += weigh(self.measured.machine, self.measured.walked, part.levels).comm_time or 0
        return computed, moved

    def _energies(self) -> dict[str, Fraction]:
        joules = self.setting.accelerator.energies
        if joules is None:
            return {}
        array = self.setting.partition.leaves
        words = Fraction(self.setting.bytes_per_element, WORD)
        exchanged = Fraction(self.breakdown.total, WORD) * ACCESSES[self.setting.accelerator.model]
        return {
            MULTIPLY_ENERGY: array * joules.multiply * sum(one.multiplies for one in self.stages),
            ADD_ENERGY: array * joules.add * sum(one.adds for one in self.stages),
            SRAM_ENERGY: array * joules.sram * words * sum(one.sram for one in self.stages),
            DRAM_ENERGY: joules.dram * (array * words * sum(one.dram for one in self.stages) + exchanged),
        }

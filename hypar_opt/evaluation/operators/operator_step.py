"""A training step of a plan of operators as a whole: what moves, is computed, kept and crossed, each found once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.computing import works
from hypar_opt.evaluation.operators.crossings import on_graph
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.memory import resident, total_resident
from hypar_opt.evaluation.operators.overlap import overlapping_on_axes, overlapping_on_graph
from hypar_opt.evaluation.operators.peak import peak_of
from hypar_opt.evaluation.operators.step import movements
from hypar_opt.evaluation.operators.update import updates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from hypar_opt.evaluation.operators.computing import Work
    from hypar_opt.evaluation.operators.crossings import GraphLoads, Walks
    from hypar_opt.evaluation.operators.memory import Kept
    from hypar_opt.evaluation.operators.movement import Movement
    from hypar_opt.evaluation.operators.peak import MemoryPeak
    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.evaluation.step import OverlapBounds
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.device import Device
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class OperatorStep:
    """What a plan's training step consists of.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    links
        Along each axis.
    optimiser
        What updates the parameters.
    device
        What each can do; None where nothing of it is known.
    walks
        The routes of devices that stand on a graph; None where they do not.
    """

    graph: OperatorGraph
    partition: Partition
    plan: OperatorPlan
    links: Sequence[AxisLink]
    optimiser: Optimiser
    device: Device | None = None
    walks: Walks | None = None

    @cached_property
    def movements(self) -> tuple[Movement, ...]:
        """Those that move anything."""
        every = movements(self.graph, self.partition, self.plan, self.links)
        return tuple(one for one in every if one.bytes)

    @property
    def alike(self) -> Likeness:
        """What the plan does alike in blocks."""
        return Likeness.of(self.graph, self.plan)

    @cached_property
    def few_movements(self) -> tuple[tuple[Movement, int], ...]:
        """The movements of blocks that do the same in a row once, and how many blocks those are.

        A halo is of its reader and of what another block may write; where there are any, all are there by themselves.
        """
        first = movements(self.graph, self.partition, self.plan, self.links, self.alike.first)
        if any(one.kind == "halo" for one in first):
            return tuple((one, 1) for one in self.movements)
        return tuple((one, times) for one, times in self.alike.few_moved(self.graph, first) if one.bytes)

    @cached_property
    def works(self) -> tuple[Work, ...]:
        """What the device with the largest parts computes; nothing where it is not known how fast that is."""
        if self.device is None:
            return ()
        parts = (self.graph, self.partition, self.plan, self.device)
        done = self.alike.each_done(works(*parts, self.alike.operator_counts))
        return (*done, *updates(*parts, self.optimiser))

    @cached_property
    def crossed(self) -> GraphLoads | None:
        """What is on the links of the graph that devices stand on; None where they do not."""
        return None if self.walks is None else on_graph(self.graph, self.plan, self.walks)

    @property
    def is_timed(self) -> bool:
        """Whether it is known how fast every axis's links are."""
        return bool(self.links) and all(link.bandwidth is not None for link in self.links)

    @cached_property
    def together(self) -> OverlapBounds | None:
        """The bounds for a step whose exchanges overlap its computing; None where the time of either is not known."""
        if self.device is None:
            return None
        if self.crossed is not None:
            return overlapping_on_graph(self.graph, self.crossed, self.works)
        if not self.is_timed:
            return None
        return overlapping_on_axes(self.graph, self.partition, self.links, self.movements, self.works)

    @cached_property
    def kept(self) -> Mapping[str, Mapping[Kept, Fraction]]:
        """Bytes on each device, by operator and kind."""
        return resident(self.graph, self.partition, self.plan, self.optimiser)

    @cached_property
    def few_kept(self) -> Mapping[str, tuple[Mapping[Kept, Fraction], int]]:
        """The same of blocks that do the same in a row but once, with how many blocks in a row each stands for.

        Of maps that are made anew one block has the most; where there are any, all are there by themselves.
        """
        if self.plan.recomputed.inside:
            return {name: (own, 1) for name, own in self.kept.items()}
        near = self.alike.near
        found = resident(self.graph, self.partition, self.plan, self.optimiser, near)
        return {name: (own, near.operators[name]) for name, own in found.items()}

    @cached_property
    def kept_in_all(self) -> Fraction:
        """Bytes on each device, of all operators."""
        return total_resident(self.graph, self.partition, self.plan, self.optimiser)

    @cached_property
    def peak(self) -> MemoryPeak:
        """When most is in a device's memory, work space included, and what."""
        return peak_of(self.graph, self.partition, self.plan, self.optimiser)

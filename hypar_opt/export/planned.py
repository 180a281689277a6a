"""A plan of a network of operators, with all that a program of it needs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators import faults
from hypar_opt.evaluation.operators.step import fastest_first, movements
from hypar_opt.export.layouts import Layouts, layouts
from hypar_opt.instance.operators.links import AxisLink
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators import Movement, OperatorPlan
    from hypar_opt.instance.operators import OperatorGraph, OperatorInstance
    from hypar_opt.instance.operators.made import MadeLayer
    from hypar_opt.instance.operators.network_schema import OperatorNetworkSpec
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True, eq=False)
class PlannedStep:
    """A training step by a plan.

    Parameters
    ----------
    name
        Of the instance.
    graph, partition, plan
        Which plan of what, for how many devices; one without faults, all of whose parts are of one size.
    layers
        What the operators compute.
    links
        Along each axis; nothing is known of them unless given.
    element_bytes
        Of one number.
    batch
        Samples in a step.
    network
        What the instance says of its network.
    """

    name: str
    graph: OperatorGraph
    partition: Partition
    plan: OperatorPlan
    layers: tuple[MadeLayer, ...]
    links: tuple[AxisLink, ...] = ()
    element_bytes: int = 4
    batch: int = 0
    network: OperatorNetworkSpec | None = None

    @cached_property
    def axes(self) -> tuple[str, ...]:
        """Names of the axes."""
        return tuple(axis.name for axis in self.partition.axes)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Of the axes."""
        return tuple(axis.size for axis in self.partition.axes)

    @cached_property
    def fastest(self) -> tuple[int, ...]:
        """The axes, that of the fastest links first."""
        return fastest_first(self.links or (AxisLink(),) * self.partition.levels)

    @cached_property
    def layouts(self) -> Layouts:
        """In which order the axes split each dimension; raises as `layouts` does."""
        return layouts(self.graph, self.partition, self.plan, self.fastest)

    @cached_property
    def movements(self) -> tuple[Movement, ...]:
        """What the plan's collectives are said to move."""
        return movements(self.graph, self.partition, replace(self.plan, emitted=None), self.links)

    @cached_property
    def emitted(self) -> tuple[Movement, ...]:
        """What the plan is said to move by its own accounting, a partitioner's or that of collectives."""
        return movements(self.graph, self.partition, self.plan, self.links)


def planned_step(instance: OperatorInstance, plan: OperatorPlan) -> PlannedStep:
    """Return the step of a plan of an instance.

    Raises
    ------
    Refusal
        If some of its parts are larger than others, which programs have no arrays of.
    """
    from hypar_opt.instance.operators.network import made_layers

    graph, partition = instance.graph, instance.partition
    uneven = next(faults(graph, partition, plan, divisible=not plan.is_padded, choices=every_choice(graph)), None)
    if uneven is not None:
        raise Refusal(f"{uneven}; programs are exported of plans whose parts are of one size, or padded to it")
    layers = made_layers(instance.spec.network, instance.batch, instance.bytes_per_element)
    return PlannedStep(
        instance.name, graph, partition, plan, layers, tuple(instance.links), instance.bytes_per_element,
        instance.batch, instance.spec.network,
    )  # fmt: skip


def refuse_second_runs(step: PlannedStep, target: str) -> None:
    """Refuse what runs once more in the backward phase, of which a target has no notion.

    Raises
    ------
    Refusal
        If something does.
    """
    if step.plan.recomputed.again:
        raise Refusal(
            f"blocks that run once more in the backward phase are exported to jax and placements, not {target}"
        )


def refuse_padding(step: PlannedStep, target: str) -> None:
    """Refuse parts that are filled up, which a target has no arrays of.

    Raises
    ------
    Refusal
        If there are any; names one.
    """
    uneven = next(faults(step.graph, step.partition, step.plan, divisible=True, choices=every_choice(step.graph)), None)
    if uneven is not None:
        raise Refusal(f"{uneven}; parts that are filled up are exported to jax and placements, not {target}")


def every_choice(graph: OperatorGraph) -> tuple[str, ...]:
    """Return all choices that there are."""
    return (*dict.fromkeys(name for one in graph.operators for name in one.splits), "none")


def sizes_by_dim(step: PlannedStep, word: tuple[str, ...]) -> Mapping[str, int]:
    """Return into how many parts a word splits each of its dimensions."""
    found: dict[str, int] = {}
    for size, entry in zip(step.sizes, word, strict=True):
        found[entry] = found.get(entry, 1) * size
    return found

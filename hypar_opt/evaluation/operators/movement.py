"""What a plan of operators moves in a training step, tensor by tensor, conversion by conversion."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.conversion import Kind, converted
from hypar_opt.evaluation.operators.halos import halo
from hypar_opt.evaluation.operators.program import Conversion, Phase, conversions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Movement:
    """What a conversion, or the reading of a halo, moves along one axis.

    Parameters
    ----------
    tensor
        Its name; of an operator's sums `OPERATOR:statistic`.
    phase
        When.
    reader
        The operator that needs it, or whose gradient it is; None where it is done once for several, or for nobody.
    kind, axis
        As what, and along which axis, by its name.
    bytes
        That all devices together receive.
    collectives
        Calls of each device: one for every conversion and axis, of an all-to-all along several axes the outermost has
        it, of a halo likewise.
    """

    tensor: str
    phase: Phase
    reader: str | None
    kind: Kind
    axis: str
    bytes: Fraction
    collectives: int


def total(moved: Iterable[Movement]) -> Fraction:
    """Return the bytes of all."""
    return sum((one.bytes for one in moved), start=Fraction(0))


def movements(graph: OperatorGraph, partition: Partition, plan: OperatorPlan) -> tuple[Movement, ...]:
    """Return what a plan moves in a training step.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    """
    sizes = tuple(axis.size for axis in partition.axes)
    return tuple(
        moved
        for found in (
            *(_moved(one, partition, sizes) for one in conversions(graph, plan)),
            _halos(graph, partition, plan),
        )
        for moved in found
    )


def _moved(one: Conversion, partition: Partition, sizes: tuple[int, ...]) -> Iterator[Movement]:
    if one.have == one.need:
        return
    for share in converted(sizes, one.have, one.need):
        moved = partition.leaves * one.size * share.tensors
        axis = partition.axes[share.axis].name
        yield Movement(one.tensor, one.phase, one.reader, share.kind, axis, moved, share.calls)


def _halos(graph: OperatorGraph, partition: Partition, plan: OperatorPlan) -> Iterator[Movement]:
    sizes = [axis.size for axis in partition.axes]
    for operator in graph.operators:
        for operand in operator.operands:
            tensor = graph.tensors[operand.tensor]
            if operand.windows and tensor.role != "input":  # inputs are loaded with their halos
                rows = halo(tensor, operand, plan.words[operator.name], sizes)
                phases: tuple[Phase, ...] = ("forward", "backward") if tensor.has_gradient else ("forward",)
                for phase in phases:
                    for axis, moved in rows.items():
                        called = int(axis == min(rows))
                        name = partition.axes[axis].name
                        yield Movement(tensor.name, phase, operator.name, "halo", name, moved, called)

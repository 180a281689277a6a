"""What a plan of operators moves in a training step, tensor by tensor, conversion by conversion."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.conversion import converted
from hypar_opt.evaluation.operators.halos import filled_up, halo, slowest
from hypar_opt.evaluation.operators.likeness import Likeness
from hypar_opt.evaluation.operators.movement import Movement
from hypar_opt.evaluation.operators.program import Conversion, Surroundings, conversions, phases_of_halos
from hypar_opt.instance.operators.links import AxisLink

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.util.partition import Partition


def movements(
    graph: OperatorGraph,
    partition: Partition,
    plan: OperatorPlan,
    links: Sequence[AxisLink] = (),
    only: Surroundings | None = None,
) -> tuple[Movement, ...]:
    """Return what a plan moves in a training step.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    links
        Along each axis; where their bandwidths are known, they say in which order sums and gathers go.
    only
        Which tensors, and whose sums and halos; all unless told.
    """
    if only is None and graph.repeats:
        alike = Likeness.of(graph, plan)
        return tuple(alike.each_moved(graph, movements(graph, partition, plan, links, alike.first)))
    links = links or (AxisLink(),) * partition.levels
    fastest, sizes = fastest_first(links), tuple(axis.size for axis in partition.axes)
    return tuple(
        moved
        for found in (
            *(_moved(one, partition, sizes, fastest, plan) for one in conversions(graph, plan, only)),
            _halos(graph, partition, plan, links, only),
        )
        for moved in found
    )


def fastest_first(links: Sequence[AxisLink]) -> tuple[int, ...]:
    """Return the axes, fastest links first, of equal ones the innermost; all are equal where one is not known."""
    known = all(link.bandwidth is not None for link in links)
    waits = [1 / link.bandwidth if known and link.bandwidth is not None else 0 for link in links]
    return tuple(sorted(range(len(links)), key=lambda axis: (waits[axis], -axis)))


def _moved(
    one: Conversion, partition: Partition, sizes: tuple[int, ...], fastest: tuple[int, ...], plan: OperatorPlan
) -> Iterator[Movement]:
    if plan.emitted is not None:
        for kind, number, tensors in plan.emitted.moved(one.have, one.need):
            moved, name = one.size * tensors, partition.axes[number].name
            yield Movement(one.tensor, one.phase, one.reader, kind, name, moved, 1, moved / partition.leaves, 0)
        return
    if one.have == one.need:
        return
    for share in converted(sizes, one.have, one.need, fastest, one.shape if plan.is_padded else None):
        received = one.size * share.tensors
        steps = share.steps if received else 0  # of sums that nobody needs
        axis = partition.axes[share.axis].name
        moved = partition.leaves * received
        yield Movement(one.tensor, one.phase, one.reader, share.kind, axis, moved, share.calls, received, steps)


def _halos(
    graph: OperatorGraph,
    partition: Partition,
    plan: OperatorPlan,
    links: Sequence[AxisLink],
    only: Surroundings | None,
) -> Iterator[Movement]:
    sizes = [axis.size for axis in partition.axes]
    for operator in graph.operators:
        if only is not None and operator.name not in only.operators:
            continue
        for place, operand in enumerate(operator.operands):
            tensor = graph.tensors[operand.tensor]
            if operand.windows and tensor.role != "input":  # inputs are loaded with their halos
                word = plan.words[operator.name]
                tensor = filled_up(tensor, operand, word, sizes) if plan.is_padded else tensor
                rows = halo(tensor, operand, word, sizes, is_padded=plan.is_padded)
                waits = slowest(tensor, operand, word, sizes, links, is_padded=plan.is_padded)
                for phase in phases_of_halos(graph, operator, place, plan):
                    for axis, moved in rows.items():
                        called = int(axis == min(rows))
                        name = partition.axes[axis].name
                        received, steps = waits.get(axis, (Fraction(0), 0))
                        yield Movement(tensor.name, phase, operator.name, "halo", name, moved, called, received, steps)

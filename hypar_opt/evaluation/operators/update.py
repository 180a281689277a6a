"""What devices compute to update the parameters: each those numbers for which it has the optimiser's states."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.operators.computing import Work
from hypar_opt.evaluation.operators.index_sets import held, measure
from hypar_opt.evaluation.operators.memory import lies_of_parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.device import Device
    from hypar_opt.util.partition import Partition


def updates(
    graph: OperatorGraph, partition: Partition, plan: OperatorPlan, device: Device, optimiser: Optimiser
) -> Iterator[Work]:
    """Yield what is done to every parameter that is trained, by the operator that reads it first.

    Parameter, gradient and states are read, and all but the gradient written. By a table of measured times nothing is
    told of it: then it takes what its bytes and operations do if the memory's bandwidth is known, and else no time.

    Parameters
    ----------
    graph, partition, plan
        Which plan of what; one without faults.
    device
        What each can do.
    optimiser
        What updates the parameters.
    """
    sizes = [axis.size for axis in partition.axes]
    first = [0] * len(sizes)  # has a part that is as large as any
    both = min(optimiser.multiplies, optimiser.adds)
    for tensor in graph.tensors.values():
        if tensor.role != "parameter" or not tensor.has_gradient or not graph.readers[tensor.name]:
            continue
        owner, (_, _, owned) = lies_of_parameter(graph, tensor, plan)
        numbers = tensor.elements * measure(held(owned, first), sizes, tensor.sizes)
        moved = numbers * tensor.element_bytes * (3 + 2 * optimiser.states)
        seconds = numbers * (optimiser.multiplies + optimiser.adds) / device.rate
        if device.bandwidth is not None:
            seconds = max(seconds, moved / device.bandwidth)
        elif device.times is not None:
            seconds = Fraction(0)
        others, multiplies = numbers * (optimiser.adds - both), numbers * (optimiser.multiplies - both)
        yield Work(owner, "update", numbers * both, others, moved, seconds, multiplies)

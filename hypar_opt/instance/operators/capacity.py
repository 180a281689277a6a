"""Memories that no plan of operators could fit into, whatever it is: found before anything is compiled."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from hypar_opt.instance.accelerator_schema import accelerator_of
from hypar_opt.instance.faults import Fault
from hypar_opt.instance.hardware.accelerator import OPTIMISERS

if TYPE_CHECKING:
    from hypar_opt.instance.operators.graph import OperatorGraph
    from hypar_opt.instance.operators.schema import OperatorInstanceSpec


def least_of_parameters(graph: OperatorGraph, states: int) -> int:
    """Return the bytes that all devices together have of parameters at every moment of a step, at the least.

    Parameters
    ----------
    graph
        The operators.
    states
        Numbers that the optimiser keeps for each that is trained, beside that one and its gradient.
    """
    read = (one for name, one in graph.tensors.items() if one.role == "parameter" and graph.readers[name])
    return sum(one.bytes * (2 + states if one.has_gradient else 1) for one in read)


def capacity_fault(spec: OperatorInstanceSpec, graph: OperatorGraph) -> Fault | None:
    """Return that devices cannot even hold the parameters, each its part and nothing twice; or None."""
    accelerator = accelerator_of(spec.array.accelerator)
    if accelerator is None or accelerator.capacity is None:
        return None
    states, devices = OPTIMISERS[spec.cost.optimiser].states, spec.array.partition.leaves
    whole = least_of_parameters(graph, states)
    if whole <= accelerator.capacity * devices:
        return None
    beside = "gradients" if not states else f"gradients and {spec.cost.optimiser}'s states"
    message = (
        f"expected at least {-(-whole // devices):,} bytes, which parameters with their {beside} alone take on each "
        f"of {devices:,} devices if nothing is kept twice, got {floor(accelerator.capacity):,}"
    )
    return Fault(("array", "accelerator", "memory", "capacity"), message)

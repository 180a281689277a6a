"""A network of operators as a pipeline: what every operator takes and keeps on one device of its array."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.operators.operator_step import OperatorStep
from hypar_opt.evaluation.operators.plan import OperatorPlan, shared_tensors
from hypar_opt.importers.pipelines import MadePipeline, PipelineWishes
from hypar_opt.importers.pipelines.format import in_femtoseconds
from hypar_opt.importers.pipelines.made import pipeline_fields
from hypar_opt.instance.faults import field_error
from hypar_opt.studies.pipelines.devices import ACCELERATOR, ArrayDevices
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Partition

if TYPE_CHECKING:
    from hypar_opt.instance.operators import Operator, OperatorGraph
    from hypar_opt.instance.operators.instance import OperatorInstance


def pipeline_of_operators(instance: OperatorInstance, wishes: PipelineWishes) -> MadePipeline:
    """Return the pipeline of a network of operators: a sample is a batch.

    Parameters
    ----------
    wishes
        Other devices than the array has: how many, how fast their links are, how much fits, whether there are replicas.

    Raises
    ------
    InputError
        If nothing is known of devices or of their links.
    """
    step = _step(instance)
    slowest = min((one.bandwidth for one in instance.links if one.bandwidth is not None), default=None)
    capacity = None if instance.accelerator is None else instance.accelerator.capacity
    devices = ArrayDevices(ACCELERATOR, instance.devices, capacity, slowest)
    tied = [
        name
        for name in shared_tensors(instance.graph)
        if instance.graph.tensors[name].role == "parameter" and instance.graph.readers[name]
    ]
    fields = pipeline_fields(instance.name, [devices.fields(wishes)], _operators(step))
    comments = [
        f"From the network {instance.name}: a sample is a batch of {instance.batch:,}; seconds of one device, backward "
        "with gradients and update; outputs that have a gradient are moved twice, on and back as that."
    ]
    if tied:
        comments.append(f"Parameters that several operators read are kept by the first alone: {', '.join(tied)}.")
    return MadePipeline(fields, tuple(comments), field_error)


def _step(instance: OperatorInstance) -> OperatorStep:
    """Return a training step on one device that has everything."""
    if instance.device is None:
        message = "the array does not say what a device computes; expected one that does, as --array a100-2x8"
        raise InputError(message, field="array")
    graph = instance.graph
    shared = dict.fromkeys(shared_tensors(graph), ((), ()))
    plan = OperatorPlan({one.name: () for one in graph.operators}, shared)
    return OperatorStep(graph, Partition(()), plan, (), instance.optimiser, instance.device)


def _operators(step: OperatorStep) -> list[dict[str, Any]]:
    graph = step.graph
    forward = {one.name: Fraction(0) for one in graph.operators}
    behind = dict(forward)
    for work in step.works:
        (forward if work.phase == "forward" else behind)[work.operator] += work.seconds
    found = []
    for one in graph.operators:
        kept = step.kept[one.name]
        output = graph.tensors[one.output.tensor]
        operator: dict[str, Any] = {
            "name": one.name,
            "seconds": in_femtoseconds(forward[one.name]),
            "backward": in_femtoseconds(behind[one.name]),
            "reads": _reads(graph, one),
            "output": output.bytes * (2 if output.has_gradient else 1),
        }
        bytes_kept = {
            "memory": sum(kept.get(kind, 0) for kind in ("parameters", "gradients", "states")),
            "activations": kept.get("maps", 0),
            "parameters": kept.get("gradients", 0),
        }
        operator |= {name: int(size) for name, size in bytes_kept.items() if size}
        found.append(operator)
    return found


def _reads(graph: OperatorGraph, operator: Operator) -> list[str]:
    writers = (graph.writers.get(one.tensor) for one in operator.operands)
    return list(dict.fromkeys(graph.operators[number].name for number in writers if number is not None))

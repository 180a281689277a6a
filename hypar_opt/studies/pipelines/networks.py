"""A network of layers as a pipeline: what every layer takes and keeps on one accelerator of its array."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.step import StepSetting, phase_seconds
from hypar_opt.importers.pipelines import MadePipeline, PipelineWishes
from hypar_opt.importers.pipelines.format import in_femtoseconds
from hypar_opt.importers.pipelines.made import pipeline_fields
from hypar_opt.instance.faults import field_error
from hypar_opt.instance.network import workload
from hypar_opt.studies.pipelines.devices import ACCELERATOR, ArrayDevices
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance import Instance
    from hypar_opt.instance.hardware.accelerator import Accelerator
    from hypar_opt.instance.network import Workload


def pipeline_of_network(instance: Instance, wishes: PipelineWishes) -> MadePipeline:
    """Return the pipeline of a network: a sample is a batch, an operator a layer with weights or a join.

    Parameters
    ----------
    wishes
        Other devices than the array has: how many, how fast their links are, how much fits, whether there are replicas.

    Raises
    ------
    InputError
        If nothing is known of accelerators or of their links, or one number of devices is wished of several kinds.
    """
    accelerators = _accelerators(instance)
    if wishes.devices is not None and len(accelerators) > 1:
        raise InputError(f"the array has {len(accelerators)} kinds of accelerators, each so many", field="--devices")
    devices = _devices(instance, accelerators)
    operators = _operators(instance, workload(instance.network), accelerators)
    fields = pipeline_fields(instance.name, [one.fields(wishes) for one in devices], operators)
    comment = (
        f"From the network {instance.name}: a sample is a batch of {instance.batch:,}; seconds of one accelerator, "
        "backward with gradients and update; outputs are moved twice, on and back as an error."
    )
    return MadePipeline(fields, (comment,), field_error)


def _accelerators(instance: Instance) -> dict[str, Accelerator]:
    """Return by kind what an accelerator can do."""
    if instance.mixed is not None:
        return {kind.name: kind.accelerator for kind in instance.mixed.kinds}
    if instance.accelerator is None:
        message = "the array does not say what an accelerator computes; expected one that does, as --array hypar-16"
        raise InputError(message, field="array")
    return {ACCELERATOR: instance.accelerator}


def _devices(instance: Instance, accelerators: Mapping[str, Accelerator]) -> list[ArrayDevices]:
    if instance.mixed is None:
        machine = instance.machine
        links = [link.bandwidth for link in machine.links if min(link.ends) < len(machine.accelerators)]
        slowest = min((one for one in links if one is not None), default=None)
        return [ArrayDevices(name, instance.accelerators, one.capacity, slowest) for name, one in accelerators.items()]
    counts = Counter(instance.mixed.partition.types)
    return [
        ArrayDevices(kind.name, counts[place], kind.accelerator.capacity, kind.bandwidth)
        for place, kind in enumerate(instance.mixed.kinds)
    ]


def _operators(instance: Instance, work: Workload, accelerators: Mapping[str, Accelerator]) -> list[dict[str, Any]]:
    seconds = {name: _phases(instance, work, one) for name, one in accelerators.items()}
    reads: dict[int, dict[str, None]] = {place: {} for place in range(len(work.layers))}
    for edge in work.boundaries:
        reads[edge.reader][work.layers[edge.producer].name] = None
    size = instance.batch * instance.bytes_per_element
    found = []
    for place, layer in enumerate(work.layers):
        operator: dict[str, Any] = {"name": layer.name}
        for number, phase in enumerate(("seconds", "backward")):
            by_kind = {name: in_femtoseconds(own[place][number]) for name, own in seconds.items()}
            operator[phase] = by_kind.get(ACCELERATOR, by_kind)
        operator |= {"reads": list(reads[place]), "output": 2 * size * layer.feature_out}
        if not layer.is_join:
            parameters = instance.bytes_per_element * layer.weight
            operator["memory"] = (2 + instance.optimiser.states) * parameters
            operator["activations"] = size * layer.feature_in
            operator["parameters"] = parameters
        found.append(operator)
    return found


def _phases(instance: Instance, work: Workload, accelerator: Accelerator) -> list[tuple[Fraction, Fraction]]:
    """Return by layer the seconds forward, and those of the phases behind it: backward, gradient and update."""
    setting = StepSetting(
        accelerator, instance.optimiser, instance.batch, halves(0), instance.bytes_per_element, instance.input_error
    )
    found = [(Fraction(0), Fraction(0)) for _ in work.layers]
    for (place, phase), seconds in phase_seconds(work, {layer.name: "" for layer in work.layers}, setting).items():
        forward, behind = found[place]
        found[place] = (forward + seconds, behind) if phase == "forward" else (forward, behind + seconds)
    return found

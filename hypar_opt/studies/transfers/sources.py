"""Data-parallel steps of networks on their arrays, and of pipelines, such as profiles of others."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.step import PHASES, StepSetting, phase_seconds
from hypar_opt.importers.pipelines.made import in_order
from hypar_opt.instance.network import workload
from hypar_opt.studies.transfers.layers import DataParallelStep, StepLayer
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.instance import Instance
    from hypar_opt.instance.pipeline import PipelineInstance


def step_of_network(instance: Instance) -> DataParallelStep:
    """Return the step of a network whose batch is divided at every level of its array, timed as the evaluator does.

    Raises
    ------
    InputError
        If the array does not say what an accelerator computes, or has several kinds of them.
    """
    if instance.mixed is not None:
        raise InputError("expected accelerators that are alike; the array has several kinds", field="array")
    if instance.accelerator is None:
        message = "the array does not say what an accelerator computes; expected one that does, as --array hypar-16"
        raise InputError(message, field="array")
    work = workload(instance.network)
    setting = StepSetting(
        instance.accelerator, instance.optimiser, instance.batch, instance.partition, instance.bytes_per_element,
        instance.input_error,
    )  # fmt: skip
    seconds = phase_seconds(work, {layer.name: "d" * instance.levels for layer in work.layers}, setting)
    layers = []
    for place, layer in enumerate(work.layers):
        forward, backward, gradient, update = (seconds.get((place, phase), Fraction(0)) for phase in PHASES)
        size = 0 if layer.is_join else instance.bytes_per_element * layer.weight
        layers.append(StepLayer(layer.name, update + forward, backward + gradient, Fraction(size)))
    links = [link.bandwidth for link in instance.machine.links]
    slowest = min((one for one in links if one is not None), default=None)
    return DataParallelStep(instance.name, tuple(layers), instance.accelerators, slowest)


def step_of_pipeline(pipeline: PipelineInstance) -> DataParallelStep:
    """Return the step of a pipeline whose devices each do all operators, on samples of their own.

    Raises
    ------
    InputError
        If it has several kinds of devices, or operators of the backward phase that stand by themselves.
    """
    kinds = [leaf for kind in pipeline.kinds for leaf in kind.leaves]
    if len(kinds) > 1:
        raise InputError(f"expected devices that are alike, got {len(kinds)} kinds", field="devices")
    each = pipeline.operators
    apart = next((one.name for one in each if one.phase != "forward"), None)
    if apart is not None:
        message = f"the backward computing of {apart} is an operator of its own; expected it as `backward` of the layer"
        raise InputError(message, field="operators")
    unable = next((one.name for one in each if kinds[0].name not in one.seconds), None)
    if unable is not None:
        raise InputError(f"{unable} cannot be on {kinds[0].name}, which does all operators here", field="operators")
    places = {one.name: place for place, one in enumerate(each)}
    order = in_order([[places[name] for name in one.reads] for one in each])
    name = kinds[0].name
    layers = tuple(
        StepLayer(one.name, one.seconds[name], one.backward.get(name, Fraction(0)), one.parameters)
        for one in (each[place] for place in order)
    )
    return DataParallelStep(pipeline.name, layers, pipeline.devices, kinds[0].bandwidth)

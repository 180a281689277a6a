"""Data-parallel steps of networks on their arrays, and of pipelines, such as profiles of others."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.step import PHASES, StepSetting, phase_seconds
from hypar_opt.importers.pipelines import PipelineWishes, import_pipeline
from hypar_opt.importers.pipelines.made import in_order
from hypar_opt.importers.pipelines.own import is_own
from hypar_opt.instance.network import workload
from hypar_opt.instance.read import load
from hypar_opt.solver.kinds import problem_of
from hypar_opt.studies.pipelines import pipeline_of
from hypar_opt.studies.transfers.layers import DataParallelStep, StepLayer
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.instance import Instance
    from hypar_opt.instance.operators.instance import OperatorInstance
    from hypar_opt.instance.pipeline import PipelineInstance


def load_step(source: str, workers: int | None = None, **overrides: Any) -> DataParallelStep:
    """Return the data-parallel step of a network, a pipeline, or a profile of others.

    Parameters
    ----------
    source
        A file, or the name of a shipped instance.
    workers
        How many there are, where no array says that.
    overrides
        Of an instance: its array, levels and batch, as `load` takes them.

    Raises
    ------
    InputError
        If it cannot be read, is something else, or does not say what is needed.
    """
    if not is_own(source):
        given = next((name for name, value in overrides.items() if value is not None), None)
        if given is not None:
            raise InputError("is of instances; a file of others says that itself, or has none", field=f"--{given}")
        if workers is None:
            raise InputError("the file does not say how many workers there are; expected --workers N", field="workers")
        return step_of_pipeline(import_pipeline(Path(source), PipelineWishes(devices=workers)).instance)
    instance = load(source, **overrides)
    kind = problem_of(instance).kind
    if kind not in _BY_KIND:
        message = f"is a {kind}, whose steps no gradients are known of; expected a network, a pipeline or a profile"
        raise InputError(message, file=Path(source))
    if workers is not None and kind == "network":
        raise InputError("is of pipelines and profiles; of a network the array says it: --levels H", field="--workers")
    step = _BY_KIND[kind](instance)
    return step if workers is None else replace(step, workers=workers)


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


def _step_of_operators(instance: OperatorInstance) -> DataParallelStep:
    return step_of_pipeline(pipeline_of(instance).instance)


_BY_KIND: Final[Mapping[str, Callable[[Any], DataParallelStep]]] = MappingProxyType(
    {
        "network": step_of_network,
        "mixed": step_of_network,
        "operators": _step_of_operators,
        "pipeline": step_of_pipeline,
    }
)

"""What `show` says of what is no network on links: operators, axes, and accelerators of several kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance import Instance, Overrides
from hypar_opt.instance.collective import CollectiveInstance
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.instance.pipeline import PipelineInstance
from hypar_opt.instance.read import is_array, load, load_array, load_axes
from hypar_opt.instance.shipped import (
    find_file,
    shipped_arrays,
    shipped_axes,
    shipped_instances,
    shipped_operators,
    shipped_problems,
)
from hypar_opt.instance.tasks import TaskGraphInstance
from hypar_opt.report.shown import Shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def shown_of(name: str, plan: Path | None, levels: int | None, *, network: bool) -> Shown | None:
    """Return what is to be shown, or None where it is about an array of links or the layers of a network.

    Parameters
    ----------
    name
        Of what is shipped, or a file.
    plan
        To show, of the instance; its file says what replaced fields.
    levels
        So many axes of two instead.
    network
        Whether the layers are asked for.

    Raises
    ------
    InputError
        If something cannot be read, or does not go together.
    """
    from hypar_opt.report import pipeline_shown as pipeline
    from hypar_opt.report.collective import shown as collective
    from hypar_opt.report.mixed import shown as mixed
    from hypar_opt.report.operators import shown as operators
    from hypar_opt.report.precision import shown as precision
    from hypar_opt.report.staged import shown as staged
    from hypar_opt.report.tasks import shown as tasks

    shipped = {**shipped_arrays(), **shipped_axes(), **shipped_instances(), **shipped_operators()}
    shipped |= shipped_problems()
    path = find_file(name, shipped, "the name of a shipped array or instance")
    if is_array(path):
        return _of_array(path, levels, network=network)
    instance = load(path, **({"levels": levels} if plan is None else _overrides_of(plan)))
    if isinstance(instance, PipelineInstance):
        _check_no_levels(levels)
        return pipeline.of_instance(instance) if plan is None else pipeline.of_plan(instance, plan)
    if isinstance(instance, CollectiveInstance):
        _check_no_levels(levels)
        return collective.of_instance(instance) if plan is None else collective.of_plan(instance, plan)
    if isinstance(instance, TaskGraphInstance):
        _check_no_levels(levels)
        return tasks.of_instance(instance) if plan is None else tasks.of_plan(instance, plan)
    if isinstance(instance, OperatorInstance):
        if plan is not None:
            _check_no_levels(levels)
            return operators.of_plan(instance, plan)
        if network:
            return operators.of_network(instance)
        return operators.of_axes(instance.name, instance.spec.array, instance.standing)
    if not isinstance(instance, Instance) or network:
        return None
    if instance.microbatches is not None and plan is not None:
        _check_no_levels(levels)
        return staged.of_plan(instance, plan)
    if instance.precision is not None and plan is not None:
        _check_no_levels(levels)
        return precision.of_plan(instance, plan)
    if instance.mixed is None:
        return None
    if plan is not None:
        _check_no_levels(levels)
        return mixed.of_plan(instance, plan)
    return mixed.of_array(instance.name, instance.mixed)


def _of_array(path: Path, levels: int | None, *, network: bool) -> Shown | None:
    """Return an array that is a file of its own, unless it is one of links."""
    from hypar_opt.report.mixed import shown as mixed
    from hypar_opt.report.operators import shown as operators

    axes = load_axes(path, Overrides(levels=levels))
    if axes is not None and network:
        raise InputError("expected an instance to show the network of, got an array, which has no network", file=path)
    if axes is not None:
        return operators.of_axes(path.stem, axes)
    kinds = None if network else load_array(path, Overrides(levels=levels)).mixed
    return None if kinds is None else mixed.of_array(path.stem, kinds)


def _check_no_levels(levels: int | None) -> None:
    if levels is not None:
        raise InputError("the plan's file says how many there are; leave it out", field="--levels")


def _overrides_of(plan: Path) -> dict[str, Any]:
    """Return what a plan's file says replaced fields; nothing of a pipe, which can be read but once."""
    from hypar_opt.verification import read_claim

    if plan.is_fifo():
        return {}
    return dict(read_claim(plan).overrides)

"""A training step of a plan of operators as a task graph: what one of the devices does, which are all alike.

Computing takes the device, whatever is moved the links along its axis. Operators wait for each other in the order of
the step, and for what is moved between them; sums of gradients of parameters are under way meanwhile, and which of
them goes first along an axis is left open.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators.waits import seconds_along
from hypar_opt.studies.tasks.of_simulation import MOST, SCHEMA, distinct
from hypar_opt.studies.traces.operators import step_calls
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.operator_step import OperatorStep
    from hypar_opt.studies.traces.operators import StepCall

ONE_BY_ONE: Final = "one after the other"
"""The order of the analytic model, in which all seconds add up."""
DEVICE: Final = "device"


def operator_tasks(name: str, step: OperatorStep) -> tuple[dict[str, Any], dict[str, Fraction]]:
    """Return a step as the file of a task graph has it, and when its tasks begin one after the other.

    Parameters
    ----------
    name
        Of the task graph.
    step
        By a plan without faults.

    Raises
    ------
    InputError
        If it is not known what a device computes, or how fast links are.
    Refusal
        If devices stand on a graph, whose links exchanges along axes share; if the plan's accounting says nothing of
        groups; if there are too many tasks.
    """
    if step.crossed is not None:
        raise Refusal("devices stand on a graph, whose links several axes share; expected an array of axes alone")
    if step.plan.emitted is not None:
        raise Refusal("the plan's accounting counts bytes of compiled programs, and says nothing of groups")
    if step.device is None:
        raise InputError("missing; expected what a device can do, to know how long it computes", field="array.device")
    if not step.is_timed:
        raise InputError("missing; expected bytes a second along every axis", field="array.axes")
    calls = step_calls(step)
    if len(calls) > MOST:
        raise Refusal(f"there are {len(calls):,} tasks, and at most {MOST:,} are written")
    names, now, begins, tasks = distinct([call.name for call in calls]), Fraction(0), {}, []
    for own, call in zip(names, calls, strict=True):
        seconds = _seconds(step, call)
        row: dict[str, Any] = {"name": own, "seconds": exact(seconds)}
        if seconds:
            row["on"] = [DEVICE if call.movement is None else _links(call.movement.axis)]
        after = [names[other] for other in call.waits_for]
        tasks.append({**row, "after": after} if after else row)
        begins[own] = now
        now += seconds
    resources = {DEVICE: 1} | {_links(axis.name): 1 for axis in step.partition.axes}
    document = {"schema": SCHEMA, "name": name, "resources": resources, "tasks": tasks, "objective": "makespan"}
    return document, begins


def _links(axis: str) -> str:
    return f"links along {axis}"


def _seconds(step: OperatorStep, call: StepCall) -> Fraction:
    """Return how long a call takes: what is moved as the device with the longest wait has it."""
    moved = call.movement
    if moved is None:
        return call.seconds
    links = {axis.name: link for axis, link in zip(step.partition.axes, step.links, strict=True)}
    return seconds_along(moved.axis, links[moved.axis], moved.received, moved.steps)

"""A batch's microbatches at the stages of a pipeline as a task graph: in which order devices do them is left open.

A phase of a microbatch at a stage is a task on its device. What a microbatch leaves at a stage is kept from the begin
of its forward phase to the end of its last one, beside what is always there.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from math import floor, lcm
from typing import TYPE_CHECKING, Any

from hypar_opt.studies.schedules.rules import StageStep
from hypar_opt.studies.tasks.of_simulation import MOST, SCHEMA
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.schedule import JudgedSchedule
    from hypar_opt.studies.schedules.stages import Batch


def step_name(step: StageStep) -> str:
    """Return what a phase of a microbatch at a stage is called."""
    return f"{step.phase} of microbatch {step.microbatch + 1} at stage {step.stage + 1}"


def batch_document(name: str, batch: Batch) -> dict[str, Any]:
    """Return a batch as the file of a task graph has it.

    Parameters
    ----------
    name
        Of the task graph.
    batch
        Its lags are between tasks, its bytes in a memory of each device that is known to have one.

    Raises
    ------
    Refusal
        If there are too many tasks.
    """
    if len(batch.steps) > MOST:
        raise Refusal(
            f"there are {len(batch.steps):,} tasks, and at most {MOST:,} are written; take fewer microbatches"
        )
    memories = _memories(batch)
    return {
        "schema": SCHEMA,
        "name": name,
        "resources": {_device(number): 1 for number in range(batch.devices)},
        **({"memories": memories} if memories else {}),
        "tasks": [_row(batch, step, memories) for step in batch.steps],
        "objective": "makespan",
    }


def begins_by_name(judged: JudgedSchedule) -> Mapping[str, Fraction]:
    """Return by task the second in which a schedule begins it."""
    return {
        f"{one.phase} of microbatch {one.microbatch + 1} at stage {one.stage + 1}": one.begin for one in judged.spans
    }


def _device(number: int) -> str:
    return f"device {number + 1}"


def _memory(number: int) -> str:
    return f"memory of {_device(number)}"


def _memories(batch: Batch) -> dict[str, int]:
    """Return by device with a capacity what its microbatches may keep, in parts of a byte in which amounts are whole.

    Raises
    ------
    Refusal
        If a device has no room for what is always there.
    """
    found = {}
    for number in range(batch.devices):
        own = batch.stages[number :: batch.devices]
        if own[0].capacity is None:
            continue
        room = own[0].capacity - sum((one.resident for one in own), start=Fraction(0))
        if room < 0:
            raise Refusal(f"{_device(number)} has no room for what is always there; expected a plan that fits")
        found[_memory(number)] = floor(room * _parts(batch))
    return found


def _parts(batch: Batch) -> int:
    """Return the least number of parts of a byte in which what stages keep is whole."""
    return lcm(*(one.kept.denominator for one in batch.stages))


def _row(batch: Batch, step: StageStep, memories: Mapping[str, int]) -> dict[str, Any]:
    device = step.stage % batch.devices
    row: dict[str, Any] = {"name": step_name(step), "seconds": exact(batch.seconds(step))}
    if batch.seconds(step):
        row["on"] = [_device(device)]
    needs = sorted(batch.needs(step), key=lambda one: one[0])
    after = [_after(before, max(lag for _, lag in same)) for before, same in groupby(needs, key=lambda one: one[0])]
    if after:
        row["after"] = after
    kept = batch.stages[step.stage].kept
    if step.phase == "forward" and kept and _memory(device) in memories:
        until = step_name(step._replace(phase=batch.last_phase))
        row["keeps"] = [{"memory": _memory(device), "amount": int(kept * _parts(batch)), "until": until}]
    return row


def _after(before: StageStep, lag: Fraction) -> str | dict[str, Any]:
    return {"task": step_name(before), "lag": exact(lag)} if lag else step_name(before)

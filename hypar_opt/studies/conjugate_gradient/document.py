"""Iterations of conjugate gradients as a task graph's file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.studies.conjugate_gradient.durations import Durations
from hypar_opt.studies.conjugate_gradient.unrolling import unroll
from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.studies.conjugate_gradient.noise import Noise
    from hypar_opt.studies.conjugate_gradient.unrolling import Loop, LoopStep

WORKER: Final = "worker"
"""What the resource is called."""


def cg_document(
    loop: Loop,
    workers: int | None = None,
    durations: Durations | None = None,
    noise: Noise | None = None,
    periodic: bool = False,
    name: str | None = None,
) -> dict[str, Any]:
    """Return the fields of a task graph's file.

    Parameters
    ----------
    workers
        Who do one task each at a time; None for as many as are wanted. A barrier takes none.
    durations
        A second each, of barriers none, unless given.
    noise
        What makes tasks longer; None for nothing.
    periodic
        Whether the iterations are repeated for ever, and what is asked for is the least period.
    name
        Its name; made of the variant, blocks, iterations and workers unless given.

    Raises
    ------
    InputError
        If seconds are given of what is not there, or iterations that are repeated do not end where a barrier is.
    """
    if periodic and loop.variant.fuses and loop.fuse is not None and loop.iterations % loop.fuse:
        said = f"expected iterations that are repeated to be a multiple of --fuse {loop.fuse}, got {loop.iterations}"
        raise InputError(said, field="--iterations")
    times = durations or Durations()
    times.check(loop.variant)
    size = f"{loop.blocks}x{loop.iterations}"
    return {
        "schema": "hypar-opt/task-graph/1",
        "name": name or "-".join([loop.variant.name, size, *([] if workers is None else [str(workers)])]),
        **({} if workers is None else {"resources": {WORKER: workers}}),
        "tasks": [
            _task(step, after, loop, workers, times, noise)
            for step, after in (_repeated(loop) if periodic else _once(unroll(loop)))
        ],
        "objective": "period" if periodic else "makespan",
    }


def _task(
    step: LoopStep, after: list[Any], loop: Loop, workers: int | None, durations: Durations, noise: Noise | None
) -> dict[str, Any]:
    seconds = durations.of(step, loop.blocks)
    if noise is not None:
        seconds += noise.delay(step.name, seconds)
    worked = workers is not None and step.kernel.operation.name != "barrier"
    return {
        "name": step.name,
        "seconds": exact(seconds),
        **({"on": [WORKER]} if worked else {}),
        **({"after": after} if after else {}),
    }


def _once(steps: Sequence[LoopStep]) -> list[tuple[LoopStep, list[Any]]]:
    return [(step, [steps[one].name for one in step.waits_for]) for step in steps]


def _repeated(loop: Loop) -> list[tuple[LoopStep, list[Any]]]:
    """Return the steps of one period, and what they wait for: of two periods, what the second waits for in the first.

    Nothing is waited for from further back: each line is done in every iteration.
    """
    steps = unroll(replace(loop, iterations=2 * loop.iterations), closed=True)
    half = len(steps) // 2
    return [
        (
            steps[number - half],
            [
                steps[one - half].name if one >= half else {"task": steps[one].name, "distance": 1}
                for one in steps[number].waits_for
            ],
        )
        for number in range(half, len(steps))
    ]

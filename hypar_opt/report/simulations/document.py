"""A simulated step for machines: everything but the single tasks, exact."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.boxes import unbuildable_field
from hypar_opt.plan_file import exact
from hypar_opt.simulation import Compute

if TYPE_CHECKING:
    from hypar_opt.simulation import Simulated, Simulation, Step, Use


def simulation_document(name: str, simulated: Simulated) -> dict[str, Any]:
    """Return what `simulate` found; numbers that are not whole are decimals or fractions as text."""
    found, step = simulated.simulation, simulated.step
    together = step.together
    options = found.options
    return {
        "instance": name,
        "overlap": options.overlap,
        "contention": options.contention,
        "hold": options.hold,
        "acquire": options.acquire,
        "memory_bytes_per_s": exact(options.memory_bandwidth),
        "tasks": len(found.graph),
        "time_s": exact(found.time),
        "floor_s": exact(found.floor),
        "analytic": {
            "time_s": exact(simulated.analytic),
            "compute_time_s": exact(step.compute_time),
            "comm_time_s": exact(step.comm_time),
            "by_layer_s": None if together is None else exact(together.by_layer),
            "perfect_s": None if together is None else exact(together.perfect),
        },
        **unbuildable_field(simulated.splits),
        "resources": [_use(found, one) for one in found.uses],
        "critical_path": [_step(found, one) for one in found.critical_path],
    }


def _use(found: Simulation, use: Use) -> dict[str, Any]:
    resource = found.field.resources[use.resource]
    return {
        "kind": resource.kind,
        "name": resource.name(found.machine),
        "tasks": use.tasks,
        "busy_s": exact(use.busy),
        "held_waiting_s": exact(use.blocked),
        "utilisation": round(float(use.share), 6),
    }


def _step(found: Simulation, step: Step) -> dict[str, Any]:
    task, clock, names = found.graph.tasks[step.task], found.field.clock, found.machine.names
    if isinstance(task, Compute):
        what: dict[str, Any] = {"layer": task.layer, "accelerator": names[task.accelerator]}
    else:
        what = {"part": task.part, "level": task.level + 1, "bytes": exact(task.amount)}
        what |= {"from": names[task.source], "to": names[task.target]}
    resources = found.field.resources
    return {
        "task": step.task,
        "phase": task.phase,
        **what,
        "begin_s": exact(clock.seconds(step.begin)),
        "end_s": exact(Fraction(step.end, clock.unit)),
        "waited_for": step.reason if step.waited_for is None else resources[step.waited_for].name(found.machine),
    }

"""A simulated step: on the terminal, and for machines."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.legality import unbuildable_field, unbuildable_text
from hypar_opt.evaluation.step import PHASES
from hypar_opt.report.console import show as show_rows
from hypar_opt.report.numbers import in_si, share
from hypar_opt.studies.simulation import Compute, CriticalStep, Simulated, Simulation, Use
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from hypar_opt.studies.simulation.platform import Kind

BUSIEST = 10
"""Links and memories in the table of those with most to do."""
NOTABLE: Final = Fraction(1, 10)
"""Of the step: how long links are held by who waits for others before the headline says so."""
TAKEN: Final = {"ordered": "one by one in one order", "route": "one by one along the route"}
"""How links are taken if not all at once."""
KINDS: Final[Mapping[Kind, str]] = {"accelerator": "accelerators", "link": "link directions", "memory": "memories"}
"""Of resources, in the plural."""


def show_simulation(console: Console, name: str, simulated: Simulated) -> None:
    """Print how long a step takes and why."""
    console.print("\n".join(headline(name, simulated)))
    found = simulated.simulation
    for rows in (_kinds(found), _busiest(found), _critical(found)):
        if rows:
            console.print()
            show_rows(console, rows)
    if found.critical_path:
        console.print(waits_line(found))


def headline(name: str, simulated: Simulated) -> tuple[str, ...]:
    """Return the simulated time, the analytic one beside it, and the bounds."""
    found, step = simulated.simulation, simulated.step
    communicating = step.comm_time or Fraction(0)
    lines = [
        f"{name}: a step takes {_s(found.time)} simulated ({mode(found)})",
        f"analytic: {_s(simulated.analytic)} = computing {_s(step.compute_time)} + communicating "
        f"{_s(communicating)}; simulated {against(found.time, simulated.analytic)}",
    ]
    if step.together is not None:
        lines.append(
            f"analytic with overlap: {_s(step.together.by_layer)} layer by layer, {_s(step.together.perfect)} perfect"
        )
    lines.append(f"no order of these tasks takes less than {_s(found.floor)}, the most that one resource has to do")
    held = _held(found, "link")
    if held > NOTABLE:
        lines.append(
            f"links are held by transfers that wait for others for {share(held, Fraction(1))} of the step, on average, "
            "which --acquire together avoids"
        )
    unbuildable = unbuildable_text(simulated.splits)
    return (*lines, f"note: {unbuildable}") if unbuildable else tuple(lines)


def _held(found: Simulation, kind: Kind) -> Fraction:
    """Return the share of the step for which resources of a kind are held by who cannot use them yet, on average."""
    uses = _uses_of(found, kind)
    blocked = sum((use.blocked for use in uses), start=Fraction(0))
    return blocked / (len(uses) * found.time) if blocked else Fraction(0)


def _uses_of(found: Simulation, kind: Kind) -> list[Use]:
    return [use for use in found.uses if found.field.resources[use.resource].kind == kind]


def mode(found: Simulation) -> str:
    """Return what overlaps and contends, in words."""
    options = found.options
    parts = [f"overlap {options.overlap}", "contention" if options.contention else "no contention"]
    if options.contention:
        parts += ["links held whole"] if options.hold == "whole" else []
        parts += [f"links taken {TAKEN[options.acquire]}"] if options.acquire in TAKEN else []
    parts += ["memory ports"] if options.memory_bandwidth is not None else []
    return ", ".join(parts)


def _s(seconds: Fraction) -> str:
    return in_si(float(seconds), "s")


def against(time: Fraction, analytic: Fraction) -> str:
    """Return how a simulated time compares with what sums say, in words."""
    if time == analytic:
        return "is the same exactly"
    if not analytic:
        return f"takes {_s(time)} more"
    return f"takes {share(abs(time - analytic), analytic)} {'more' if time > analytic else 'less'}"


def _kinds(found: Simulation) -> list[dict[str, str]]:
    """Return one row a kind of resource: how many, and the shares of the step in which they serve."""
    rows = []
    for kind, plural in KINDS.items():
        busy = [use.busy for use in _uses_of(found, kind)]
        if busy:
            mean = sum(busy, start=Fraction(0)) / len(busy)
            rows.append(
                {
                    "resources": plural,
                    "used": f"{len(busy):,}",
                    "busy at least": share(min(busy), found.time),
                    "mean": share(mean, found.time),
                    "at most": share(max(busy), found.time),
                    "held waiting, mean": share(_held(found, kind), Fraction(1)),
                }
            )
    return rows


def _busiest(found: Simulation) -> list[dict[str, str]]:
    """Return one row a link or memory of those with most to do; accelerators are mostly alike."""
    resources = found.field.resources
    between = [use for use in found.uses if resources[use.resource].kind != "accelerator"]
    ranked = sorted(between, key=lambda use: (-use.busy, use.resource))[:BUSIEST]
    return [
        {
            "busiest": resources[use.resource].name(found.machine),
            "tasks": f"{use.tasks:,}",
            "busy": _s(use.busy),
            "of the step": share(use.busy, found.time),
            "held waiting": _s(use.blocked),
        }
        for use in ranked
    ]


def _critical(found: Simulation) -> list[dict[str, str]]:
    """Return one row a phase of what the critical path consists of."""
    rows = []
    for phase in PHASES:
        mine = [step for step in found.critical_path if found.graph.tasks[step.task].phase == phase]
        if mine:
            total = _length(found, mine)
            computing = _length(found, [one for one in mine if isinstance(found.graph.tasks[one.task], Compute)])
            rows.append(
                {
                    "critical path": phase,
                    "tasks": f"{len(mine):,}",
                    "seconds": _s(total),
                    "of the step": share(total, found.time),
                    "computing": _s(computing),
                    "sending": _s(total - computing),
                }
            )
    return rows


def _length(found: Simulation, steps: list[CriticalStep]) -> Fraction:
    return found.field.clock.seconds(sum(step.end - step.begin for step in steps))


def waits_line(found: Simulation) -> str:
    """Return what the tasks of the critical path waited for."""
    path = found.critical_path
    counts: Counter[str] = Counter(
        step.reason if step.waited_for is None else found.field.resources[step.waited_for].kind for step in path
    )
    words = {"data": "data", "barrier": "a barrier", "accelerator": "an accelerator", "link": "a link",
             "memory": "a memory", "start": "nothing"}  # fmt: skip
    said = [f"{counts[reason]:,} for {word}" for reason, word in words.items() if counts[reason]]
    return f"its {len(path):,} tasks waited: {', '.join(said)}"


def simulation_document(name: str, simulated: Simulated) -> dict[str, Any]:
    """Return what `simulate` found; numbers that are not whole are decimals or fractions as text."""
    found, step = simulated.simulation, simulated.step
    together = step.together
    options = found.options
    return {
        "instance": name,
        **{name: getattr(options, name) for name in ("overlap", "contention", "hold", "acquire")},
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
        "resources": [use_document(found, one) for one in found.uses],
        "critical_path": [_step(found, one) for one in found.critical_path],
    }


def use_document(found: Simulation, use: Use) -> dict[str, Any]:
    """Return how busy a resource was, as plain data."""
    resource = found.field.resources[use.resource]
    return {
        "kind": resource.kind,
        "name": resource.name(found.machine),
        "tasks": use.tasks,
        "busy_s": exact(use.busy),
        "held_waiting_s": exact(use.blocked),
        "utilisation": round(float(use.share), 6),
    }


def _step(found: Simulation, step: CriticalStep) -> dict[str, Any]:
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

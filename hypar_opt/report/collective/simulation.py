"""A simulated schedule of a collective: on the terminal, as a picture, and for machines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.console import show as show_rows
from hypar_opt.report.numbers import in_bytes, in_si, share
from hypar_opt.report.simulation import BUSIEST, against, use_document, waits_line
from hypar_opt.studies.simulation import Transfer
from hypar_opt.studies.simulation.collective import joins
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.formulation.run import Limits
    from hypar_opt.report.charts.theme import Figure
    from hypar_opt.studies.simulation import CriticalStep
    from hypar_opt.studies.simulation.collective import MessageFormat, SimulatedCollective
    from hypar_opt.studies.simulation.tasks import SendPhase

PHASES: Final[tuple[SendPhase, ...]] = ("copy", "sum")


@dataclass(frozen=True)
class CollectiveRun:
    """A simulated schedule and how it is told.

    Parameters
    ----------
    found
        What was simulated.
    message
        How links carried chunks; None: no heads are counted.
    clock
        Cycles a second; None: no cycles are told.
    """

    found: SimulatedCollective
    message: MessageFormat | None = None
    clock: Fraction | None = None

    def seconds(self, value: Fraction) -> str:
        """Return a time, in cycles as well if there is a clock."""
        cycles = "" if self.clock is None else f" ({in_full(value * self.clock)} cycles)"
        return in_si(float(value), "s") + cycles


def collective_headline(run: CollectiveRun) -> tuple[str, ...]:
    """Return how long it takes, by sums as well, and who waited for links."""
    found, simulation = run.found, run.found.simulation
    judged, waiting, options = found.judged, found.waiting, simulation.options
    contention = "contention" if options.contention else "no contention"
    joined = joins(judged)
    noun = "messages" if joined else "sends"
    sends = f"{len(judged.schedule.sends):,} sends in " if joined else ""
    waits = f"{waiting.sends:,} {noun} waited for links, {in_si(float(waiting.total), 's')} in all, "
    waits += f"{in_si(float(waiting.longest), 's')} at most"
    what = "the schedule's own" if judged.steps is None else f"in lockstep, {judged.steps:,} steps by sums"
    return (
        f"{judged.instance.name}: {sends}{len(simulation.graph):,} {noun} take {run.seconds(found.time)} simulated "
        f"({found.sending}, {contention})",
        f"{what}: {run.seconds(found.analytic)}; simulated {against(found.time, found.analytic)}",
        _carried(run),
        f"no order of these {noun} takes less than {run.seconds(simulation.floor)}, "
        "the most that one link has to carry",
        waits if waiting.sends else f"no {noun[:-1]} waited for a link",
    )


def _carried(run: CollectiveRun) -> str:
    """Return what a chunk is on a link."""
    size, chunk, message = run.found.bytes_on_link, run.found.judged.instance.chunk_bytes, run.message
    joined = joins(run.found.judged)
    if message is None:
        return f"a chunk is {in_bytes(chunk)}, {'those of a message are joined, ' if joined else ''}without heads"
    many = "one message" if message.payload is None else f"messages of {message.payload:,} flits"
    return (
        f"a chunk {'by itself ' if joined else ''}is {in_bytes(chunk)} "
        f"in {message.flits(chunk):,} flits of {message.flit:,} bytes: {many}, "
        f"heads of {message.head:,}, {share(size - chunk, chunk)} more"
    )


def show_collective_run(console: Console, run: CollectiveRun) -> None:
    """Print how long a schedule takes, and why."""
    console.print("\n".join(collective_headline(run)))
    simulation = run.found.simulation
    for rows in (_links(run), _busiest(run)):
        console.print()
        show_rows(console, rows)
    if simulation.critical_path:
        console.print(waits_line(simulation))


def _links(run: CollectiveRun) -> list[dict[str, str]]:
    simulation = run.found.simulation
    busy, there = [use.busy for use in simulation.uses], 2 * len(simulation.machine.links)
    mean = sum(busy, start=Fraction(0)) / len(busy)
    return [
        {
            "link directions": f"{there:,}",
            "used": f"{len(busy):,}",
            "busy at least": share(min(busy), simulation.time),
            "mean": share(mean, simulation.time),
            "at most": share(max(busy), simulation.time),
        }
    ]


def _busiest(run: CollectiveRun) -> list[dict[str, str]]:
    simulation = run.found.simulation
    return [
        {
            "busiest": simulation.field.resources[use.resource].name(simulation.machine),
            "messages" if joins(run.found.judged) else "chunks": f"{use.tasks:,}",
            "busy": in_si(float(use.busy), "s"),
            "of the time": share(use.busy, simulation.time),
        }
        for use in sorted(simulation.uses, key=lambda use: (-use.busy, use.resource))[:BUSIEST]
    ]


def collective_run_document(run: CollectiveRun) -> dict[str, Any]:
    """Return the same for machines; numbers that are not whole are decimals or fractions as text."""
    found, simulation, message, clock = run.found, run.found.simulation, run.message, run.clock
    return {
        "instance": found.judged.instance.name,
        "sends": found.sending,
        **{name: getattr(simulation.options, name) for name in ("contention", "hold", "acquire")},
        "flit_bytes": None if message is None else message.flit,
        "message_flits": None if message is None else message.payload,
        "head_flits": None if message is None else message.head,
        "chunk_bytes": exact(found.judged.instance.chunk_bytes),
        "bytes_on_link": exact(found.bytes_on_link),
        "tasks": len(simulation.graph),
        "steps": found.judged.steps,
        "time_s": exact(found.time),
        "time_cycles": None if clock is None else exact(found.time * clock),
        "analytic_s": exact(found.analytic),
        "floor_s": exact(simulation.floor),
        "waiting": {
            "sends": found.waiting.sends,
            "total_s": exact(found.waiting.total),
            "longest_s": exact(found.waiting.longest),
        },
        "resources": [use_document(simulation, one) for one in simulation.uses],
        "critical_path": [_step(run, one) for one in simulation.critical_path],
    }


def _step(run: CollectiveRun, step: CriticalStep) -> dict[str, Any]:
    simulation = run.found.simulation
    task, names, seconds = simulation.graph.tasks[step.task], simulation.machine.names, simulation.field.clock.seconds
    assert isinstance(task, Transfer)  # a collective computes nothing
    resources = simulation.field.resources
    waited_for = step.reason if step.waited_for is None else resources[step.waited_for].name(simulation.machine)
    return {
        "task": step.task,
        "send": task.name,
        "route": [names[node] for node in task.route],
        "begin_s": exact(seconds(step.begin)),
        "end_s": exact(seconds(step.end)),
        "waited_for": waited_for,
    }


def collective_gantt(run: CollectiveRun, limits: Limits | None = None) -> Figure:
    """Return what every link does when; of many the busiest.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    from hypar_opt.report.charts.gantt import simulation_figure

    name = run.found.judged.instance.name
    return simulation_figure(name, collective_headline(run), run.found.simulation, PHASES, limits)

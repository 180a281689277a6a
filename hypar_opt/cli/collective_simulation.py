"""hypar-opt simulate of a collective's schedule: its options, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import IntegerRange, above_0, form_of, together
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from decimal import Decimal
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.evaluation.collective import JudgedCollective
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.report.collective.simulation import CollectiveRun
    from hypar_opt.studies.simulation import Options
    from hypar_opt.studies.simulation.collective import MessageFormat

OF_COLLECTIVES: Final = ("sends", "flit", "message_flits", "head_flits", "clock", "latency_cycles")
"""Parameters that say something of collectives only."""
OF_STEPS: Final = ("overlap", "memory_ports", "array")
"""Those that say nothing of them."""
MOST: Final = 2**40


@dataclass(frozen=True)
class CollectiveWishes:
    """How a schedule is to be simulated.

    Parameters
    ----------
    sends
        When sends go; None for what suits the schedule.
    message
        How links carry chunks; None counts their bytes alone.
    clock
        Cycles a second, to tell and read times in these.
    latency
        Cycles that a message takes on a link besides its bytes; None for the instance's.
    """

    sends: Literal["lockstep", "in-order", "greedy"] | None
    message: MessageFormat | None
    clock: Fraction | None
    latency: int | None


def _asked(
    sends: Literal["lockstep", "in-order", "greedy"] | None,
    flit: int | None,
    message_flits: int | None,
    head_flits: int | None,
    clock: Decimal | None,
    latency_cycles: int | None,
    **others: Any,
) -> dict[str, Any]:
    from hypar_opt.studies.simulation.collective.message_format import MessageFormat

    given = {"--message-flits": message_flits, "--head-flits": head_flits}
    alone = next((name for name, value in given.items() if value is not None and flit is None), None)
    if alone is not None:
        raise click.UsageError(f"{alone} counts flits; say how many bytes one has with --flit")
    if latency_cycles is not None and clock is None:
        raise click.UsageError("--latency-cycles counts cycles; say how many there are a second with --clock")
    message = None if flit is None else MessageFormat(flit, message_flits, 1 if head_flits is None else head_flits)
    return {
        **others,
        "asked": CollectiveWishes(sends, message, None if clock is None else Fraction(clock), latency_cycles),
    }


collective_options = together(
    click.option("--sends", type=click.Choice(["lockstep", "in-order", "greedy"]),
                 help="Of a collective: with their step; as soon as their input is there, in the plan's order on every "
                 "link; or whoever can go first. Lockstep unless given, in order where the plan is in seconds."),
    click.option("--flit", type=IntegerRange(1, MOST), metavar="BYTES",
                 help="Of a collective: what links carry at once, so that heads of messages count."),
    click.option("--message-flits", type=IntegerRange(1, MOST), metavar="N",
                 help="Flits of a message besides its head; without it a chunk is one message."),
    click.option("--head-flits", type=IntegerRange(0, MOST), metavar="N", help="Flits of a head; 1 unless given."),
    click.option("--clock", callback=above_0("cycles a second"), metavar="HZ",
                 help="Of a collective: tell its time in cycles as well."),
    click.option("--latency-cycles", type=IntegerRange(0, MOST), metavar="N",
                 help="Cycles that a message takes on a link, instead of the instance's seconds."),
    into=_asked,
)  # fmt: skip
"""Become `asked`."""


def simulate_schedule_of(
    instance: CollectiveInstance,
    plan: Path,
    asked: CollectiveWishes,
    options: Options,
    files: tuple[Path | None, Path | None],
    limits: Limits,
    wanted: Wanted,
) -> int:
    """Simulate a schedule, write the trace and the picture, and print what was found.

    Parameters
    ----------
    options
        How links are taken.
    files
        Of the trace, and of the picture.
    """
    from hypar_opt.report.collective.simulation import (
        CollectiveRun,
        collective_headline,
        collective_run_document,
        show_collective_run,
    )
    from hypar_opt.studies.simulation.collective import simulate_collective
    from hypar_opt.studies.simulation.tasks import check

    judged = _judged(instance, plan, asked)
    sends = asked.sends or ("lockstep" if judged.steps is not None else "in-order")
    with watching(f"simulating {instance.name}", limits, wanted) as watch:
        found = simulate_collective(judged, sends, asked.message, options, limits=limits, listener=watch.listener)
        watch.doing("summing up")
        found.simulation.complete(limits)
        run = CollectiveRun(found, asked.message, asked.clock)
        document = collective_run_document(run) if wanted.machine else None
        check(limits, "before anything was written")
        watch.doing("writing")
        _write(run, *files, limits)
    if wanted.quiet and document is None:
        click.echo("\n".join(collective_headline(run)))
    else:
        show_result(wanted, lambda _: document, show_collective_run, run)
    return 0


def _judged(instance: CollectiveInstance, path: Path, asked: CollectiveWishes) -> JudgedCollective:
    """Return the schedule of a plan's file, with the latency that is asked for.

    Raises
    ------
    InputError
        If it is a plan of another instance, or no schedule of this one.
    """
    from hypar_opt.solver.collective_problem import CollectiveProblem
    from hypar_opt.verification.checks import check_binding
    from hypar_opt.verification.claim import read_claim

    claim, problem = read_claim(path), CollectiveProblem(instance)
    check_binding(problem, claim)
    try:
        judged = problem.judged(claim.strategies_for("a plan to simulate"))
    except InputError as error:
        raise InputError(error.message, file=path, field=error.field or "plan") from None
    if judged.fault is not None:
        raise InputError(judged.fault.text, file=path, field="plan")
    if asked.latency is None or asked.clock is None:
        return judged
    latency = asked.latency / asked.clock
    links = tuple(replace(link, latency=latency) for link in instance.machine.links)
    return replace(judged, instance=replace(instance, machine=replace(instance.machine, links=links)))


def _write(run: CollectiveRun, trace: Path | None, gantt: Path | None, limits: Limits) -> None:
    """Write the files: what takes long first, and none if it is stopped meanwhile."""
    from hypar_opt.studies.simulation.trace import write_trace
    from hypar_opt.util.files import atomically

    content = None
    if gantt is not None:
        from hypar_opt.report.charts.export import picture
        from hypar_opt.report.collective.simulation import collective_gantt

        content = picture(collective_gantt(run, limits), form_of(gantt, "--gantt"))
    if trace is not None:
        write_trace(run.found.simulation, trace, limits)
    if gantt is not None and content is not None:
        with atomically(gantt) as stream:
            stream.write(content)

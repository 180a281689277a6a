"""hypar-opt simulate."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, output_options, process_age_s, time_limit_option
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.run import Limits
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require

if TYPE_CHECKING:
    from hypar_opt.studies.simulation import Acquire, Hold, Overlap, Simulated

"""The exit code at a limit."""
EPILOG = """\b
Examples:
  hypar-opt solve vgg-e --array hypar-16 --objective time -o plan.json
  hypar-opt simulate vgg-e plan.json                       # what contention costs
  hypar-opt simulate vgg-e plan.json --no-contention       # the analytic time, event by event
  hypar-opt simulate vgg-e plan.json --overlap full --trace step.json --gantt step.png

\b
Exit codes: 0 simulated; 2 bad input, or a simulation that cannot go on (deadlock);
3 stopped at the time limit; 130 and 143 after SIGINT and SIGTERM. Stopped, nothing is written."""


@dataclass(frozen=True)
class SimulateFiles:
    """What is written beside the result."""

    trace: Path | None
    gantt: Path | None

    def check(self) -> None:
        """Find out before the work whether they can be written, and whether the picture's form is known."""
        from hypar_opt.cli.show_command import FORMS
        from hypar_opt.util.files import check_writable

        if self.gantt is not None and self.gantt.suffix.lower() not in FORMS:
            raise InputError(
                f"expected a name that ends in {' or '.join(FORMS)}, got '{self.gantt.name}'", field="--gantt"
            )
        require("simulate", *(["report"] if self.gantt is not None else []))
        for path in (self.trace, self.gantt):
            if path is not None:
                check_writable(path)


@click.command("simulate", epilog=EPILOG)
@click.argument("instance")
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json")
@click.option(
    "--overlap", type=click.Choice(["none", "full"]), default="none", show_default=True,
    help="Barriers between all phases and exchanges, or tasks as soon as their data are there.",
)  # fmt: skip
@click.option(
    "--contention/--no-contention", default=True, show_default=True,
    help="Transfers need all links of their route at once, or every link serves by itself.",
)  # fmt: skip
@click.option(
    "--hold", type=click.Choice(["rate", "whole"]), default="rate", show_default=True,
    help="With contention: of every link the bandwidth of the route's slowest, or all of it.",
)  # fmt: skip
@click.option(
    "--acquire", type=click.Choice(["together", "ordered", "route"]), default="together", show_default=True,
    help="With contention: a route taken as a whole when all of it has room; or link by link, each kept while the "
    "next is waited for, in one order for all or along the route, which can deadlock.",
)  # fmt: skip
@click.option("--memory-ports", is_flag=True, help="Transfers cross the memories at both ends, too.")
@click.option("--array", metavar="ARRAY", help="Simulate on another array: a file, or a shipped one.")
@click.option("--trace", type=click.Path(path_type=Path), metavar="FILE", help="Write a Chrome or Perfetto trace.")
@click.option("--gantt", type=click.Path(path_type=Path), metavar="FILE", help="Write a picture: .png or .svg.")
@time_limit_option
@output_options
def command(
    instance: str,
    plan: Path,
    overlap: Overlap,
    contention: bool,
    hold: Hold,
    acquire: Acquire,
    memory_ports: bool,
    array: str | None,
    trace: Path | None,
    gantt: Path | None,
    time_limit: float | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
) -> int:
    """Simulate one training step of INSTANCE under PLAN.json, event by event.

    Overrides that the plan was made with are taken from its file. Unless told otherwise the step keeps to the order
    of the analytic model, and transfers need all their links at once: the difference to the analytic time is what
    contention costs. Without contention and overlap both times are the same, exactly. Latency is not charged.
    """
    from hypar_opt.cli.simulate_arguments import memory_of, read
    from hypar_opt.studies.simulation import Options, simulate_plan
    from hypar_opt.studies.simulation.tasks import check

    _check_contention(contention)
    wanted, files = Wanted(as_json, json_lines, quiet), SimulateFiles(trace, gantt)
    files.check()
    limits = Limits(None if time_limit is None else time.monotonic() - process_age_s() + time_limit)
    problem, strategies, placed = read(instance, plan, array)
    options = Options(overlap, contention, hold, acquire, memory_of(problem) if memory_ports else None)
    with watching(f"simulating {instance}", limits, wanted) as watch:
        found = simulate_plan(problem, strategies, placed, options, limits=limits, listener=watch.listener)
        watch.doing("summing up")
        found.simulation.complete(limits)
        document = _document(problem.instance.name, found, wanted)
        check(limits, "before anything was written")
        watch.doing("writing")
        _write(problem.instance.name, found, files, limits)
    # whoever wanted to stop from here on came too late: the files are there, and so is the result
    if document is not None:
        echo_document(document, wanted)
    else:
        _show(problem.instance.name, found, wanted)
    return 0


def _check_contention(contention: bool) -> None:
    """Refuse what would say nothing: who holds links, and how they are taken, where nobody holds any."""
    context = click.get_current_context()
    for name in ("hold", "acquire"):
        if not contention and context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} says what contention is like; it cannot be given with --no-contention")


def _write(name: str, found: Simulated, files: SimulateFiles, limits: Limits) -> None:
    """Write the files: what takes long first, and none if it is stopped meanwhile."""
    content = None
    if files.gantt is not None:
        from hypar_opt.cli.show_command import FORMS
        from hypar_opt.report.charts.export import picture
        from hypar_opt.report.charts.gantt import DRAWING, gantt_figure
        from hypar_opt.studies.simulation.tasks import check

        content = picture(gantt_figure(name, found, limits), FORMS[files.gantt.suffix.lower()])
        check(limits, DRAWING)
    if files.trace is not None:
        from hypar_opt.studies.simulation import write_trace

        write_trace(found.simulation, files.trace, limits)
    if files.gantt is not None and content is not None:
        from hypar_opt.util.files import atomically

        with atomically(files.gantt) as stream:
            stream.write(content)


def _document(name: str, found: Simulated, wanted: Wanted) -> dict[str, Any] | None:
    """Return the result for a machine, before anything is written."""
    if not wanted.machine:
        return None
    from hypar_opt.report.simulation import simulation_document

    return simulation_document(name, found)


def _show(name: str, found: Simulated, wanted: Wanted) -> None:
    from hypar_opt.report.simulation import headline, show_simulation

    if wanted.quiet:
        click.echo("\n".join(headline(name, found)))
    else:
        from hypar_opt.report.console import console

        show_simulation(console(), name, found)

"""hypar-opt schedule."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import Wanted, form_of, limit_options, output_options, path_option
from hypar_opt.cli.progress import showing
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.util.extras import require
from hypar_opt.util.files import atomically, check_writable, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.pipeline import PipelineStage
    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.schedules.compare import NamedSchedule

EPILOG = epilog(
    "hypar-opt solve my-pipeline.yaml -o plan.json",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --best --time-limit 30",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --gradient-share 1/2 --draw zero-bubble -o s.svg",
    codes={0: "compared", 2: BAD_INPUT},
)
MOST_MICROBATCHES = 10_000


@click.command("schedule", epilog=EPILOG)
@click.argument("instance", shell_complete=words.problems)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@click.option("--microbatches", type=click.IntRange(1, MOST_MICROBATCHES), required=True, help="Of a batch.")
@click.option("--devices", type=click.IntRange(1), help="Stages go round so many devices. Default: one device a stage.")
@click.option(
    "--gradient-share", metavar="SHARE", default="0", show_default=True,
    help="The part of the backward seconds in which gradients of parameters are computed, an assumption: 1/2.",
)  # fmt: skip
@click.option("--best", is_flag=True, help="Look for the shortest schedule, too: for few microbatches to a proof.")
@click.option("--draw", metavar="NAME", help="The schedule of -o and --trace. Default: the shortest that fits.")
@path_option("-o", "--output", metavar="FILE", help="Draw it: .svg or .png.")
@path_option("--trace", metavar="FILE", help="Write it as a Chrome or Perfetto trace.")
@limit_options
@output_options
def command(
    instance: str,
    plan: Path,
    microbatches: int,
    devices: int | None,
    gradient_share: str,
    best: bool,
    draw: str | None,
    output: Path | None,
    trace: Path | None,
    limits: Limits,
    wanted: Wanted,
) -> None:
    """Put a batch's microbatches in order at the stages of PLAN.json, by every known schedule.

    INSTANCE is a pipeline whose operators say what their backward phase takes, PLAN.json a plan of contiguous stages.
    A row is a schedule: all forward and then all backward (gpipe), one forward and one backward in turn (1f1b), the
    same without a wait at the batch's end (pipedream), with several stages a device (interleaved), with the gradients
    of parameters in what would be bubbles (zero-bubble); what a batch takes, the share of bubbles, and the most bytes
    that are kept. Each is checked: what is needed is there, a device does one thing at a time.
    """
    from hypar_opt.report.schedules import schedules_document, show_schedules
    from hypar_opt.solver.kinds import problem_of
    from hypar_opt.studies.schedules.compare import compare_schedules
    from hypar_opt.studies.schedules.of_plan import stages_of
    from hypar_opt.verification.checks import check_binding
    from hypar_opt.verification.claim import read_claim

    if output is not None:
        form_of(output, "--output")
        require("report")
        check_writable(output)
    if trace is not None:
        check_writable(trace)
    check_apart({"--output": output, "--trace": trace}, instance, plan)
    problem = problem_of(instance)
    if problem.kind != "pipeline":
        raise Refusal("schedule is of pipelines, which have stages; of networks, see hypar-opt simulate")
    claim = read_claim(plan)
    check_binding(problem, claim)
    judged = problem.judged(claim.strategies_for("a plan to put in order"))  # type: ignore[attr-defined]
    if judged.fault is not None:
        raise InputError(judged.fault, file=plan, field="plan")
    stages = stages_of(judged, _share(gradient_share))
    count = len(stages) if devices is None else devices
    if len(stages) % count:
        raise InputError(f"expected a number that divides the {len(stages)} stages, got {count}", field="--devices")
    _check_alike(judged.stages, count)
    with showing(f"scheduling {plan.name}", wanted):
        found = compare_schedules(stages, microbatches, devices=count, limits=limits if best else None)
    shown = _shown(found, draw)
    _write(shown, problem.instance.name, output, trace)
    heading = f"{problem.instance.name}: {len(stages)} stages on {count} devices, {microbatches:,} microbatches"
    if wanted.machine or not wanted.quiet:
        show_result(wanted, schedules_document, show_schedules, heading, found)
    written = [one for one in (output, trace) if one is not None]
    if written:
        wanted.tell_of(written)


def _check_alike(stages: Sequence[PipelineStage], count: int) -> None:
    """Check that stages which go to one device are timed on such devices."""
    for place, stage in enumerate(stages):
        first = stages[place % count].devices
        if replace(stage.devices, first=first.first) != first:
            message = (
                f"stages {place % count + 1} and {place + 1} would be on one of {count}, and the plan has them on "
                f"devices that are not alike: {first} and {stage.devices}"
            )
            raise InputError(message, field="--devices")


def _share(text: str) -> Fraction:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        share = Fraction(-1)
    if not 0 <= share <= 1:
        raise InputError(f"expected a share from 0 to 1, as 1/2, got '{text}'", field="--gradient-share")
    return share


def _shown(found: list[NamedSchedule], name: str | None) -> NamedSchedule:
    """Return the schedule of a name, or the shortest that fits."""
    known = {one.name: one for one in found if one.judged is not None}
    if name is None:
        fitting = [one for one in known.values() if one.fits] or list(known.values())
        return min(fitting, key=lambda one: one.seconds or Fraction(0))
    if name not in known:
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        raise InputError(f"no schedule here is called '{name}'{hint}", field="--draw")
    return known[name]


def _write(shown: NamedSchedule, of: str, output: Path | None, trace: Path | None) -> None:
    if output is not None:
        from hypar_opt.report.charts.export import picture
        from hypar_opt.report.charts.schedule_gantt import schedule_figure

        content = picture(schedule_figure(of, shown), form_of(output, "--output"))
        with atomically(output) as stream:
            stream.write(content)
    if trace is not None and shown.judged is not None:
        from hypar_opt.studies.schedules.trace import schedule_trace

        write_atomically(trace, schedule_trace(f"{of}, {shown.name}", shown.judged))

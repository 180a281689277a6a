"""hypar-opt schedule."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_apart
from hypar_opt.cli.options import (
    Wanted,
    form_of,
    limit_options,
    output_options,
    path_option,
    table_formats,
)
from hypar_opt.cli.progress import showing
from hypar_opt.cli.schedule_results import machine_of, shown_of, tell_linked, tell_schedules, tell_throughput
from hypar_opt.util.errors import InputError
from hypar_opt.util.extras import require
from hypar_opt.util.files import check_writable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.schedules.planned import ScheduledStages

EPILOG = epilog(
    "hypar-opt solve my-pipeline.yaml -o plan.json",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 1-64 -o throughput.svg",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --best --time-limit 30",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --links --trace links.json",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --links --draw 1f1b --chakra traces",
    "hypar-opt schedule my-pipeline.yaml plan.json --microbatches 8 --gradient-share 1/2 --draw zero-bubble -o s.svg",
    codes={0: "compared", 2: BAD_INPUT},
)
MOST_MICROBATCHES = 10_000


def _sizes(_: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...]:
    """Read numbers of microbatches as in 8, 1,2,4,8 or 1-64; none twice, ascending."""
    if value is None:
        return ()
    found: set[int] = set()
    for part in value.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})(?:-([0-9]{1,6}))?\s*", part)
        if match is None:
            raise click.BadParameter(f"expected a number as 8, several as 1,2,4 or a range as 1-64, got '{value}'")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise click.BadParameter(f"the range {first}-{last} is empty; the smaller number comes first")
        if not 1 <= first <= last <= MOST_MICROBATCHES:
            raise click.BadParameter(f"expected numbers from 1 to {MOST_MICROBATCHES:,}, got '{value}'")
        found |= set(range(first, last + 1))
    return tuple(sorted(found))


@click.command("schedule", epilog=EPILOG)
@click.argument("instance", shell_complete=words.problems)
@click.argument("plan", type=click.Path(path_type=Path), metavar="PLAN.json", shell_complete=files.plans)
@click.option(
    "--microbatches", "sizes", metavar="M|1,2,4|1-64", callback=_sizes,
    help="Of a batch; of several, what batches take and get done. Default: what INSTANCE says.",
)  # fmt: skip
@click.option("--devices", type=click.IntRange(1), help="Stages go round so many devices. Default: one device a stage.")
@click.option(
    "--gradient-share", metavar="SHARE",
    help="The part of the backward seconds in which gradients of parameters are computed, an assumption: 1/2. "
    "Default: 0, of networks what is known.",
)  # fmt: skip
@click.option("--best", is_flag=True, help="Look for the shortest schedule, too: for few microbatches to a proof.")
@click.option("--draw", metavar="NAME", help="The schedule of -o and --trace. Default: the shortest that fits.")
@click.option("--links", is_flag=True, help="What outputs that cross wait for: a link in and one out for every device.")
@click.option(
    "--array", metavar="ARRAY", shell_complete=words.arrays,
    help="The same on the links of an array, device d being its accelerator d: a file, or the name of a shipped one.",
)  # fmt: skip
@path_option("-o", "--output", metavar="FILE", help="Draw it (.svg, .png), or write a table (.csv, .md, ...).")
@path_option("--trace", metavar="FILE", help="Write it as a Chrome or Perfetto trace.")
@path_option(
    "--chakra", metavar="FOLDER", help="Write it as execution traces, a rank a device, with ASTRA-sim's configuration."
)
@limit_options
@output_options
def command(
    instance: str,
    plan: Path,
    sizes: tuple[int, ...],
    devices: int | None,
    gradient_share: str | None,
    best: bool,
    draw: str | None,
    links: bool,
    array: str | None,
    output: Path | None,
    trace: Path | None,
    chakra: Path | None,
    limits: Limits,
    wanted: Wanted,
) -> None:
    """Put a batch's microbatches in order at the stages of PLAN.json, by every known schedule.

    INSTANCE is a pipeline whose operators say what their backward phase takes, PLAN.json a plan of contiguous stages;
    or a network whose layers are in stages, a device being all accelerators of one.
    A row is a schedule: all forward and then all backward (gpipe), one forward and one backward in turn (1f1b), the
    same without a wait at the batch's end (pipedream), with several stages a device (interleaved), with the gradients
    of parameters in what would be bubbles (zero-bubble); what a batch takes, the share of bubbles, and the most bytes
    that are kept. Each is checked: what is needed is there, a device does one thing at a time.

    With several numbers of microbatches, a row is a batch: what it takes by every schedule, its bubbles, and how many
    samples are done a second, which the slowest device bounds.

    With --links, or on an --array, every output that crosses is a message, and messages wait for links: what a batch
    then takes, how much of that is spent on the way, and the busiest link; --trace has links as rows, and --chakra
    writes the batch for other simulators.
    """
    from hypar_opt.studies.schedules.compare import compare_schedules
    from hypar_opt.studies.schedules.links import on_links
    from hypar_opt.studies.schedules.planned import planned
    from hypar_opt.studies.schedules.rules import RULES
    from hypar_opt.studies.schedules.throughput import throughput_of
    from hypar_opt.verification.checks import check_binding
    from hypar_opt.verification.claim import read_claim
    from hypar_opt.verification.verifier import problem_claimed

    linked = links or array is not None
    if chakra is not None and not linked:
        raise InputError("is of schedules on links; expected --links or --array, too", field="--chakra")
    of_one = {"--best": best, "--draw": draw is not None, "--trace": trace is not None, "--links": linked}
    wrong = next((option for option, given in of_one.items() if given and len(sizes) > 1), None)
    if wrong is not None:
        raise InputError("is of one batch, expected one number of --microbatches", field=wrong)
    if linked:
        require("simulate")
        if output is not None or best:
            said = "is of schedules without links; --trace has those on links"
            raise InputError(said, field="--best" if best else "--output")
    if output is not None:
        if output.suffix.lower() not in table_formats():
            form_of(output, "--output", tuple(table_formats()))
            require("report")
        check_writable(output)
    if trace is not None:
        check_writable(trace)
    beside = () if chakra is None else _files_of(chakra)
    check_apart({"--output": output, "--trace": trace, "--chakra": beside}, instance, plan)
    claim = read_claim(plan)
    problem = problem_claimed(instance, claim)
    check_binding(problem, claim)
    plans = planned(problem, claim, None if gradient_share is None else _share(gradient_share))
    stages, sizes = plans.stages, _sizes_of(plans, sizes)
    if linked and plans.pipeline is None:
        message = "expected a pipeline: what crosses between the stages of a network is in their phases"
        raise InputError(message, field="--links" if array is None else "--array")
    count = len(stages) if devices is None else devices
    if len(stages) % count:
        raise InputError(f"expected a number that divides the {len(stages)} stages, got {count}", field="--devices")
    _check_alike(plans.places, count)
    name = problem.instance.name
    heading = f"{name}: {len(stages)} stages on {count} devices"
    if len(sizes) > 1:
        with showing(f"scheduling {plan.name}", wanted):
            batches = throughput_of(stages, sizes, count)
        tell_throughput(f"{heading}{plans.said}", name, batches, output, wanted)
    else:
        with showing(f"scheduling {plan.name}", wanted):
            found = compare_schedules(stages, sizes[0], devices=count, limits=limits if best else None)
        shown = shown_of(found, None if linked else draw)
        heading += f", {sizes[0]:,} microbatches{plans.said}"
        if linked and plans.pipeline is not None:
            machine = machine_of(array, plans.pipeline, count)
            with showing(f"simulating {plan.name}", wanted):
                known = {RULES[one.name]: one.judged.seconds for one in found if one.judged is not None}
                known = {rule: seconds for rule, seconds in known.items() if not rule.versions}
                simulated = on_links(plans.pipeline, stages, sizes[0], known, machine, count)
            tell_linked(heading, simulated, draw, trace, wanted, chakra)
        else:
            tell_schedules(heading, name, found, shown, output, trace, wanted)
    written = [one for one in (output, trace, chakra) if one is not None]
    if written:
        wanted.tell_of(written)


def _files_of(folder: Path) -> list[Path]:
    """Return what is written to a folder beside traces.

    Raises
    ------
    InputError
        If it is a file.
    """
    from hypar_opt.export.astra_sim.folder import SHARED

    if folder.is_file():
        raise InputError("is a file, expected a folder to write to", file=folder)
    return [folder / name for name in SHARED]


def _sizes_of(plans: ScheduledStages, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the given numbers of microbatches, or the instance's own."""
    own, exact = plans.microbatches, plans.one_size
    if exact and any(size != own for size in sizes):
        message = f"expected {own}, into how many the plan's batch is cut: phases are parts of it, its gradients' too"
        raise InputError(message, field="--microbatches")
    if sizes:
        return sizes
    if own is None:
        raise InputError("expected how many a batch has: the instance does not say", field="--microbatches")
    if own > MOST_MICROBATCHES:
        raise InputError(f"expected at most {MOST_MICROBATCHES:,}, the instance says {own:,}", field="--microbatches")
    return (own,)


def _check_alike(places: Sequence[tuple[str, object]], count: int) -> None:
    """Check that stages which go to one device are timed on such devices."""
    for number, (name, alike) in enumerate(places):
        first, its = places[number % count]
        if alike != its:
            message = (
                f"stages {number % count + 1} and {number + 1} would be on one of {count}, and the plan has them on "
                f"devices that are not alike: {first} and {name}"
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

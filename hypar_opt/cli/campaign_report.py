"""hypar-opt campaign report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.campaign_command import MOST_CHAINS, tell_aside, tell_campaign
from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import check_outside
from hypar_opt.cli.options import (
    IntegerRange,
    Wanted,
    deadline_of,
    output_options,
    plain_folder_options,
    time_limit_option,
)
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.run import Limits

if TYPE_CHECKING:
    from hypar_opt.cli.options import Place

EPILOG = epilog(
    "hypar-opt campaign chains --count 100000 --store chains.parquet",
    "hypar-opt campaign report chains.parquet",
    "hypar-opt campaign report chains.parquet -o reports/chains --figures",
    "hypar-opt campaign report chains.sqlite --count 1000 --accounting receiver --json",
    codes={
        0: "shown",
        1: "a result did not stand up to recomputation, or a chain is set aside as it killed its workers",
        2: BAD_INPUT,
    },
)


@click.command("report", epilog=EPILOG)
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--count",
    type=IntegerRange(1, MOST_CHAINS),
    metavar="N",
    help="The first N chains. Default: to the last there is.",
)
@click.option(
    "--accounting", "accountings", multiple=True, metavar="A", shell_complete=words.accounting,
    help="Repeatable. Default: all with rows.",
)  # fmt: skip
@click.option("--shrink", "shrinking", is_flag=True, help="Shrink the worst chains too, which solves them.")
@time_limit_option
@plain_folder_options
@output_options
def command(
    store: Path,
    count: int | None,
    accountings: tuple[str, ...],
    shrinking: bool,
    time_limit: float | None,
    place: Place,
    wanted: Wanted,
) -> int:
    """Sum up what is in STORE, a campaign's SQLite file or folder of Parquet files, without drawing or solving.

    The tables are those that the campaign writes with --no-shrink. A campaign may write to STORE meanwhile.
    """
    from hypar_opt.report.random_instances import FILES, write_files
    from hypar_opt.studies.random_instances import recorded_outcome, shrink_worst
    from hypar_opt.studies.random_instances.store import check_there

    check_there(store)
    if place.folder is not None:
        check_outside(place.folder, store)
    place.prepare(FILES)
    limits = Limits(deadline_of(time_limit), workers=1)
    with watching("campaign", limits, wanted) as watch:
        outcome = recorded_outcome(store, count=count, accountings=accountings or None)
        shrunk = shrink_worst(outcome, limits=limits, listener=watch.listener) if shrinking else []
        removed: list[Path] = []

        def write(folder: Path) -> list[Path]:
            written, earlier = write_files(outcome, shrunk, folder)
            removed.extend(earlier)
            return written

        written = place.write(write, "gaps", outcome)
    tell_campaign(wanted, outcome, shrunk, written, removed)
    is_aside = tell_aside(outcome.set_aside, "chain", place.folder)
    return watch.exit_code or (1 if outcome.faulty or is_aside else 0)

"""hypar-opt diff."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import show_result
from hypar_opt.cli.options import output_options
from hypar_opt.cli.progress import showing

if TYPE_CHECKING:
    from hypar_opt.cli.options import Wanted

EPILOG = epilog(
    "hypar-opt solve vgg-e -o best.json",
    "hypar-opt solve vgg-e -f one-weird-trick -o trick.json",
    "hypar-opt diff best.json trick.json",
    "hypar-opt solve vgg-e --at-most communication=3e9 -o limited.json",
    "hypar-opt diff limited.json best.json                     # what the limit costs",
    "hypar-opt diff mine-1.json mine-2.json my-network.yaml    # plans of a file's instance",
    codes={
        0: "compared, whether they differ or not",
        2: "bad input, such as plans of different networks or arrays",
    },
)
PLAN = click.Path(path_type=Path)


@click.command("diff", epilog=EPILOG)
@click.argument("first", type=PLAN, metavar="A.json", shell_complete=files.plans)
@click.argument("second", type=PLAN, metavar="B.json", shell_complete=files.plans)
@click.argument("instance", shell_complete=words.compared, required=False)
@output_options
def command(first: Path, second: Path, instance: str | None, wanted: Wanted) -> None:
    """Say in which layers two plans of one instance differ, and what each difference costs.

    A row is a layer: its strategies in A.json and in B.json, the levels at which they differ, and what A.json with
    that layer alone changed costs more than A.json; sorted by size, recomputed by boxes, in bytes and in what was
    minimised. What all changes cost together beyond that sum is the interaction, so that the rows add up to what
    B.json costs more.

    Network, array and accounting have to be the same. Objectives, bounds, strategies to keep, placements and exchanges
    of partial sums may differ: then it is said in what, whether each plan is one of the other's problem, too, and
    communication, time and energy are compared as far as they are known, with whatever either minimises or bounds. Of
    points of fronts (front.json#6) the fronts' components are compared.

    Of operators a row is an operator, or a placement of a tensor that several read, with the axes on which the words
    differ; what is the same in neighbouring blocks shares a row, with the sum.

    Of pipelines a row has the operators that one stage has in A.json and one in B.json, and then every stage what it
    takes and keeps in either.

    Of collectives a row is a chunk that goes other ways, or the same ones at other times, and when it is over in
    either.

    Of task graphs a row is a task that is done at another time, or in one of them only.

    INSTANCE is what both are plans of; it can be left out where it is a shipped one. Overrides come from the plans'
    files.
    """
    from hypar_opt.report.compare_plans import COMPARISON_VIEWS
    from hypar_opt.studies.compare_plans import compare_plans

    with showing(f"comparing {first} and {second}", wanted):
        found = compare_plans(first, second, instance)
    view = COMPARISON_VIEWS[found.problem.kind]
    if wanted.quiet and not wanted.machine:
        click.echo(view.headline(found).splitlines()[-1])
    else:
        show_result(wanted, view.document, view.show, found)

"""hypar-opt compare-arrays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.halves import of_halves
from hypar_opt.cli.json_lines import echo_rows
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import Place, Wanted, folder_option, output_options, override_option, solve_limit_options
from hypar_opt.cli.progress import watching
from hypar_opt.instance.accountings import LEVELLED

if TYPE_CHECKING:
    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits

ARRAYS = "h-tree-16,torus-16,mesh-16,ring-16,hypercube-16,fully-connected-16"
EPILOG = epilog(
    "hypar-opt compare-arrays sfc lenet-c",
    "hypar-opt compare-arrays vgg-a --arrays torus-16 --collectives pairwise,ring,multitree,best",
    "hypar-opt compare-arrays vgg-a --arrays h-tree-16,torus-16,my-array.yaml --time-limit 60 -o table",
    codes={
        0: "done, also where a solve stopped at its limit",
        1: "a result did not stand up to recomputation",
        2: BAD_INPUT,
    },
    stopped=", with the rows so far",
)


@click.command("compare-arrays", epilog=EPILOG)
@click.argument("instances", nargs=-1, required=True, shell_complete=words.of_halves)
@click.option(
    "--arrays",
    default=ARRAYS,
    show_default=True,
    metavar="A1,A2,...",
    shell_complete=words.many_arrays,
    help="Files or shipped arrays.",
)
@click.option(
    "-f",
    "--formulation",
    metavar="NAME",
    shell_complete=words.formulation,
    help="One that decides placements. Default: what fits.",
)
@click.option(
    "--collectives",
    default="",
    metavar="A1,A2,...",
    shell_complete=words.many_algorithms,
    help="Algorithms of partial sums: pairwise, best, ring, ...; a column for each.",
)
@override_option("accounting", choices=LEVELLED)
@override_option("batch")
@override_option("levels", help="Levels of every array: 2^H accelerators.")
@override_option("fix")
@solve_limit_options
@on_option
@folder_option
@output_options
@of_halves(
    "compare-arrays places halves on graphs; of operators, solve or compare with each --array in turn",
    "compare-arrays places equal accelerators on graphs; solve or compare with each --array in turn",
)
def command(
    instances: tuple[str, ...],
    arrays: str,
    formulation: str | None,
    collectives: str,
    time_limit: float | None,
    limits: Limits,
    on: EngineSpec | None,
    place: Place,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Put INSTANCES (files, shipped names, or folders) on several arrays; print how long communication takes.

    Every array gets its best plan and placement for comm-time, by default the two decided together. One table is
    for equal links, one for equal link bandwidth in all; both are scaled exactly from one search, as time is
    inverse to bandwidth. The time limit is of each solve.

    With --collectives, partial sums are exchanged by each of several algorithms, on arrays whose leaves are in order.
    """
    from hypar_opt.cli.compare_command import expanded
    from hypar_opt.report.compare_arrays import rows, show, write_files
    from hypar_opt.report.tables import files_of
    from hypar_opt.studies.compare_arrays import compare_arrays, failures

    names = [name.strip() for name in arrays.split(",") if name.strip()]
    if not names:
        raise click.UsageError("--arrays names none")
    paths = [path for name in instances for path in expanded(name)]
    place.prepare(files_of("arrays"), *paths, *names)
    with watching("comparing arrays", limits, wanted) as watch, opened(on, limits, wanted, watch) as workers:
        cells = compare_arrays(
            paths,
            names,
            formulation,
            collectives=[name.strip() for name in collectives.split(",") if name.strip()],
            overrides=overrides,
            limits=limits,
            time_limit_s=time_limit,
            listener=watch.listener,
            workers=workers,
        )
    written = place.write(partial(write_files, cells))
    if wanted.machine:
        echo_rows(rows(cells), wanted)
    else:
        from hypar_opt.report.console import console

        show(console(), cells)
        wanted.tell_of(written)
    faults = failures(cells)
    for fault in faults:
        click.echo(f"error: {fault}", err=True)
    return watch.exit_code or int(bool(faults))

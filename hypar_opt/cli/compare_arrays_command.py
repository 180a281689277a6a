"""hypar-opt compare-arrays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.options import Wanted, limit_options, output_options, override_option
from hypar_opt.cli.output import folder_option
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.run import GIB, Limits
from hypar_opt.instance.accountings import LEVELLED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hypar_opt.studies.compare_arrays import ArrayCell

ARRAYS = "h-tree-16,torus-16,mesh-16,ring-16,hypercube-16,fully-connected-16"


@click.command("compare-arrays")
@click.argument("instances", nargs=-1, required=True)
@click.option("--arrays", default=ARRAYS, show_default=True, metavar="A1,A2,...", help="Files or shipped arrays.")
@click.option("-f", "--formulation", metavar="NAME", help="One that decides placements. Default: what fits.")
@override_option("accounting", choices=LEVELLED)
@override_option("batch")
@override_option("levels", help="Levels of every array: 2^H accelerators.")
@limit_options
@folder_option
@output_options
def command(
    instances: tuple[str, ...],
    arrays: str,
    formulation: str | None,
    accounting: str | None,
    batch: int | None,
    levels: int | None,
    time_limit: float | None,
    seed: int,
    workers: int,
    memory_limit: float,
    output: Path | None,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
) -> int:
    """Put INSTANCES (files, shipped names, or folders) on several arrays; print how long communication takes.

    Every array gets its best plan and placement for comm-time, by default the two decided together. One table is
    for equal links, one for equal link bandwidth in all; both are scaled exactly from one search, as time is
    inverse to bandwidth. The time limit is of each solve.
    """
    from hypar_opt.cli.compare_command import expanded
    from hypar_opt.report.tables import files_of
    from hypar_opt.util.files import prepare_folder

    wanted = Wanted(as_json, json_lines, quiet)
    names = [name.strip() for name in arrays.split(",") if name.strip()]
    if not names:
        raise click.UsageError("--arrays names none")
    if output is not None:
        prepare_folder(output, files_of("arrays"))
    paths = [path for name in instances for path in expanded(name)]
    given = {"accounting": accounting, "batch": batch, "levels": levels}
    limits = Limits(None, seed, workers, int(memory_limit * GIB))
    cells, interrupted = _run(paths, names, formulation, given, limits, time_limit, wanted)
    _show(cells, output, wanted)
    failed = any(cell.plan is not None and cell.plan.status == "ERROR" for cell in cells)
    return interrupted or int(failed)


def _run(
    paths: Sequence[str],
    arrays: Sequence[str],
    formulation: str | None,
    overrides: dict[str, Any],
    limits: Limits,
    time_limit: float | None,
    wanted: Wanted,
) -> tuple[list[ArrayCell], int | None]:
    from hypar_opt.studies.compare_arrays import compare_arrays

    with watching("comparing arrays", limits, wanted) as watch:
        cells = compare_arrays(
            paths,
            arrays,
            formulation,
            overrides=overrides,
            limits=limits,
            time_limit_s=time_limit,
            listener=watch.listener,
        )
    return cells, watch.exit_code


def _show(cells: Sequence[ArrayCell], output: Path | None, wanted: Wanted) -> None:
    from hypar_opt.report.compare_arrays import rows, show, write_files

    written = [] if output is None else write_files(cells, output)
    if wanted.as_json:
        click.echo(json.dumps(rows(cells), indent=1))
    elif wanted.json_lines:
        for row in rows(cells):
            click.echo(json.dumps({"event": "result", **row}))
    else:
        from hypar_opt.report.console import console

        show(console(), cells)
        if written and not wanted.quiet:
            click.echo(f"written: {', '.join(map(str, written))}")

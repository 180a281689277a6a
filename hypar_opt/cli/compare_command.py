"""hypar-opt compare."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.json_lines import echo_rows
from hypar_opt.cli.message_sizes import compare_sizes, message_sizes
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import Place, Wanted, folder_options, output_options, override_options, solve_limit_options
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.read import AnyInput

SUFFIXES: Final = (".yaml", ".yml", ".json", ".json.gz")
"""Of the instance files of a folder."""
EPILOG = epilog(
    "hypar-opt compare instances/hypar -o table",
    "hypar-opt compare sfc lenet-c -f hypar-dp,joint-dp,milp-highs --time-limit 60",
    "hypar-opt compare vgg-a --levels 6 --accounting receiver --json",
    "hypar-opt compare torus-4x4-gather --bytes 1KiB-1GiB -o times --figures",
    codes={
        0: "done, also where a solve stopped at its limit",
        1: "two results cannot both be true, or a formulation failed",
        2: BAD_INPUT,
    },
    stopped=", with the rows so far",
)


@click.command("compare", epilog=EPILOG)
@click.argument("instances", nargs=-1, required=True, shell_complete=words.problems)
@click.option(
    "-f", "--formulations", metavar="F1,F2,...", shell_complete=words.formulations, help="Default: all that fit."
)
@click.option(
    "--bytes", "sizes", metavar="64MiB|1KiB,1MiB|1KiB-1GiB", callback=message_sizes,
    help="Of one collective: what it takes with so many bytes, by every algorithm; of a range, each twice the last.",
)  # fmt: skip
@override_options
@solve_limit_options
@on_option
@folder_options
@output_options
def command(
    instances: tuple[str, ...],
    formulations: str | None,
    sizes: tuple[int, ...],
    time_limit: float | None,
    limits: Limits,
    on: EngineSpec | None,
    place: Place,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Solve INSTANCES (files, shipped names, or folders) with every formulation; print one table.

    The time limit is of each solve. Exit code 1 if two results cannot both be true.

    With --bytes, the times of one collective over its bytes: of synchronous steps, which are found once, in lockstep;
    where its file asks for the least time, of every size solved anew. No schedule is below the bound.
    """
    from hypar_opt.instance.read import load
    from hypar_opt.report.collective.message_sizes import NAME
    from hypar_opt.report.compare.table import rows, write_files
    from hypar_opt.report.tables import files_of
    from hypar_opt.studies.compare import compare, contradictions, failures

    paths = [path for name in instances for path in expanded(name)]
    read = [load(path, **overrides) for path in paths]
    names = wanted_formulations(formulations, read)
    if sizes:
        place.prepare(files_of(NAME), *paths, overrides["array"])
        return compare_sizes(read, sizes, names, time_limit, limits, on, place, wanted)
    place.prepare(files_of("comparison"), *paths, overrides["array"])
    with watching("comparing", limits, wanted) as watch, opened(on, limits, wanted, watch) as workers:
        cells = compare(read, names, limits=limits, time_limit_s=time_limit, listener=watch.listener, workers=workers)
        together = 1 if workers is None else workers.count
        tables = partial(write_files, cells, expected=len(read) * len(names), together=together)
        written = place.write(tables, "cells", cells)
    faults = [*contradictions(cells), *failures(cells)]
    if wanted.machine:
        table = rows(cells)
        echo_rows(table, wanted, {"rows": table, "faults": faults})
    else:
        from hypar_opt.report.compare.terminal import show
        from hypar_opt.report.console import console

        show(console(), cells, together)
    wanted.tell_of(written)
    for fault in faults:
        click.echo(f"error: {fault}", err=True)
    return watch.exit_code or (1 if faults else 0)


def expanded(name: str) -> list[str]:
    """Return the instance files of a folder, sorted, or the name itself."""
    folder = Path(name)
    if not folder.is_dir():
        return [name]
    files = sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES))
    if not files:
        raise InputError(f"has no instance files ({', '.join(f'*{one}' for one in SUFFIXES)})", file=folder)
    return [str(path) for path in files]


OF_OTHERS: Final[Mapping[str, str]] = MappingProxyType(
    {"pipeline": "stages", "staged": "submeshes", "collective": "sends", "task-graph": "begins"}
)
"""By use of those that have stages or sends, what is decided."""


def wanted_formulations(names: str | None, instances: Sequence[AnyInput]) -> list[str]:
    """Return those that are named, or all that decide what is to be decided in some instance.

    Where all arrays have several kinds of accelerators, these are followed by the rules of `studies.mixed`.
    """
    from hypar_opt.formulation.protocol import Capabilities
    from hypar_opt.formulation.registry import abilities, found, load_formulation
    from hypar_opt.solver.kinds import problem_of
    from hypar_opt.studies.mixed.baselines import BASELINES

    if names is None:
        problems = [problem_of(one) for one in instances]
        uses, kinds = {one.use for one in problems}, {one.kind for one in problems}
        free, graphs = {use == "joint" for use in uses - {*OF_OTHERS}}, "strategy-graph" in uses
        rules = [*BASELINES] if kinds == {"mixed"} else []
        known = {name: abilities(name) or Capabilities(exact=False) for name in found()}  # some cannot be loaded
        decided = {OF_OTHERS[use] for use in uses if use in OF_OTHERS}
        of_others = [name for name, able in known.items() if able.decides in decided]
        if uses <= {*OF_OTHERS}:
            return of_others
        places = {name for name, able in known.items() if able.decides in ("placement", "both")}
        return (
            [
                name
                for name, able in known.items()
                if able.decides in ("strategies", "placement", "both")
                and (name in places) in free
                and (graphs or not able.needs_tables)
                and ("operators" in kinds or not able.needs_splits)
            ]
            + rules
            + of_others
        )
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    if not wanted:
        raise click.UsageError(f"--formulations names none; there are {', '.join(found())}")
    for name in wanted:
        if name not in BASELINES:
            load_formulation(name)
    return wanted

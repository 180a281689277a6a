"""hypar-opt count-conversions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from hypar_opt.cli.epilog import epilog
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Wanted, output_options
from hypar_opt.cli.progress import showing
from hypar_opt.util.extras import require

MOST_DEVICES = 64
MOST_AXES = 3
"""There are 5 pairs on one axis, 82 on two, 1,642 on three and some 44,000 on four."""
EPILOG = epilog(
    "hypar-opt count-conversions 2x4 -o 2x4.json",
    "hypar-opt solve mine.yaml      # with cost: {accounting: gspmd, conversions: {file: 2x4.json}}",
    codes={0: "the table is complete", 2: "bad input, or JAX cannot compile a program"},
    stopped=", and goes on from the file when it is called again",
)


def _sizes(_: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    if re.fullmatch(r"\d{1,4}(x\d{1,4})*", value) is None:
        raise click.BadParameter(f"expected sizes of axes such as 2x4, outermost first, got '{value}'")
    sizes = tuple(map(int, value.split("x")))
    devices = 1
    for size in sizes:
        devices *= size
    if min(sizes) < 2 or len(sizes) > MOST_AXES or devices > MOST_DEVICES:
        wanted = f"at most {MOST_AXES} axes of 2 or more, and {MOST_DEVICES} devices"
        raise click.BadParameter(f"expected {wanted}, got '{value}'")
    return sizes


@click.command("count-conversions", epilog=EPILOG)
@click.argument("sizes", callback=_sizes, metavar="SIZES")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, metavar="FILE.json")
@output_options
def command(sizes: tuple[int, ...], output: Path, wanted: Wanted) -> int:
    """Count what JAX's own partitioner moves from each placement to each other on axes of SIZES, such as 2x4.

    One small program a pair of placements is compiled for devices of this host, with a sharding constraint on either
    side, and the collectives of the optimised program are read: a table for the accounting gspmd, in units of the whole
    tensor. It is written as far as it is counted, some 40 pairs at a time, and FILE.json that is there is gone on with.
    Two axes take some ten seconds, three some minutes. For some sizes the table is shipped.
    """
    from hypar_opt.count.conversions import count_table, table_text
    from hypar_opt.instance.operators.conversion_tables import read_table
    from hypar_opt.util.errors import InputError
    from hypar_opt.util.files import check_writable, write_atomically

    require("jax")
    if output.suffix != ".json":
        raise InputError(f"expected a name that ends in .json, got '{output.name}'", field="--output")
    check_writable(output)
    known = read_table(output) if output.exists() else None
    with showing(f"counting conversions on {'x'.join(map(str, sizes))}", wanted) as state:
        try:
            table = count_table(
                sizes,
                known,
                lambda one: write_atomically(output, table_text(one)),
                lambda done, of: state.doing(f"{done:,} of {of:,} pairs"),
            )
        except InputError as error:
            raise InputError(error.message, file=output, field=error.field) from None
    if wanted.machine:
        echo_document(json.loads(table_text(table)), wanted)
    elif not wanted.quiet:
        free = sum(not shares for shares in table.pairs.values())
        click.echo(f"{output}: {table.title}, {len(table.pairs):,} pairs, {free:,} of them move nothing")
    return 0

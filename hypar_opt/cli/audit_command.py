"""hypar-opt audit."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.options import Wanted, limit_options, output_options
from hypar_opt.cli.output import Place, folder_options
from hypar_opt.cli.progress import watching
from hypar_opt.formulation.run import GIB, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hypar_opt.studies.claims import ClaimRow, Claims


@click.command("audit")
@click.argument("claims")
@click.option("--only", multiple=True, metavar="ID", help="Judge this claim; may be given more than once.")
@click.option("--strict", is_flag=True, help="Exit 1 if a claim is refuted, else 3 if one is undecided.")
@limit_options
@folder_options
@output_options
def command(
    claims: str,
    only: tuple[str, ...],
    strict: bool,
    time_limit: float | None,
    seed: int,
    workers: int,
    memory_limit: float,
    output: Path | None,
    figures: bool,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
) -> int:
    """Judge the claims of a file, or of a shipped one such as hypar-hpca19: what is printed, and what is true.

    The time limit is of each solve. docs/claims.md says how to write a claims file.
    """
    from hypar_opt.report.tables import files_of
    from hypar_opt.studies.claims import read_claims

    wanted, place = Wanted(as_json, json_lines, quiet), Place(output, figures)
    read = read_claims(claims).only(only)
    limits = Limits(None, seed, workers, int(memory_limit * GIB))
    place.prepare(files_of("audit"))
    rows, interrupted = _run(read, limits, time_limit, wanted)
    _show(read, rows, place, wanted)
    return interrupted or (_exit_code(rows) if strict else 0)


def _run(claims: Claims, limits: Limits, time_limit: float | None, wanted: Wanted) -> tuple[list[ClaimRow], int | None]:
    """Return the rows, and the exit code of a signal that cut them short."""
    from hypar_opt.report.claims import row_document
    from hypar_opt.studies.claims import audit

    def tell(row: ClaimRow) -> None:
        if wanted.json_lines:
            click.echo(json.dumps({"event": "result", **row_document(row)}))

    with watching("auditing", limits, wanted) as watch:
        rows = audit(claims.claims, limits=limits, time_limit_s=time_limit, listener=watch.listener, on_row=tell)
    return rows, watch.exit_code


def _show(claims: Claims, rows: Sequence[ClaimRow], place: Place, wanted: Wanted) -> None:
    from hypar_opt.report.claims import document, show, write_files

    written = place.write(partial(write_files, claims, rows), "claims", rows)
    if wanted.as_json:
        click.echo(json.dumps(document(claims, rows), indent=1))
    elif not wanted.json_lines:
        from hypar_opt.report.console import console

        show(console(), claims, rows)
        if written and not wanted.quiet:
            click.echo(f"written: {', '.join(map(str, written))}")


def _exit_code(rows: Sequence[ClaimRow]) -> int:
    from hypar_opt.studies.claims import ClaimVerdict

    verdicts = {row.verdict for row in rows}
    if ClaimVerdict.REFUTED in verdicts:
        return 1
    return 3 if ClaimVerdict.UNDECIDED in verdicts else 0

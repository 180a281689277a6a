"""hypar-opt audit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.options import Place, Wanted, folder_options, output_options, solve_limit_options
from hypar_opt.cli.progress import watching

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.claims import ClaimRow
EPILOG = epilog(
    "hypar-opt audit hypar-hpca19 -o audit",
    "hypar-opt audit my.claims.yaml --strict --time-limit 60",
    codes={
        0: "done; with --strict: nothing is refuted or undecided",
        1: "with --strict: a claim is refuted",
        2: BAD_INPUT,
        3: "with --strict: none is refuted, and one is undecided",
    },
    stopped=", with the verdicts so far",
)


@click.command("audit", epilog=EPILOG)
@click.argument("claims", shell_complete=words.claims)
@click.option("--only", multiple=True, metavar="ID", help="Judge this claim; may be given more than once.")
@click.option("--strict", is_flag=True, help="Exit 1 if a claim is refuted, else 3 if one is undecided.")
@solve_limit_options
@folder_options
@output_options
def command(
    claims: str,
    only: tuple[str, ...],
    strict: bool,
    time_limit: float | None,
    limits: Limits,
    place: Place,
    wanted: Wanted,
) -> int:
    """Judge the claims of a file, or of a shipped one such as hypar-hpca19: what is printed, and what is true.

    The time limit is of each solve. docs/claims.md says how to write a claims file.
    """
    from hypar_opt.report.claims import document, row_document, write_files
    from hypar_opt.report.tables import files_of
    from hypar_opt.studies.claims import audit, read_claims

    def tell(row: ClaimRow) -> None:
        if wanted.json_lines:
            echo_document(row_document(row), wanted)

    read = read_claims(claims).only(only)
    place.prepare(files_of("audit"), claims)
    with watching("auditing", limits, wanted) as watch:
        rows = audit(read.claims, limits=limits, time_limit_s=time_limit, listener=watch.listener, on_row=tell)
    written = place.write(partial(write_files, read, rows), "claims", rows)
    if wanted.as_json:
        echo_document(document(read, rows), wanted)
    elif not wanted.json_lines:
        from hypar_opt.report.claims import show
        from hypar_opt.report.console import console

        show(console(), read, rows)
        wanted.tell_of(written)
    return watch.exit_code or (_exit_code(rows) if strict else 0)


def _exit_code(rows: Sequence[ClaimRow]) -> int:
    from hypar_opt.studies.claims import ClaimVerdict

    verdicts = {row.verdict for row in rows}
    return 1 if ClaimVerdict.REFUTED in verdicts else 3 if ClaimVerdict.UNDECIDED in verdicts else 0

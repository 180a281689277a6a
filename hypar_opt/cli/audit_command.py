"""hypar-opt audit."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from hypar_opt.cli.completion import words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import Place, Wanted, folder_options, output_options, solve_limit_options
from hypar_opt.cli.progress import watching
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.claims import ClaimRow, Claims
EPILOG = epilog(
    "hypar-opt audit hypar-hpca19 -o audit",
    "hypar-opt audit my.claims.yaml --strict --time-limit 60",
    "hypar-opt audit thesis-bsc-2019 abstracts-isca21-page oxml-2022 --summary",
    codes={
        0: "done; with --strict: nothing is refuted or undecided",
        1: "what judged a claim was killed each time; with --strict: a claim is refuted",
        2: BAD_INPUT,
        3: "with --strict: none is refuted, and one is undecided",
    },
    stopped=", with the verdicts so far",
)


@click.command("audit", epilog=EPILOG)
@click.argument("claims", nargs=-1, required=True, shell_complete=words.claims)
@click.option("--only", multiple=True, metavar="ID", help="Judge this claim; may be given more than once.")
@click.option("--summary", is_flag=True, help="Print how many claims of each file have which verdict, and no more.")
@click.option("--strict", is_flag=True, help="Exit 1 if a claim is refuted, else 3 if one is undecided.")
@solve_limit_options
@on_option
@folder_options
@output_options
def command(
    claims: tuple[str, ...],
    only: tuple[str, ...],
    summary: bool,
    strict: bool,
    time_limit: float | None,
    limits: Limits,
    on: EngineSpec | None,
    place: Place,
    wanted: Wanted,
) -> int:
    """Judge the claims of files, or of shipped ones such as hypar-hpca19: what is printed, and what is true.

    Of several files it ends with how many claims of each have which verdict, and -o DIR gives each a folder of its own.
    The time limit is of each solve. Many claims are judged by all cores at once, in groups that share solves; --on says
    who judges them instead. docs/claims.md says how to write a claims file.
    """
    from hypar_opt.executor import EngineSpec, process_count
    from hypar_opt.report.claims import row_document, write_files
    from hypar_opt.studies.claims.audits import KILLED, audit_files, worth_processes

    def tell(row: ClaimRow) -> None:
        if wanted.json_lines:
            echo_document(row_document(row), wanted)

    files = _chosen(claims, only)
    places = _places(place, files, claims)
    every = [read.claims for read in files]
    if on is None and worth_processes(every):
        on = EngineSpec("local", process_count(None))  # most solves of claims use one thread
    with watching("auditing", limits, wanted) as watch, opened(on, limits, wanted, watch) as workers:
        judged = audit_files(
            every, workers, limits=limits, time_limit_s=time_limit, listener=watch.listener, on_row=tell
        )
    audited = list(zip(files, judged, strict=True))
    written = []
    for (read, rows), own in zip(audited, places, strict=False):
        written += own.write(partial(write_files, read, rows), "claims", rows)
    if len(files) > 1:
        from hypar_opt.report.audits import write_audits

        written += place.write(partial(write_audits, audited))
    _tell(audited, wanted, summary=summary, several=len(files) > 1)
    if not wanted.machine:
        wanted.tell_of(written)
    killed = [row.claim.id for rows in judged for row in rows if row.judgement == KILLED]
    for one in killed:
        click.echo(f"error: {one}: {KILLED.why}", err=True)
    return watch.exit_code or int(bool(killed)) or (_exit_code(audited) if strict else 0)


def _chosen(names: Sequence[str], only: Sequence[str]) -> list[Claims]:
    """Return the claims files, each with the claims that are named; those with none are left out."""
    from hypar_opt.studies.claims import read_claims

    files = [read_claims(name) for name in names]
    for place, name in enumerate(names):
        if files[place].path in [file.path for file in files[:place]]:
            raise InputError("is named twice", field="CLAIMS", file=name)
    if len(files) == 1:
        return [files[0].only(only)]
    stems = [file.path.stem for file in files]
    twice = next((stem for stem in stems if stems.count(stem) > 1), None)
    if twice:
        raise InputError(f"two files are called {twice}, which is what their folders would be", field="CLAIMS")
    known = {claim.id for file in files for claim in file.claims}
    for one in only:
        if one not in known:
            raise InputError(f"no claim is called '{one}'{did_you_mean(one, known)}", field="--only")
    own = [[one for one in only if one in {claim.id for claim in file.claims}] for file in files]
    return [file.only(ids) for file, ids in zip(files, own, strict=True) if ids or not only]


def _places(place: Place, files: Sequence[Claims], names: Sequence[str]) -> list[Place]:
    """Return where the files of each claims file are wanted, after trying: in one folder, or in one each."""
    from hypar_opt.report.audits import NAME
    from hypar_opt.report.tables import files_of

    folder = place.folder
    if len(files) == 1 or folder is None:
        place.prepare(files_of("audit"), *names)
        return [place for _ in files]
    place.prepare(files_of(NAME), *names)
    places = [replace(place, folder=folder / file.path.stem) for file in files]
    for one in places:
        one.prepare(files_of("audit"), *names)
    return places


def _tell(audited: Sequence[tuple[Claims, list[ClaimRow]]], wanted: Wanted, *, summary: bool, several: bool) -> None:
    """Print what was found; rows of JSON lines are printed already."""
    from hypar_opt.report.audits import audits_document, show_audits
    from hypar_opt.report.claims import document, show
    from hypar_opt.report.console import console

    if wanted.as_json:
        alone = not several and not summary
        echo_document(document(*audited[0]) if alone else audits_document(audited, rows=not summary), wanted)
    elif not wanted.json_lines:
        screen = console()
        for read, rows in [] if summary else audited:
            show(screen, read, rows)
            if several:
                screen.print()
        if several or summary:
            show_audits(screen, audited)


def _exit_code(audited: Sequence[tuple[Claims, list[ClaimRow]]]) -> int:
    from hypar_opt.report.audits import verdicts_of
    from hypar_opt.studies.claims import ClaimVerdict

    verdicts = verdicts_of(audited)
    return 1 if ClaimVerdict.REFUTED in verdicts else 3 if ClaimVerdict.UNDECIDED in verdicts else 0

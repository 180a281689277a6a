"""hypar-opt report."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.compare_command import expanded, wanted_formulations
from hypar_opt.cli.completion import files, words
from hypar_opt.cli.epilog import BAD_INPUT, epilog
from hypar_opt.cli.inputs import read_files
from hypar_opt.cli.invoke import typed
from hypar_opt.cli.json_lines import echo_document
from hypar_opt.cli.on import on_option, opened
from hypar_opt.cli.options import Wanted, output_options, override_options, path_option, solve_limit_options
from hypar_opt.cli.progress import watching
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.executor import EngineSpec
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.read import Reported
    from hypar_opt.report.content import Given, Report
    from hypar_opt.report.pages import Written

TITLE = "Parallelism plans"
EPILOG = epilog(
    "hypar-opt report lenet-c vgg-a --array hypar-row-stationary-16 -o pages",
    "hypar-opt report instances/hypar -f joint-dp --claims hypar-hpca19 --without scaling -o pages",
    "hypar-opt report --plans plans -o pages        # the instances that the plans are of",
    codes={
        0: "done, also where a solve stopped at its limit",
        1: "two results cannot both be true, a chart failed, or what workers were given was lost; the pages say which",
        2: BAD_INPUT,
    },
    stopped=", with pages of what was found",
)


@click.command(
    "report", epilog=EPILOG, context_settings={"default_map": {"workers": 1}}
)  # two race, and find other plans each time
@click.argument("instances", nargs=-1, shell_complete=words.problems)
@click.option(
    "-f",
    "--formulations",
    metavar="F1,F2,...",
    shell_complete=words.formulations,
    help="Default: all that fit; none where plans are given.",
)
@click.option(
    "--plans", multiple=True, type=click.Path(path_type=Path), metavar="PLAN.json|DIR", shell_complete=files.plans,
    help="Plans found before: a file, or all below a folder. May be given more than once.",
)  # fmt: skip
@click.option(
    "--claims",
    metavar="CLAIMS",
    shell_complete=words.claims,
    help="Judge the claims of a file, or of a shipped one, too.",
)
@override_options
@solve_limit_options
@on_option
@click.option("--without", metavar="S1,S2", default="", help="Leave out front, exploration, scaling, regrets.")
@click.option("--figures", is_flag=True, help="Print every figure as SVG, PDF and PNG too.")
@click.option("--title", default=TITLE, show_default=True, metavar="T", help="Of the first page.")
@path_option("-o", "--output", required=True, metavar="DIR", help="Its folder.")
@output_options
def command(
    instances: tuple[str, ...],
    formulations: str | None,
    plans: tuple[Path, ...],
    claims: str | None,
    time_limit: float | None,
    limits: Limits,
    on: EngineSpec | None,
    without: str,
    figures: bool,
    title: str,
    output: Path,
    wanted: Wanted,
    **overrides: Any,
) -> int:
    """Write a report of INSTANCES (files, shipped names, or folders): pages that open in any browser, offline.

    Each instance is solved with every formulation, unless plans of it are given; those are recomputed, not trusted.
    Without INSTANCES the report is of the shipped ones that the plans are of. The time limit is of each solve, and of
    each front, exploration, scaling and all regrets. Open DIR/index.html. Exit code 1 if two results cannot both be
    true.
    """
    from hypar_opt.report.content import Report, gather, given_plans, judged_beside, provenance
    from hypar_opt.report.pages import prepare, write_report
    from hypar_opt.studies.claims import read_claims

    sections = _sections_but(without)
    given = given_plans(plans)
    read = _read_instances(instances, given, overrides)
    found, again = _names_of(formulations, read, given)
    published = None if claims is None else read_claims(claims)
    judged = () if published is None else published.claims
    paths = [path for name in instances for path in expanded(name)]
    prepare(output, [*read_files(*paths, *(one.path for one in given), overrides["array"], claims)])
    with (
        watching("reporting", limits, wanted) as watch,
        opened(on, limits, wanted, watch) as workers,
        judged_beside(judged, limits, time_limit, watch.listener, workers) as verdicts,  # waited for after all else
    ):
        subjects, faults = gather(
            read, found, given=given, again=again, sections=sections,
            limits=limits, time_limit_s=time_limit, listener=watch.listener, workers=workers,
        )  # fmt: skip

        def finish(report: Report) -> Report:
            rows, more = verdicts()
            stopped = watch.exit_code is not None
            return replace(report, rows=rows, faults=(*report.faults, *more), stopped=stopped)

        together = 1 if workers is None else workers.count
        report = Report(title, subjects, provenance(typed(), limits.seed, together), published, faults=faults)
        written = write_report(
            report, output, figures=figures, tell=lambda what: watch.doing(f"writing {what}"), finish=finish
        )
    _show(written, output, wanted)
    for fault in written.report.faults:
        click.echo(f"error: {fault}", err=True)
    return watch.exit_code or (1 if written.report.faults else 0)


def _sections_but(without: str) -> list[str]:
    """Return the sections that are wanted: all but those that are named."""
    from hypar_opt.report.content.content import SECTIONS

    left_out = [name.strip() for name in without.split(",") if name.strip()]
    for name in left_out:
        if name not in SECTIONS:
            hint = did_you_mean(name, SECTIONS) or f"; there are {', '.join(SECTIONS)}"
            raise click.UsageError(f"--without: no section is called '{name}'{hint}")
    return [name for name in SECTIONS if name not in left_out]


def _read_instances(names: Sequence[str], given: Sequence[Given], overrides: Mapping[str, Any]) -> list[Reported]:
    """Read those that are named; else the shipped ones that plans are of, as they were when these were made."""
    from hypar_opt.instance.read import load_for_report

    if names:
        return [load_for_report(path, **overrides) for name in names for path in expanded(name)]
    if not given:
        raise click.UsageError("expected instances, or plans of shipped ones (--plans)")
    if any(value is not None for value in overrides.values()):
        option = OVERRIDES[next(name for name, value in overrides.items() if value is not None)].option
        raise click.UsageError(f"{option} replaces a field of instances, and none is named; plans bring their own")
    found: dict[str, Reported] = {}
    for one in given:
        key = json.dumps([one.claim.instance, dict(one.claim.overrides)], sort_keys=True, default=str)
        if key not in found:
            found[key] = _shipped(one)
    return list(found.values())


def _shipped(one: Given) -> Reported:
    from hypar_opt.instance.read import load_for_report
    from hypar_opt.instance.shipped import shipped_instances, shipped_operators, shipped_problems

    known = shipped_instances() | shipped_operators() | shipped_problems()
    name, shipped = one.claim.instance, list(known)
    if name not in shipped:
        hint = did_you_mean(name, shipped)
        raise InputError(
            f"is a plan of '{name}', which is no shipped instance{hint or '; name its file, as INSTANCE'}",
            file=one.path, field="instance",
        )  # fmt: skip
    return load_for_report(name, **one.claim.overrides)


def _names_of(
    names: str | None, instances: Sequence[Reported], given: Sequence[Given]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the formulations of instances without plans, and of those with."""
    theirs = {one.claim.instance for one in given}
    if names is None and all(instance.name in theirs for instance in instances):
        return (), ()
    found = wanted_formulations(names, instances)
    return found, () if names is None else found


def _show(written: Written, output: Path, wanted: Wanted) -> None:
    """Say what was written and where, to people or machines."""
    from hypar_opt.report.compare.table import rows
    from hypar_opt.studies.sweep import counted

    report = written.report
    size = sum(path.stat().st_size for path in written.paths)
    cells = [cell for subject in report.subjects for cell in subject.cells]
    if wanted.machine:
        document = {
            "report": str(output / "index.html"),
            "pages": [str(path) for path in written.paths if path.suffix == ".html"],
            "files": len(written.paths),
            "bytes": size,
            "stopped": report.stopped,
            "rows": rows(cells),
            "claims": len(report.rows),
            "faults": list(report.faults),
        }
        echo_document(document, wanted)
        return
    if not wanted.quiet:
        plans = sum(len(subject.plans) for subject in report.subjects)
        parts = [counted(len(report.subjects), "instance"), counted(plans, "plan")]
        parts += [] if report.claims is None else [counted(len(report.rows), "claim")]
        click.echo(f"{', '.join(parts)}; {counted(len(written.paths), 'file')}, {size:,} bytes")
    click.echo(f"written: {output / 'index.html'}")

"""hypar-opt report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.invoke import typed
from hypar_opt.cli.options import Wanted, limit_options, output_options, override_options
from hypar_opt.cli.progress import watching
from hypar_opt.cli.report_arguments import names_of, read_claims, read_instances, sections_but, show
from hypar_opt.formulation.run import GIB, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cli.progress import Watch
    from hypar_opt.instance import Instance
    from hypar_opt.report.content import Given, Report
    from hypar_opt.report.pages import Written
    from hypar_opt.studies.claims import Claims

TITLE = "Parallelism plans"


@dataclass(frozen=True)
class _Asked:
    """What a report is asked to hold."""

    instances: Sequence[Instance]
    given: Sequence[Given]
    formulations: Sequence[str]
    again: Sequence[str]
    sections: Sequence[str]
    claims: Claims | None
    title: str


@click.command("report", context_settings={"default_map": {"workers": 1}})  # two race, and find other plans each time
@click.argument("instances", nargs=-1)
@click.option("-f", "--formulations", metavar="F1,F2,...", help="Default: all that fit; none where plans are given.")
@click.option(
    "--plans", multiple=True, type=click.Path(path_type=Path), metavar="PLAN.json|DIR",
    help="Plans found before: a file, or all below a folder. May be given more than once.",
)  # fmt: skip
@click.option("--claims", metavar="CLAIMS", help="Judge the claims of a file, or of a shipped one, too.")
@override_options
@limit_options
@click.option("--without", metavar="S1,S2", default="", help="Leave out front, exploration, scaling.")
@click.option("--figures", is_flag=True, help="Print every figure as SVG, PDF and PNG too.")
@click.option("--title", default=TITLE, show_default=True, metavar="T", help="Of the first page.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Its folder.")
@output_options
def command(
    instances: tuple[str, ...],
    formulations: str | None,
    plans: tuple[Path, ...],
    claims: str | None,
    time_limit: float | None,
    seed: int,
    workers: int,
    memory_limit: float,
    without: str,
    figures: bool,
    title: str,
    output: Path,
    as_json: bool,
    json_lines: bool,
    quiet: bool,
    **overrides: Any,
) -> int:
    """Write a report of INSTANCES (files, shipped names, or folders): pages that open in any browser, offline.

    Each instance is solved with every formulation, unless plans of it are given; those are recomputed, not trusted.
    Without INSTANCES the report is of the shipped ones that the plans are of. The time limit is of each solve, and of
    each front, exploration and scaling. Open DIR/index.html. Exit code 1 if two results cannot both be true.
    """
    from hypar_opt.report.content import given_plans
    from hypar_opt.report.pages import prepare

    wanted = Wanted(as_json, json_lines, quiet)
    sections = sections_but(without)
    given = given_plans(plans)
    read = read_instances(instances, given, overrides)
    asked = _Asked(read, given, *names_of(formulations, read, given), sections, read_claims(claims), title)
    prepare(output)
    limits = Limits(None, seed, workers, int(memory_limit * GIB))
    with watching("reporting", limits, wanted) as watch:
        written = _written(asked, limits, time_limit, watch, output, figures)
    show(written, output, wanted)
    for fault in written.report.faults:
        click.echo(f"error: {fault}", err=True)
    return watch.exit_code or (1 if written.report.faults else 0)


def _written(
    asked: _Asked, limits: Limits, time_limit: float | None, watch: Watch, output: Path, figures: bool
) -> Written:
    """Solve and draw; claims are judged beside, and waited for when all else is done."""
    from hypar_opt.report.content import Report, gather, judged_beside, provenance
    from hypar_opt.report.pages import write_report

    claims = () if asked.claims is None else asked.claims.claims
    with judged_beside(claims, limits, time_limit, watch.listener) as verdicts:
        subjects, faults = gather(
            asked.instances, asked.formulations, given=asked.given, again=asked.again, sections=asked.sections,
            limits=limits, time_limit_s=time_limit, listener=watch.listener,
        )  # fmt: skip

        def finish(report: Report) -> Report:
            rows, more = verdicts()
            stopped = watch.exit_code is not None
            return replace(report, rows=rows, faults=(*report.faults, *more), stopped=stopped)

        report = Report(asked.title, subjects, provenance(typed(), limits.seed), asked.claims, faults=faults)
        return write_report(report, output, figures=figures, tell=partial(_tell, watch), finish=finish)


def _tell(watch: Watch, what: str) -> None:
    watch.doing(f"writing {what}")

"""hypar-opt report."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.compare_command import expanded, wanted_formulations
from hypar_opt.cli.options import Wanted, limit_options, output_options, override_options
from hypar_opt.cli.watching import watching
from hypar_opt.errors import InputError, did_you_mean
from hypar_opt.run import GIB, Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.audit import Claims, Row
    from hypar_opt.cli.watching import Watch
    from hypar_opt.instance import Instance
    from hypar_opt.reporting import Given, Report

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
    from hypar_opt.report.pages import prepare
    from hypar_opt.reporting import given_plans

    wanted = Wanted(as_json, json_lines, quiet)
    sections = _sections(without)
    given = given_plans(plans)
    read = _instances(instances, given, overrides)
    asked = _Asked(read, given, *_names(formulations, read, given), sections, _claims(claims), title)
    prepare(output)
    limits = Limits(None, seed, workers, int(memory_limit * GIB))
    with watching("reporting", limits, wanted) as watch:
        report = _gathered(asked, limits, time_limit, watch)
        written = _written(report, output, figures, watch)
    _show(report, output, written, wanted)
    for fault in report.faults:
        click.echo(f"error: {fault}", err=True)
    return watch.exit_code or (1 if report.faults else 0)


def _sections(without: str) -> list[str]:
    from hypar_opt.reporting.sections import SECTIONS

    left_out = [name.strip() for name in without.split(",") if name.strip()]
    for name in left_out:
        if name not in SECTIONS:
            hint = did_you_mean(name, SECTIONS) or f"; there are {', '.join(SECTIONS)}"
            raise click.UsageError(f"--without: no section is called '{name}'{hint}")
    return [name for name in SECTIONS if name not in left_out]


def _instances(names: Sequence[str], given: Sequence[Given], overrides: Mapping[str, Any]) -> list[Instance]:
    """Read those that are named; else the shipped ones that plans are of, as they were when these were made."""
    from hypar_opt.instance import load

    if names:
        return [load(path, **overrides) for name in names for path in expanded(name)]
    if not given:
        raise click.UsageError("expected instances, or plans of shipped ones (--plans)")
    if any(value is not None for value in overrides.values()):
        option = next(name for name, value in overrides.items() if value is not None)
        raise click.UsageError(f"--{option} replaces a field of instances, and none is named; plans bring their own")
    found: dict[str, Instance] = {}
    for one in given:
        key = json.dumps([one.claim.instance, dict(one.claim.overrides)], sort_keys=True, default=str)
        if key not in found:
            found[key] = _shipped(one)
    return list(found.values())


def _shipped(one: Given) -> Instance:
    from hypar_opt.instance import load, shipped_names

    name = one.claim.instance
    if name not in shipped_names():
        hint = did_you_mean(name, shipped_names())
        raise InputError(
            f"is a plan of '{name}', which is no shipped instance{hint or '; name its file, as INSTANCE'}",
            file=one.path, field="instance",
        )  # fmt: skip
    return load(name, **one.claim.overrides)


def _names(
    names: str | None, instances: Sequence[Instance], given: Sequence[Given]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the formulations of instances without plans, and of those with."""
    theirs = {one.claim.instance for one in given}
    if names is None and all(instance.name in theirs for instance in instances):
        return (), ()
    found = wanted_formulations(names, instances)
    return found, () if names is None else found


def _claims(name: str | None) -> Claims | None:
    from hypar_opt.audit import read_claims

    return None if name is None else read_claims(name)


def _gathered(asked: _Asked, limits: Limits, time_limit: float | None, watch: Watch) -> Report:
    from hypar_opt.audit import audit
    from hypar_opt.reporting import Report, gather, provenance

    subjects, faults = gather(
        asked.instances, asked.formulations, given=asked.given, again=asked.again, sections=asked.sections,
        limits=limits, time_limit_s=time_limit, listener=watch.listener,
    )  # fmt: skip
    rows: Sequence[Row] = ()
    if asked.claims is not None:
        rows = audit(asked.claims.claims, limits=limits, time_limit_s=time_limit, listener=watch.listener)
    typed = shlex.join(["hypar-opt", *sys.argv[1:]])
    stopped = watch.exit_code is not None
    return Report(
        asked.title, subjects, provenance(typed, limits.seed), asked.claims, tuple(rows), faults, stopped
    )  # fmt: skip


def _written(report: Report, output: Path, figures: bool, watch: Watch) -> list[Path]:
    from hypar_opt.report.pages import write_report

    return write_report(report, output, figures=figures, tell=lambda what: watch.doing(f"writing {what}"))


def _show(report: Report, output: Path, written: Sequence[Path], wanted: Wanted) -> None:
    from hypar_opt.cli.display import echo_document
    from hypar_opt.report.comparison_flat import rows

    size = sum(path.stat().st_size for path in written)
    cells = [cell for subject in report.subjects for cell in subject.cells]
    if wanted.machine:
        document = {
            "report": str(output / "index.html"),
            "pages": [str(path) for path in written if path.suffix == ".html"],
            "files": len(written),
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
        parts = [_count(len(report.subjects), "instance"), _count(plans, "plan")]
        parts += [] if report.claims is None else [_count(len(report.rows), "claim")]
        click.echo(f"{', '.join(parts)}; {_count(len(written), 'file')}, {size:,} bytes")
    click.echo(f"written: {output / 'index.html'}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"

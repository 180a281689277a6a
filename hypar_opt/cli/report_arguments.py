"""What `hypar-opt report` is asked for, read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.compare_command import expanded, wanted_formulations
from hypar_opt.instance.overrides import OVERRIDES
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.cli.options import Wanted
    from hypar_opt.instance import Instance
    from hypar_opt.report.content import Given
    from hypar_opt.report.pages import Written
    from hypar_opt.studies.claims import Claims


def sections_but(without: str) -> list[str]:
    """Return the sections that are wanted: all but those that are named."""
    from hypar_opt.report.content.content import SECTIONS

    left_out = [name.strip() for name in without.split(",") if name.strip()]
    for name in left_out:
        if name not in SECTIONS:
            hint = did_you_mean(name, SECTIONS) or f"; there are {', '.join(SECTIONS)}"
            raise click.UsageError(f"--without: no section is called '{name}'{hint}")
    return [name for name in SECTIONS if name not in left_out]


def read_instances(names: Sequence[str], given: Sequence[Given], overrides: Mapping[str, Any]) -> list[Instance]:
    """Read those that are named; else the shipped ones that plans are of, as they were when these were made."""
    from hypar_opt.instance import load_instance

    if names:
        return [load_instance(path, **overrides) for name in names for path in expanded(name)]
    if not given:
        raise click.UsageError("expected instances, or plans of shipped ones (--plans)")
    if any(value is not None for value in overrides.values()):
        option = OVERRIDES[next(name for name, value in overrides.items() if value is not None)].option
        raise click.UsageError(f"{option} replaces a field of instances, and none is named; plans bring their own")
    found: dict[str, Instance] = {}
    for one in given:
        key = json.dumps([one.claim.instance, dict(one.claim.overrides)], sort_keys=True, default=str)
        if key not in found:
            found[key] = _shipped(one)
    return list(found.values())


def _shipped(one: Given) -> Instance:
    from hypar_opt.instance import load_instance, shipped_names

    name = one.claim.instance
    if name not in shipped_names():
        hint = did_you_mean(name, shipped_names())
        raise InputError(
            f"is a plan of '{name}', which is no shipped instance{hint or '; name its file, as INSTANCE'}",
            file=one.path, field="instance",
        )  # fmt: skip
    return load_instance(name, **one.claim.overrides)


def names_of(
    names: str | None, instances: Sequence[Instance], given: Sequence[Given]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the formulations of instances without plans, and of those with."""
    theirs = {one.claim.instance for one in given}
    if names is None and all(instance.name in theirs for instance in instances):
        return (), ()
    found = wanted_formulations(names, instances)
    return found, () if names is None else found


def read_claims(name: str | None) -> Claims | None:
    """Read the claims of a file, or shipped ones, if any are wanted."""
    from hypar_opt.studies.claims import read_claims as read

    return None if name is None else read(name)


def show(written: Written, output: Path, wanted: Wanted) -> None:
    """Say what was written and where, to people or machines."""
    from hypar_opt.cli.json_lines import echo_document
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

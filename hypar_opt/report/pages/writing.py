"""A report as a folder of pages that need nothing else."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hypar_opt.plan_file import plan_document
from hypar_opt.report.pages.assets import asset_files
from hypar_opt.report.pages.content import Beside
from hypar_opt.report.pages.environment import environment
from hypar_opt.report.pages.folder import write_report_files
from hypar_opt.report.pages.inputs import as_run_there, inputs_of
from hypar_opt.report.pages.pages import AUDIT, INDEX, Pages
from hypar_opt.report.pages.plans import plan_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.reporting import Report, Subject


@dataclass(frozen=True)
class Written:
    """A report that is written.

    Parameters
    ----------
    report
        As it was written: with what was found beside, and what went wrong with figures among its faults.
    paths
        The files, the first page last.
    """

    report: Report
    paths: Sequence[Path]


def write_report(
    report: Report,
    folder: Path,
    *,
    figures: bool = False,
    tell: Callable[[str], object] = lambda _: None,
    finish: Callable[[Report], Report] = lambda report: report,
) -> Written:
    """Write a report: a first page, a page an instance, one of the verdicts, and the files that they lead to.

    Parameters
    ----------
    report
        What was gathered.
    folder
        Made where it is not there; what an earlier report left in it and this one lacks is removed.
    figures
        Whether every figure is printed as SVG, PDF and PNG too.
    tell
        Called with what is made next, in words.
    finish
        Called when the pages of the instances are made, for what was found beside: the verdicts on claims.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from altair.utils.schemapi import debug_mode

    with ExitStack() as stack:
        stack.enter_context(debug_mode(False))  # charts are checked against Vega-Lite's schema where they are tested
        printed = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hypar-opt."))) if figures else None
        inputs = inputs_of(report)
        made = Pages(as_run_there(report, inputs), environment(), Beside(printed), inputs)
        pages = {f"{one.slug}.html": page for one, page in _instances(made, tell)}
        made = replace(made, report=as_run_there(finish(report), inputs))
        if report.claims is not None:
            tell("the page of the claims")
            pages[AUDIT] = made.audit()
        pages[INDEX] = made.index()
    tell("the files")
    # names of files that the locale could not decode stand there as the bytes that they are
    files = {name: text.encode(errors="surrogateescape") for name, text in pages.items()}
    assets = {f"assets/{name}": content for name, content in asset_files().items()}
    paths = write_report_files(folder, {**assets, **made.beside.files, **inputs.files, **files})
    return Written(replace(made.report, faults=made.faults), paths)


def _instances(made: Pages, tell: Callable[[str], object]) -> Iterator[tuple[Subject, str]]:
    for subject in made.report.subjects:
        tell(f"the page of {subject.instance.name}")
        yield subject, made.instance(subject)
        made.beside.files.update(_plans(subject))


def _plans(subject: Subject) -> dict[str, bytes]:
    """Return a plan file for every plan."""
    paths = plan_paths(subject)
    return {
        paths[named.name]: (json.dumps(plan_document(named.plan), indent=1) + "\n").encode() for named in subject.plans
    }

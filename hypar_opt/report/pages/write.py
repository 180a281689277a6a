"""A report as a folder of pages that need nothing else."""

from __future__ import annotations

import json
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from hypar_opt.report.pages.beside import Beside
from hypar_opt.report.pages.environment import asset_files, environment
from hypar_opt.report.pages.inputs import as_run_there, inputs_of
from hypar_opt.report.pages.pages import AUDIT, INDEX, Pages
from hypar_opt.report.pages.plans import plan_paths, point_paths
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.errors import InputError
from hypar_opt.util.files import atomically, make_folder, prepare_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.report.content import Report
    from hypar_opt.solver.plan import Plan


MANIFEST: Final = "manifest.json"
SCHEMA: Final = "hypar-opt/report/1"
FIRST: Final = "index.html"
FOLDERS: Final = ("assets", "data", "figures", "fronts", "inputs", "plans")
"""All that a report has beside its pages."""


def prepare(folder: Path, read: Iterable[Path] = ()) -> None:
    """Find out before the work whether a report can be written to a folder.

    Parameters
    ----------
    read
        The files that it is made from.

    Raises
    ------
    InputError
        If it cannot, or if what is there is no report: nothing that somebody else wrote is replaced. If the report
        that is there has a file that is read, since the new one takes its place.
    """
    own = [folder / name for name in _written_before(folder) or ()]
    lost = next((path for path in read for one in own if one.exists() and one.samefile(path)), None)
    if lost is not None:
        what = f"'{lost}' is read, and belongs to the report that would be replaced"
        raise InputError(f"expected another folder than '{folder}'; {what}", field="--output")
    prepare_folder(folder, (MANIFEST, FIRST))
    if _written_before(folder) is not None:
        return
    pages = sorted(path.name for path in folder.glob("*.html") if path.name != FIRST)
    for name in (FIRST, *FOLDERS, *pages):
        if (folder / name).exists():
            which = f"a folder '{name}'" if name in FOLDERS else f"a page '{name}'"
            raise InputError(f"has {which} that is of no report; expected an empty folder or a report's", file=folder)


def write_report_files(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write a report's files, each atomically, the first page last; remove those of an earlier report that it lacks.

    Parameters
    ----------
    files
        By their paths in the folder, with strokes between the parts.

    Returns
    -------
    The paths, in the order in which they were written.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    before = _written_before(folder) or ()
    _write(folder, MANIFEST, _manifest({*before, *files}))  # what is cut short is known to be a report's
    order = sorted(files, key=lambda name: (name == FIRST, not name.startswith("assets/"), name))
    for name in order:
        _write(folder, name, files[name])
    for name in set(before) - set(files):
        _remove(folder, name)
    _write(folder, MANIFEST, _manifest(files))
    return [folder / name for name in order]


def _plan_file(plan: Plan) -> bytes:
    return (json.dumps(plan_document(plan), indent=1) + "\n").encode()


def _write(folder: Path, name: str, content: bytes) -> None:
    make_folder((folder / name).parent)
    with atomically(folder / name) as stream:
        stream.write(content)


def _manifest(names: Iterable[str]) -> bytes:
    return (json.dumps({"schema": SCHEMA, "files": sorted(names)}, indent=1) + "\n").encode()


def _written_before(folder: Path) -> tuple[str, ...] | None:
    """Return what the manifest of an earlier report lists; None where there is none."""
    try:
        document = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        return None
    names = document.get("files")
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()


def _remove(folder: Path, name: str) -> None:
    """Remove a file that an earlier report wrote, and its folder if that is empty; never anything outside."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        return
    with suppress(OSError):
        place = folder / path
        if place.resolve().is_relative_to(folder.resolve()) and not place.is_symlink():
            place.unlink()
            for parent in path.parents[:-1]:
                (folder / parent).rmdir()


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
        pages: dict[str, str] = {}
        for subject in report.subjects:
            tell(f"the page of {subject.instance.name}")
            pages[f"{subject.slug}.html"] = made.instance(subject)
            paths = plan_paths(subject)
            for named in subject.plans:
                made.beside.files[paths[named.name]] = _plan_file(named.plan)
            points = () if subject.front is None else subject.front.points
            for point, path in zip(points, point_paths(subject), strict=True):
                made.beside.files[path] = _plan_file(point.plan)
        made = replace(made, report=as_run_there(finish(report), inputs))
        if report.claims is not None:
            tell("the page of the claims")
            pages[AUDIT] = made.audit()
        pages[INDEX] = made.index()
    tell("the files")
    # names of files that the locale could not decode stand there as the bytes that they are
    files = {name: text.encode(errors="surrogateescape") for name, text in pages.items()}
    assets = {f"assets/{name}": content for name, content in asset_files().items()}
    written = write_report_files(folder, {**assets, **made.beside.files, **inputs.files, **files})
    return Written(replace(made.report, faults=made.faults), written)

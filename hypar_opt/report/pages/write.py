"""A report's folder: what is written into it, in which order, and what of an earlier report goes."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from hypar_opt.errors import InputError
from hypar_opt.files import atomically, make_folder, prepare_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MANIFEST: Final = "manifest.json"
SCHEMA: Final = "hypar-opt/report/1"
FIRST: Final = "index.html"
FOLDERS: Final = ("assets", "data", "figures", "inputs", "plans")
"""All that a report has beside its pages."""


def prepare(folder: Path) -> None:
    """Find out before the work whether a report can be written to a folder.

    Raises
    ------
    InputError
        If it cannot, or if what is there is no report: nothing that somebody else wrote is replaced.
    """
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

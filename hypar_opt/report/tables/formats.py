"""What tables are written as: each format is a record in a module of its own, found by its name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.util.plug_ins import records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.report.tables.table import Table


@dataclass(frozen=True)
class TableDocument:
    """What a command writes of its result.

    Parameters
    ----------
    name
        Of its files; letters, digits and hyphens.
    data
        A row a result, for machines.
    tables
        For people.
    title
        Above several tables; one alone has its own.
    lists
        What stands below them: a heading and lines.
    plain
        For JSON, where that is more than the rows.
    """

    name: str
    data: Table
    tables: tuple[Table, ...]
    title: str = ""
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    plain: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TableFormat:
    """A way to write tables.

    Parameters
    ----------
    name
        As columns name it.
    suffix
        Of the file that commands write beside the others, with its point; nothing where they write none.
    write
        Returns a document in this format.
    """

    name: str
    suffix: str
    write: Callable[[TableDocument], str]


GROUP: Final = "hypar_opt.table_formats"
"""The entry-point group in which others' formats are found."""
OURS: Final = {
    "csv": "hypar_opt.report.tables.data:CSV",
    "markdown": "hypar_opt.report.tables.markdown:FORMAT",
    "latex": "hypar_opt.report.tables.latex:FORMAT",
    "json": "hypar_opt.report.tables.data:JSON",
    "page": "hypar_opt.report.pages.environment:FORMAT",
    "terminal": "hypar_opt.report.console:FORMAT",
}
"""By name, where a record stands; it is imported when somebody asks for it."""


@cache
def formats() -> Mapping[str, TableFormat]:
    """Return all formats by name: ours, then those that others have installed.

    Raises
    ------
    Refusal
        If one cannot be loaded, or is none.
    """
    return records(GROUP, OURS, TableFormat, "table format")


def files_of(name: str) -> tuple[str, ...]:
    """Return the names of the files that a document of a name is written to."""
    return tuple(f"{name}{one.suffix}" for one in formats().values() if one.suffix)


def write_document(document: TableDocument, folder: Path) -> list[Path]:
    """Write a document in every format that has files, each atomically; return their paths.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from hypar_opt.util.files import write_to_folder

    written = [one for one in formats().values() if one.suffix]
    return write_to_folder(folder, {f"{document.name}{one.suffix}": one.write(document) for one in written})

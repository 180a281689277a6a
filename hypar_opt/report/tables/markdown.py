"""Tables as Markdown, with the best in bold, and footnotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.displayed import DisplayedCell, Heading, displayed
from hypar_opt.report.tables.formats import TableDocument, TableFormat

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.report.tables.table import Table

MARKUP: Final = re.compile(r"([\\`*\[\]{}|]|(?<![^\W_])_|_(?![^\W_]))")
"""What means something to Markdown; an underscore does only at the edge of a word."""
EXTENDED: Final = re.compile(r"[<$~]|&(?=#?\w+;)")
"""What means something to HTML or to extensions, and cannot be escaped by a backslash everywhere."""
BLOCK: Final = re.compile(r"^(?:([#+\->])|([=:])|(\d+)([.)]))")
"""What means something at the beginning of a line."""


def markdown_text(table: Table, *, level: int = 2) -> str:
    """Return a heading, what is said of the table, the table, and its footnotes.

    Footnotes are `[^name-1]`, as GitHub, Pandoc and mkdocs read them, `name` being the table's.
    """
    found = displayed(table, "markdown")
    heading = f"{'#' * level} {markdown_line(table.title)}"
    notes = [markdown_line(f"{note.rstrip('.')}.") for note in table.notes]
    feet = [f"{_reference(table, number)}: {markdown_line(note)}" for number, note in enumerate(found.footnotes, 1)]
    headings = [f"{_escaped(one.in_full)}{_references(table, one.notes)}" for one in found.headings]
    body = _grid(headings, [[_cell(table, cell) for cell in row] for row in found.rows], found.headings)
    return "\n\n".join(part for part in (heading, "\n".join(notes), body, "\n".join(feet)) if part) + "\n"


def _grid(headings: list[str], rows: list[list[str]], columns: Iterable[Heading]) -> str:
    import pandas as pd

    sides = ["right" if one.numeric else "left" for one in columns]
    frame = pd.DataFrame(rows, columns=headings, dtype=object)
    return str(frame.to_markdown(index=False, disable_numparse=True, colalign=sides if rows else None))


def markdown_grid(table: Table) -> str:
    """Return nothing but the table, with its texts as they are: what is in them is Markdown."""
    found = displayed(table, "markdown")
    headings = [one.text for one in found.headings]
    return _grid(headings, [[one.text for one in row] for row in found.rows], found.headings)


def _cell(table: Table, cell: DisplayedCell) -> str:
    text = _code(cell.text) if cell.code else _escaped(cell.text)
    bold = f"**{text}**" if cell.best and text else text
    return f"{bold}{_escaped(cell.mark)}{_references(table, cell.notes)}"


def _code(text: str) -> str:
    """Return code, between more backticks than there are in it; within a table a stroke needs its backslash."""
    plain = _one_line(text).replace("|", "\\|")
    ticks = "`" * (max((len(run) for run in re.findall("`+", plain)), default=0) + 1)
    padding = " " if "`" in plain else ""
    return f"{ticks}{padding}{plain}{padding}{ticks}" if plain else ""


def _references(table: Table, notes: Iterable[int]) -> str:
    return "".join(_reference(table, number) for number in notes)


def _reference(table: Table, number: int) -> str:
    return f"[^{table.name}-{number}]"


def markdown_line(text: str) -> str:
    """Return text that stands at the beginning of a line, or in one, and means nothing but itself."""
    return BLOCK.sub(_plain_begin, _escaped(text))


def _plain_begin(found: re.Match[str]) -> str:
    sign, other, number, point = found.groups()
    if sign:
        return f"\\{sign}"
    return _entity(other) if other else f"{number}\\{point}"


def _escaped(text: str) -> str:
    """Return text that means nothing but itself within a line: no Markdown, and no HTML in it."""
    plain = EXTENDED.sub(lambda found: _entity(found[0]), _one_line(text))
    return MARKUP.sub(r"\\\1", plain)


def _entity(sign: str) -> str:
    return {"<": "&lt;", "&": "&amp;"}.get(sign, f"&#{ord(sign)};")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _document(document: TableDocument) -> str:
    if not document.title:
        return "\n".join(markdown_text(table, level=1) for table in document.tables)
    lists = []
    for heading, lines in document.lists:
        lists += [f"{heading}\n", "".join(f"- {markdown_line(line)}\n" for line in lines)]
    return "\n".join([f"# {document.title}\n", *map(markdown_text, document.tables), *lists])


FORMAT: Final = TableFormat("markdown", ".md", _document)

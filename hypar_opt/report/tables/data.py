"""Tables as data: exact values, in CSV and JSON."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.tables.formats import TableDocument, TableFormat
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.report.tables.table import Table, Value

FORMULA: Final = re.compile(r"[=@+\-\t\r\n＝＠＋－]")
NUMBER: Final = re.compile(r"[+-]?\.?\d[\d.,]*(e[+-]?\d+|/\d+)?( ?%| [A-Za-z]{1,3})?")
"""What spreadsheets take for a formula, and what begins like one but is a number, perhaps with a unit."""


def json_rows(table: Table) -> list[dict[str, Any]]:
    """Return a mapping a row: integers, exact decimals as text, mappings and lists as they are, None for unknown."""
    columns = table.columns_of("json")
    return [{column.key: _plain(row[column.key].value) for column in columns} for row in table.rows]


def _plain(value: Value) -> Any:
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction):
        return exact(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def csv_text(table: Table) -> str:
    """Return the table as CSV: keys, exact values, nothing for what is unknown.

    A text that a spreadsheet would compute (it begins with =, @, a tab, or a sign and is no number) gets an
    apostrophe before it, so that names from files stay names; JSON has it as it is.
    """
    keys = [column.key for column in table.columns_of("csv")]
    return csv_lines(keys, ([row[key].value for key in keys] for row in table.rows))


def csv_lines(header: Sequence[str], rows: Iterable[Sequence[Value]]) -> str:
    """Return a header and rows as CSV; every CSV file is written by this, and guarded as `csv_text` says.

    Parameters
    ----------
    header
        The columns' names: they may come from files as well.
    rows
        A value a column.
    """
    lines = _Lines()
    writer = csv.writer(lines)
    writer.writerow([guarded(name) for name in header])
    writer.writerows([_flat(value) for value in row] for row in rows)
    return "".join(lines.written)


class _Lines:
    """What the writer writes to: it quotes both ends of lines only where it writes both, which are made one here."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> None:
        """Keep a line."""
        self.written.append(line.removesuffix("\r\n") + "\n")


def _flat(value: Value) -> str:
    if isinstance(value, str):
        return guarded(value)
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    return guarded(" ".join(value)) if isinstance(value, tuple) else str(_plain(value))


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _json(document: TableDocument) -> str:
    plain = json_rows(document.data) if document.plain is None else document.plain
    return json.dumps(plain, indent=1)


CSV: Final = TableFormat("csv", ".csv", lambda document: csv_text(document.data))
JSON: Final = TableFormat("json", ".json", _json)

"""Tables as data: exact values, in CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from hypar_opt.report.tables.table import Table, Value

FORMULA: Final = re.compile(r"[=@+\-\t\r]")
NUMBER: Final = re.compile(r"[+-]?\.?\d[\d.,]*(e[+-]?\d+)?( ?%| [A-Za-z]{1,3})?")
"""What spreadsheets take for a formula, and what begins like one but is a number, perhaps with a unit."""


def json_rows(table: Table) -> list[dict[str, Any]]:
    """Return a mapping a row: integers, exact decimals as text, mappings and lists as they are, None for unknown."""
    columns = table.columns_of("json")
    return [{column.key: _plain(row[column.key].value) for column in columns} for row in table.rows]


def _plain(value: Value) -> Any:
    from hypar_opt.plan_file import exact

    if isinstance(value, Fraction | int):
        return exact(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def csv_text(table: Table) -> str:
    """Return the table as CSV: keys, exact values, nothing for what is unknown.

    A text that a spreadsheet would compute (it begins with =, @, a tab, or a sign and is no number) gets an
    apostrophe before it, so that names from files stay names; JSON has it as it is.
    """
    columns = table.columns_of("csv")
    head = _line([column.key for column in columns])
    return head + "".join(_line([_flat(row[column.key].value) for column in columns]) for row in table.rows)


def _line(cells: list[str]) -> str:
    """Return a line; the writer quotes both ends of lines only where it writes both, which are made one here."""
    stream = io.StringIO(newline="")
    csv.writer(stream).writerow(cells)
    return stream.getvalue().removesuffix("\r\n") + "\n"


def _flat(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return json.dumps(dict(value))
    text = " ".join(value) if isinstance(value, tuple) else str(_plain(value))
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text

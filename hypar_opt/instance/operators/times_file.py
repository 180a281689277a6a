"""Tables of measured times: CSV files with a row for every operator and local shape."""

from __future__ import annotations

import csv
from decimal import InvalidOperation
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.columns import read_columns
from hypar_opt.instance.exact import decimal
from hypar_opt.instance.formats import file_of
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.operators.device import Shape

COLUMNS: Final = ("operator", "shape", "forward", "backward")


def lines_of(path: Path) -> dict[tuple[str, Shape], int]:
    """Return the line of each row of a table that can be read, by the operator's kind and shape."""
    from hypar_opt.instance.operators.device_schema import shape_of

    reader = csv.reader(file_of(path).text.splitlines())
    header = [one.strip() for one in next(reader)]
    rows = ((reader.line_num, dict(zip(header, map(str.strip, cells), strict=True))) for cells in reader if any(cells))
    return {(row["operator"], shape_of(row["shape"])): line for line, row in rows}


def read_times(path: Path) -> list[dict[str, object]]:
    """Return the rows of a table of measured times, as they stand in an instance.

    Raises
    ------
    InputError
        If the file cannot be read, a column is missing or unknown, or a time is no number; names file, line and column.
    """
    found: list[dict[str, object]] = []
    for line, cells in read_columns(path, COLUMNS):
        row: dict[str, object] = {**cells}
        for name in ("forward", "backward"):
            try:
                row[name] = decimal(cells[name])
            except (InvalidOperation, ValueError):
                message = f"expected seconds, got {shown(cells[name])}"
                raise InputError(message, file=path, line=line, field=name) from None
        found.append(row)
    return found

"""CSV files of named columns: tables of measured times, traces of norms."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from hypar_opt.instance.formats import file_of
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path


def read_columns(path: Path, names: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file that has these columns, in any order: its line, and by column the text there.

    Spaces around texts are left out, and rows without any.

    Raises
    ------
    InputError
        If the file cannot be read, a column is missing, unknown or comes twice, or a row has more or fewer; names file
        and line.
    """
    reader = csv.reader(file_of(path).text.splitlines())
    header = [one.strip() for one in next(reader, [])]
    for name in header:
        if name not in names:
            expected = f"expected {', '.join(names)}, got {shown(name)}{did_you_mean(name, names)}"
            raise InputError(expected, file=path, line=1, field="columns")
    missing = next((name for name in names if header.count(name) != 1), None)
    if missing is not None:
        raise InputError(f"expected a column {missing}, once", file=path, line=1, field="columns")
    for cells in reader:
        if not any(cells):
            continue
        if len(cells) != len(header):
            raise InputError(f"expected {len(header)} columns, got {len(cells)}", file=path, line=reader.line_num)
        yield reader.line_num, dict(zip(header, (one.strip() for one in cells), strict=True))

"""A plain table of a pipeline: CSV with a heading, an operator a row.

    name,forward,backward,parameters,activation,memory,reads
    conv1,0.010,0.020,4096,1048576,2097152,
    conv2,0.015,0.030,8192,524288,1048576,conv1

Seconds and bytes. The last two columns may be left out: operators that say nothing of `reads` read the one before.
What has a backward phase is moved twice, on and back as a gradient, and kept until then.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.pipelines.format import PipelineFormat, number_of, rounded
from hypar_opt.importers.pipelines.made import MadePipeline, pipeline_fields
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.importers.pipelines.format import PipelineWishes
    from hypar_opt.instance.formats.format import File
    from hypar_opt.instance.text import FieldPath

NEEDED: Final = ("name", "forward", "backward", "parameters", "activation")
OPTIONAL: Final = ("memory", "reads")


@dataclass(frozen=True)
class _Row:
    line: int
    cells: Mapping[str, str]

    def number(self, column: str) -> Decimal:
        """Return the number of a column; 0 where nothing stands in it."""
        text = self.cells.get(column, "").strip()
        return number_of(text, column) if text else Decimal(0)


def _read(file: File, wishes: PipelineWishes) -> MadePipeline:
    rows = _rows(file)
    operators: list[dict[str, Any]] = []
    for place, row in enumerate(rows):
        before = rows[place - 1].cells["name"].strip() if place else None
        try:
            operators.append(_operator(row, before))
        except InputError as error:
            raise InputError(error.message, file=file.path, line=row.line) from None

    def located(message: str, path: FieldPath, **_: bool) -> InputError:
        inside = path[:1] == ("operators",) and len(path) > 1
        column = str(path[2]) if inside and len(path) > 2 else None
        return InputError(message, file=file.path, line=rows[int(path[1])].line if inside else None, field=column)

    device: dict[str, Any] = {"kind": "device", "count": wishes.count}
    for name, given in (("memory", wishes.memory), ("bandwidth", wishes.bandwidth)):
        if given is not None:
            device[name] = given
    if wishes.bandwidth is not None and not wishes.straight:
        device["replicas"] = wishes.count
    fields = pipeline_fields(file.path.stem, [device], operators)
    comment = f"From the table {file.path.name}: what has a backward phase is moved twice, on and back."
    return MadePipeline(fields, (comment,), located)


def _rows(file: File) -> list[_Row]:
    lines = csv.reader(StringIO(file.text))
    heading = [one.strip().lower() for one in next(lines, [])]
    for number, column in enumerate(heading):
        if column not in (*NEEDED, *OPTIONAL):
            hint = did_you_mean(column, (*NEEDED, *OPTIONAL)) or f"; there are {', '.join((*NEEDED, *OPTIONAL))}"
            raise InputError(f"no column is called {shown(column)}{hint}", file=file.path, line=1)
        if column in heading[:number]:
            raise InputError(f"the column {shown(column)} is there twice", file=file.path, line=1)
    missing = next((one for one in NEEDED if one not in heading), None)
    if missing is not None:
        raise InputError(f"the column {missing} is missing", file=file.path, line=1)
    found = []
    try:
        for cells in lines:
            if not any(one.strip() for one in cells):
                continue
            if len(cells) != len(heading):
                said = f"expected {len(heading)} columns, got {len(cells)}"
                raise InputError(said, file=file.path, line=lines.line_num)
            found.append(_Row(lines.line_num, dict(zip(heading, cells, strict=True))))
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", file=file.path, line=lines.line_num) from None
    if not found:
        raise InputError("has a heading and no rows", file=file.path)
    return found


def _operator(row: _Row, before: str | None) -> dict[str, Any]:
    forward, backward = row.number("forward"), row.number("backward")
    reads = row.cells["reads"].split() if "reads" in row.cells else [before] if before else []
    return {
        "name": row.cells["name"].strip(),
        "seconds": rounded(forward),
        "backward": rounded(backward),
        "reads": reads,
        "output": row.number("activation") * (2 if backward else 1),
        "memory": row.number("memory"),
        "activations": row.number("activation") if backward else Decimal(0),
        "parameters": row.number("parameters"),
    }


def _has_heading(text: str) -> bool:
    first = [one.strip().lower() for one in text.lstrip().partition("\n")[0].split(",")]
    return "name" in first and bool(set(first) & {"forward", "backward"})


PIPELINES: Final = (
    PipelineFormat(
        "CSV",
        f"a heading {','.join(NEEDED)}",
        _has_heading,
        _read,
        ("devices", "bandwidth", "memory", "straight"),
        400,
    ),
)

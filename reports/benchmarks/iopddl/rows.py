"""The table: a row a run, kept as CSV, so that a part can be measured again and the rest stands."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.report.tables import csv_lines
from hypar_opt.util.files import write_atomically
from reports.benchmarks.iopddl.published import judged, published

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from reports.benchmarks.iopddl.runs import Found

    Row: TypeAlias = dict[str, str]

KEY: Final = ("instance", "method", "seed", "limit s")
COLUMNS: Final = (
    *KEY, "cost", "bound", "gap %", "status", "found s", "wall s", "peak MiB", "plan", "best published",
    "difference %", "target", "commit",
)  # fmt: skip


def row_of(instance: str, method: str, seed: int, limit_s: float, found: Found, commit: str, *, ours: bool) -> Row:
    """Return a run as text; nothing where nothing is known."""
    best = published(instance).best
    cells: dict[str, Any] = {
        "instance": instance,
        "method": method,
        "seed": seed,
        "limit s": f"{limit_s:g}",
        "cost": found.cost,
        "bound": found.bound,
        "gap %": _percent(found.bound, found.cost),
        "status": found.status,
        "found s": found.found_s,
        "wall s": f"{found.wall_s:.1f}",
        "peak MiB": found.peak_mib,
        "plan": found.verified,
        "best published": best,
        "difference %": _percent(best, found.cost, best),
        "target": judged(instance, found.status, found.cost, found.wall_s, limit_s) if ours else None,
        "commit": commit,
    }
    return {name: "" if cells[name] is None else str(cells[name]) for name in COLUMNS}


def _percent(low: int | None, high: int | None, of: int | None = None) -> str | None:
    """Return by how much the one is below the other, in percent of the higher, or of what is given."""
    if low is None or high is None or not (of or high):
        return None
    return f"{100 * (high - low) / (of or high):.4f}"


def read(path: Path) -> list[Row]:
    """Return the rows of an earlier run, if there are any."""
    if not path.exists():
        return []
    rows = list(csv.DictReader(io.StringIO(path.read_text())))
    return [{name: row.get(name) or "" for name in COLUMNS} for row in rows]


def merged(rows: Iterable[Row], row: Row, methods: list[str]) -> list[Row]:
    """Return the rows with one of its kind replaced or added, in order."""
    others = [one for one in rows if any(one[name] != row[name] for name in KEY)]
    order = {method: number for number, method in enumerate(methods)}

    def place(one: Row) -> tuple[Any, ...]:
        return one["instance"], order.get(one["method"], len(order)), one["method"], int(one["seed"])

    return sorted([*others, row], key=place)


def write_csv(path: Path, rows: list[Row]) -> None:
    """Write the rows."""
    write_atomically(path, csv_lines(COLUMNS, ([row[name] for name in COLUMNS] for row in rows)))

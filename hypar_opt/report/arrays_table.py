"""Networks x arrays: how long communication takes, for equal links and for equal bandwidth in all."""

from __future__ import annotations

import json
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from hypar_opt.comparing_arrays import ArrayCell, equal_link, equal_total
from hypar_opt.files import write_to_folder
from hypar_opt.plan_file import exact
from hypar_opt.report.numbers import in_bytes, in_si

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pandas import DataFrame
    from rich.console import Console
    from rich.table import Table

FILES = ("arrays.csv", "arrays.md", "arrays.json")
LEGEND = (
    "seconds of communication of the best plan and placement, and how many times the first array's they are; "
    "* both are proven to be the best; - declined"
)
ASSUMPTIONS: tuple[tuple[str, Callable[[ArrayCell, ArrayCell], Fraction | None]], ...] = (
    ("every link as fast as the first array's (in an H tree, a leaf's)", equal_link),
    ("as much link bandwidth in all as the first array has", equal_total),
)


def firsts(cells: Sequence[ArrayCell]) -> dict[int, ArrayCell]:
    """Return every row's cell on the first array."""
    return {cell.row: cell for cell in reversed(cells) if cell.array == cells[0].array}


def grid(cells: Sequence[ArrayCell], scaled: Callable[[ArrayCell, ArrayCell], Fraction | None]) -> DataFrame:
    """Return instances x arrays as text, the geometric means of the ratios below."""
    import pandas as pd

    first = firsts(cells)
    arrays = list(dict.fromkeys(cell.array for cell in cells))
    found: dict[int, dict[str, str]] = {}
    ratios: dict[str, list[float]] = {array: [] for array in arrays}
    for cell in cells:
        one = first[cell.row]
        seconds = scaled(cell, one)
        if seconds is not None and one.time:
            ratios[cell.array].append(float(seconds / one.time))
        found.setdefault(cell.row, {})[cell.array] = _text(cell, seconds, one.time)
    names = {cell.row: cell.instance for cell in cells}
    rows = [{"instance": names[i]} | {array: row.get(array, "") for array in arrays} for i, row in found.items()]
    means = {array: _mean(numbers, len(found)) for array, numbers in ratios.items()}
    return pd.DataFrame([*rows, {"instance": "geometric mean"} | means])


def _text(cell: ArrayCell, seconds: Fraction | None, first: Fraction | None) -> str:
    if seconds is None:
        return "-"
    ratio = f" ({float(seconds / first):.3g})" if first else ""
    return f"{in_si(float(seconds), 's')}{'*' if cell.proven else ''}{ratio}"


def _of_links(cell: ArrayCell) -> str:
    return "links that differ" if cell.link is None else f"links of {in_bytes(cell.link)}/s each way"


def _mean(numbers: Sequence[float], expected: int) -> str:
    return f"({prod(numbers) ** (1 / len(numbers)):.3g})" if numbers and len(numbers) == expected else ""


def show(console: Console, cells: Sequence[ArrayCell]) -> None:
    """Print a table for each assumption."""
    if not cells:
        console.print("nothing was solved before the stop")
        return
    for title, scaled in ASSUMPTIONS:
        console.print(f"\n{title}:")
        console.print(_table(grid(cells, scaled)))
    console.print(LEGEND)
    for line in dict.fromkeys(f"{cell.array}: {cell.refusal}" for cell in cells if cell.refusal):
        console.print(line)


def _table(frame: DataFrame) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in frame.columns:
        table.add_column(str(name), justify="left" if name == "instance" else "right")
    for values in frame.itertuples(index=False):
        table.add_row(*map(str, values))
    return table


def rows(cells: Sequence[ArrayCell]) -> list[dict[str, Any]]:
    """Return a flat row for every cell; unknown is None."""
    first = firsts(cells)
    return [_row(cell, first[cell.row]) for cell in cells]


def _row(cell: ArrayCell, first: ArrayCell) -> dict[str, Any]:
    plan = cell.plan
    link, total = equal_link(cell, first), equal_total(cell, first)
    return {
        "instance": cell.instance,
        "array": cell.array,
        "formulation": plan.formulation if plan else None,
        "status": plan.status.value if plan else "DECLINED",
        "link_bytes_per_s": exact(cell.link),
        "total_bytes_per_s": exact(cell.total),
        "comm_time_s": exact(cell.time),
        "bound_s": exact(plan.bound) if plan else None,
        "comm_time_s_equal_link": exact(link),
        "comm_time_s_equal_total": exact(total),
        "communication_bytes": exact(plan.communication_bytes) if plan else None,
        "hop_bytes": exact(plan.costs.get("hop-bytes")) if plan else None,
        "native_status": plan.native_status if plan else None,
        "note": plan.note if plan else cell.refusal,
        "runtime_s": round(plan.runtime_s, 3) if plan else None,
        "plan": dict(plan.strategies) if plan and plan.strategies else None,
        "placement": list(plan.placement) if plan and plan.placement else None,
    }


def write_files(cells: Sequence[ArrayCell], folder: Path) -> list[Path]:
    """Write arrays.csv, .md and .json, each atomically; return their paths, none where there are no cells."""
    import pandas as pd

    if not cells:
        return []
    flat = rows(cells)
    table = pd.DataFrame(flat, dtype=object).drop(columns=["plan", "placement"])
    texts = table.to_csv(index=False), markdown(cells), json.dumps(flat, indent=1)
    return write_to_folder(folder, dict(zip(FILES, texts, strict=True)))


def markdown(cells: Sequence[ArrayCell]) -> str:
    """Return both tables as Markdown, with the arrays' bandwidths and how each result was proven."""
    parts = ["# Arrays", "", f"{LEGEND[0].upper()}{LEGEND[1:]}.", ""]
    for title, scaled in ASSUMPTIONS:
        body = grid(cells, scaled).to_markdown(index=False, disable_numparse=True)
        parts += [f"## {title[0].upper()}{title[1:]}", "", body, ""]
    seen = {cell.array: cell for cell in cells}
    parts += [
        f"- {name}: {_of_links(cell)}, {in_bytes(cell.total)}/s in all, as its file has it"
        for name, cell in seen.items()
    ]
    how = dict.fromkeys(
        f"- {cell.array}: {cell.plan.native_status if cell.plan is not None else cell.refusal}" for cell in cells
    )
    return "\n".join([*parts, "", "How it ended:", "", *how, ""])

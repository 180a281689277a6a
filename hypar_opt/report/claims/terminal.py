"""Verdicts on claims on the terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from hypar_opt.audit import Verdict
from hypar_opt.report.audits.document import cells_of, notes, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    from hypar_opt.audit import Claims, Row

STYLES = {
    Verdict.CONFIRMED: "green",
    Verdict.REFUTED: "bold red",
    Verdict.NOT_REPRODUCIBLE: "yellow",
    Verdict.UNDECIDED: "yellow",
}
LEAST = {"printed": 12, "recomputed": 12, "claim": 16}
"""Columns that are folded, the most wanted first, and the least that each is given or else left out."""
ORDER = ("id", "claim", "printed", "recomputed", "verdict", "command")
GAP = 2
COMFORTABLE = 60
"""For the folded columns together, where the commands stand beside them."""


def show(console: Console, claims: Claims, rows: Sequence[Row]) -> None:
    """Print a table a source, then what stands behind every verdict that needs words."""
    console.print(claims.title)
    fixed, folded = _columns(rows, console.width)
    for source, group in groupby(rows, key=lambda row: row.claim.spec.source):
        console.print()
        console.print(_table(source, list(group), fixed, folded, _room(console.width, fixed, folded)))
    hidden = [name for name in LEAST if rows and name not in folded]
    if hidden:
        console.print(f"(too narrow for: {', '.join(hidden)}; --json has all)")
    for alike in notes(rows):
        first = alike[0].verdict
        console.print()
        console.print(f"{first}: {', '.join(row.claim.id for row in alike)}", style=STYLES[first])
        for text in _said(alike):
            console.print(_indented(text))
    console.print()
    console.print(summary(claims, rows))


def _said(group: Sequence[Row]) -> list[str]:
    """Return why, what is known, what the verdict rests on, and a command; of several rows, that of the first."""
    first = group[0]
    finding = first.claim.spec.finding
    parts = [first.judgement.why, finding and f"finding: {finding}", len(group) == 1 and first.judgement.evidence]
    return [*(part for part in parts if part), f"$ {first.command}"]


def _indented(text: str) -> Padding:
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, 2), expand=False)


def _columns(rows: Sequence[Row], width: int) -> tuple[dict[str, int], list[str]]:
    """Return the columns of one width in all tables, and those that are folded and fit beside them.

    The command is shown where there is room for all else.
    """
    cells = [cells_of(row) for row in rows]
    need = {name: max([len(name), *(len(cell[name]) for cell in cells)]) for name in ORDER}
    fixed = {"id": max(len("id"), min(width * 3 // 10, need["id"])), "verdict": need["verdict"]}
    folded = list(LEAST)
    while folded and _room(width, fixed, folded) < sum(LEAST[name] for name in folded):
        folded.pop()
    if _room(width, fixed, folded) - need["command"] - GAP >= COMFORTABLE:
        fixed["command"] = need["command"]
    return fixed, folded


def _room(width: int, fixed: dict[str, int], folded: Sequence[str]) -> int:
    return width - sum(fixed.values()) - GAP * (len(fixed) + len(folded) - 1)


def _shared(room: int, need: dict[str, int]) -> dict[str, int]:
    """Return the width of each folded column: what it needs, or an equal share of what the others leave."""
    widths: dict[str, int] = {}
    for name in sorted(need, key=lambda name: need[name]):
        widths[name] = min(need[name], (room - sum(widths.values())) // (len(need) - len(widths)))
    return widths


def _table(source: str, rows: Sequence[Row], fixed: dict[str, int], folded: Sequence[str], room: int) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", title=source, title_justify="left", title_style="bold")
    cells = [cells_of(row) for row in rows]
    need = {name: max(len(name), *(len(cell[name]) for cell in cells)) for name in folded}
    widths = fixed | _shared(room, need)
    names = [name for name in ORDER if name in widths]
    for name in names:
        table.add_column(name, overflow="fold", width=widths[name])
    for row, cell in zip(rows, cells, strict=True):
        table.add_row(*(_styled(name, cell[name], row.verdict) for name in names))
    return table


def _styled(name: str, text: str, verdict: Verdict) -> Text:
    from rich.text import Text

    return Text(text, STYLES[verdict] if name == "verdict" else "")

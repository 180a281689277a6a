"""Verdicts on claims on the terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from hypar_opt.report.claims.document import cells_of, notes, summary
from hypar_opt.report.console import terminal_table
from hypar_opt.report.tables import Column, Entry, text_table
from hypar_opt.studies.claims import ClaimRow, Claims, ClaimVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text


STYLES = {
    ClaimVerdict.CONFIRMED: "green",
    ClaimVerdict.REFUTED: "bold red",
    ClaimVerdict.NOT_REPRODUCIBLE: "yellow",
    ClaimVerdict.UNDECIDED: "yellow",
}
LEAST = {"printed": 12, "recomputed": 12, "claim": 16}
"""Columns that are folded, the most wanted first, and the least that each is given or else left out."""
ORDER = ("id", "claim", "printed", "recomputed", "verdict", "command")
GAP = 2
COMFORTABLE = 60
"""For the folded columns together, where the commands stand beside them."""


def show(console: Console, claims: Claims, rows: Sequence[ClaimRow]) -> None:
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


def _said(group: Sequence[ClaimRow]) -> list[str]:
    """Return why, what is known, what the verdict rests on, and a command; of several rows, that of the first."""
    first = group[0]
    finding = first.claim.spec.finding
    parts = [first.judgement.why, finding and f"finding: {finding}", len(group) == 1 and first.judgement.evidence]
    return [*(part for part in parts if part), f"$ {first.command}"]


def _indented(text: str) -> Padding:
    from rich.padding import Padding

    return Padding(text, (0, 0, 0, 2), expand=False)


def _columns(rows: Sequence[ClaimRow], width: int) -> tuple[dict[str, int], list[str]]:
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


def _table(source: str, rows: Sequence[ClaimRow], fixed: dict[str, int], folded: Sequence[str], room: int) -> RichTable:
    cells = [cells_of(row) for row in rows]
    need = {name: max(len(name), *(len(cell[name]) for cell in cells)) for name in folded}
    widths = fixed | _shared(room, need)
    names = [name for name in ORDER if name in widths]
    table = text_table([{name: cell[name] for name in names} for cell in cells])
    options = {name: {"overflow": "fold", "width": widths[name]} for name in names}
    heading = {"title": source, "title_justify": "left", "title_style": "bold"}
    return terminal_table(table, cell=_styled, options=options, **heading)


def _styled(column: Column, entry: Entry) -> Text:
    from rich.text import Text

    text = str(entry.value)
    return Text(text, STYLES[ClaimVerdict(text)] if column.key == "verdict" else "")

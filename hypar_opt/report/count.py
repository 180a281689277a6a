"""What a program moves beside what is predicted of its plan, on the terminal and for machines."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.report.console import terminal_table
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.tables import text_table
from hypar_opt.util.numbers import exact, in_full

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from hypar_opt.count.comparison import Line
    from hypar_opt.count.jax_counter import Counted

MOST_LINES = 20
"""How many conversions that differ are shown on the terminal."""


def sentence(name: str, counted: Counted) -> str:
    """Return whether prediction and program are equal."""
    predicted, real = _total(one.predicted for one in counted.lines), _total(one.counted for one in counted.lines)
    if not counted.different:
        return f"{name}: {in_full(real)} bytes counted in {len(counted.collectives):,} collectives, as predicted"
    if not counted.different[0].tensor:
        return f"{name}: {in_full(real)} bytes counted, {in_full(predicted)} predicted"
    conversions = len({(one.tensor, one.phase, one.reader) for one in counted.different})
    what = "conversion" if conversions == 1 else "conversions"
    return f"{name}: {in_full(real)} bytes counted, {in_full(predicted)} predicted; {conversions:,} {what} differ"


def _total(values: Iterable[Fraction]) -> Fraction:
    return sum(values, start=Fraction(0))


def run_sentence(counted: Counted) -> str:
    """Return how far the run is off the same step on one device."""
    if counted.run is None:
        return "not run"
    off = f"{counted.run.most:.1e}"
    return f"run on {counted.ran_on}: loss and gradients are those of one device, within {off} of the largest"


def show_counted(console: Console, name: str, counted: Counted) -> None:
    """Print bytes by kind and axis, and the conversions that differ."""
    console.print(sentence(name, counted), markup=False)
    console.print(run_sentence(counted), markup=False)
    sums: dict[tuple[str, str], list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    for line in counted.lines:
        sums[line.kind, line.axis][0] += line.predicted
        sums[line.kind, line.axis][1] += line.counted
    rows = [
        {"collective": kind, "axis": axis, "predicted": in_bytes(one), "counted": in_bytes(other),
         "difference": in_full(other - one)}
        for (kind, axis), (one, other) in sums.items()
    ]  # fmt: skip
    right = ("predicted", "counted", "difference")
    if rows:
        console.print(terminal_table(text_table(rows, right)))
    different = counted.different[:MOST_LINES]
    if different and different[0].tensor:
        console.print(f"\nwhere they differ{_first(len(counted.different))}", markup=False)
        shown = [
            {**_names(one), "predicted": in_full(one.predicted), "counted": in_full(one.counted)}
            | ({"why": one.why} if one.why else {})
            for one in different
        ]
        console.print(terminal_table(text_table(shown, right)))


def _first(count: int) -> str:
    return f", the first {MOST_LINES} of {count:,}" if count > MOST_LINES else ""


def _names(line: Line) -> dict[str, str]:
    return {"tensor": line.tensor or "none", "phase": line.phase, "for": line.reader or "all", "collective": line.kind,
            "axis": line.axis}  # fmt: skip


def counted_document(name: str, counted: Counted) -> dict[str, Any]:
    """Return the same for machines, exact, conversion by conversion."""
    run = counted.run
    return {
        "name": name,
        "equal": not counted.different,
        "collectives": len(counted.collectives),
        "conversions": [
            {**_names(one), "predicted": exact(one.predicted), "counted": exact(one.counted)}
            | ({"why": one.why} if one.why else {})
            for one in counted.lines
        ],
        "run": None if run is None else {"loss": run.loss, "loss_on_one_device": run.whole_loss, "off": dict(run.off)},
    }

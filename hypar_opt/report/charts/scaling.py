"""One network on arrays of several sizes, as curves: how much faster, and how many bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.components import COMMUNICATION
from hypar_opt.errors import Refusal
from hypar_opt.plan_file import exact
from hypar_opt.report.charts.scaling_marks import chart_of
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.comparison.notes import word
from hypar_opt.report.numbers import in_component, unit_of
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.exploring import Point
    from hypar_opt.report.charts.figure import Figure

CUT = "a limit came before a plan or its proof"


def scaling_figure(points: Sequence[Point]) -> Figure:
    """Return gains over one accelerator beside the ideal, and bytes, over the number of accelerators.

    All axes are logarithmic. What is gained in is the first component that the points know; where that is the
    communication, of which one accelerator has none, there are bytes only.

    Raises
    ------
    Refusal
        If no point has a plan.
    """
    known = [point for point in points if point.costs]
    if not known:
        raise Refusal("no array has a plan")
    component = next(iter(known[0].costs))
    rows = [_row(point, component) for point in known]
    has_gains = any(row["gain"] is not None for row in rows)
    title = f"Gain in {component} over one accelerator, and bytes exchanged" if has_gains else "Bytes exchanged"
    title += " by the number of accelerators (logarithmic)"
    notes = _notes(points)
    alternative = f"{_said(known, component)} {' '.join(notes)}".strip()
    return figure("scaling", title, alternative, chart_of(rows, component), _table(points, component, notes))


def _row(point: Point, component: str) -> dict[str, Any]:
    gain, moved, cost = point.gain(component), point.costs.get(COMMUNICATION), point.costs.get(component)
    return {
        "accelerators": point.accelerators,
        "formulation": point.formulation,
        "gain": None if gain is None else float(gain),
        "bytes": float(moved) if moved else None,
        "cost": "unknown" if cost is None else f"{exact(cost)} {unit_of(component)}",
        "moved": "unknown" if moved is None else f"{exact(moved)} B",
        "status": _status(point),
        "cut": point.is_cut,
    }


def _status(point: Point) -> str:
    status = word(point.plan)
    return f"{status}: {CUT}" if point.is_cut else status


def _said(points: Sequence[Point], component: str) -> str:
    """Return what every curve comes to on its largest array."""
    said = []
    for name in dict.fromkeys(point.formulation for point in points):
        last = max((point for point in points if point.formulation == name), key=lambda point: point.levels)
        gain, moved = last.gain(component), last.costs.get(COMMUNICATION)
        parts = [] if gain is None else [f"gain {float(gain):.3g}"]
        parts += [] if moved is None else [f"{in_component(COMMUNICATION, moved)} exchanged"]
        said.append(f"{name} on {last.accelerators}: {', '.join(parts)}")
    gains = any(point.gain(component) is not None for point in points)
    over = f"; gains are in {component} over one accelerator" if gains else ""
    return f"A curve a formulation{over}. {'; '.join(said)}."


def _notes(points: Sequence[Point]) -> tuple[str, ...]:
    refused = dict.fromkeys(f"{point.formulation}: {point.refusal}." for point in points if point.refusal)
    cut = any(point.is_cut for point in points)
    return (*((f"Points marked 'cut': {CUT}.",) if cut else ()), *refused)


def _table(points: Sequence[Point], component: str, notes: tuple[str, ...]) -> Table:
    names = dict.fromkeys((component, COMMUNICATION))
    columns = (
        Column("accelerators", "Accelerators"),
        Column("formulation", "Formulation"),
        Column("status", "Status"),
        *(Column(name, name.capitalize(), unit_of(name), digits=4) for name in names),
        Column("gain", f"Gain in {component}", digits=4, best="most"),
    )
    rows = tuple(
        {
            "accelerators": Entry(point.accelerators),
            "formulation": Entry(point.formulation),
            "status": Entry(_status(point), notes=(point.refusal,) if point.refusal else ()),
            **{name: Entry(point.costs.get(name)) for name in names},
            "gain": Entry(point.gain(component)),
        }
        for point in points
    )
    return Table("scaling", "Arrays of several sizes", columns, rows, notes)

"""Costs and times of formulations beside each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.formulation.solution import Status
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import PALETTE, Figure, figure, inline
from hypar_opt.report.compare.notes import first_cells, labels, of_placement_alone
from hypar_opt.report.numbers import decimal
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.numbers import exact
from hypar_opt.util.surd import fraction_near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.studies.compare import Cell

PROVEN, PLACED, FOUND, DECLINED = "proven the least", "proven for its strategies", "not proven", "declined"
WORDS: Final[Mapping[Status, str]] = MappingProxyType(
    {
        Status.OPTIMAL: PROVEN,
        Status.FEASIBLE: FOUND,
        Status.INFEASIBLE: "infeasible",
        Status.NO_SOLUTION: "none found",
        Status.ERROR: "error",
    }
)


@dataclass(frozen=True)
class Compared:
    """A cell beside the best of its instance.

    Parameters
    ----------
    instance
        What tells it from the others.
    cost
        In the objective's unit; that of an answer that did not stand up to recomputation is none.
    ratio
        Of its cost to the least that was found; None without a cost, or where the least is nothing and this is not.
    word
        What is known of it.
    """

    cell: Cell
    instance: str
    cost: Fraction | None
    ratio: Fraction | None
    word: str

    @property
    def note(self) -> str:
        """Why it declined, or what its status rests on."""
        return self.cell.refusal or (self.cell.plan.note if self.cell.plan else "")


def cost_of(cell: Cell) -> Fraction | None:
    """Return what a cell's plan costs in the objective's unit; None where it has none that holds."""
    plan = cell.plan
    return None if plan is None or plan.status not in (Status.OPTIMAL, Status.FEASIBLE) else plan.objective


def compared(cells: Sequence[Cell]) -> tuple[Compared, ...]:
    """Return every cell beside the best of its row."""
    least: dict[int, Fraction] = {}
    for cell in cells:
        cost = cost_of(cell)
        if cost is not None:
            least[cell.row] = min(cost, least.get(cell.row, cost))
    firsts = first_cells(cells)  # rows of one name are told apart by their position
    names = dict(zip((cell.row for cell in firsts), labels(firsts, ("instance",)), strict=True))
    return tuple(Compared(cell, names[cell.row], cost_of(cell), _ratio(cell, least), _word(cell)) for cell in cells)


def _ratio(cell: Cell, least: Mapping[int, Fraction]) -> Fraction | None:
    cost = cost_of(cell)
    if cost is None:
        return None
    if cost == least[cell.row]:
        return Fraction(1)
    return fraction_near(cost) / fraction_near(least[cell.row]) if least[cell.row] > 0 else None


def _word(cell: Cell) -> str:
    if cell.plan is None:
        return DECLINED
    return PLACED if of_placement_alone(cell.plan) else WORDS[cell.plan.status]


SHAPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        PROVEN: "diamond",
        PLACED: "triangle-up",
        FOUND: "circle",
        "infeasible": "triangle-down",
        "none found": "square",
        "error": "cross",
        DECLINED: "M-.5,-.5L.5,.5M.5,-.5L-.5,.5",
    }
)
"""By what is known of a cell; those from `infeasible` on have no cost."""
SAID: Final = (
    "datum.instance + ', ' + datum.formulation + ': ' + "
    "(isValid(datum.ratio) ? format(datum.ratio, '.4~g') + ' times the least, ' : '') + datum.status"
)
"""Of a mark, to whoever cannot see it."""
LARGE: Final = 4
"""A ratio from which on the axis is logarithmic."""
ACROSS: Final = 12
"""Instances that stand side by side; more stand one below the other."""
COLOURS: Final = (*PALETTE, "#999999", "#FFFFFF")
"""Of formulations; marks have a black edge. There are more than the palette has, each in a lane of its own."""
LANE: Final = 6
"""Pixels of one formulation's lane, where instances stand one below the other."""


def _rows(found: Sequence[Compared]) -> list[dict[str, Any]]:
    return [
        {
            "instance": one.instance,
            "formulation": one.cell.formulation,
            "status": one.word,
            "ratio": None if one.ratio is None else float(one.ratio),
            "cost": "none" if one.cost is None else str(exact(one.cost)),
            "note": one.note,
        }
        for one in found
    ]


def chart_of(found: Sequence[Compared]) -> alt.TopLevelMixin:
    """Return the marks: those with a cost in the plot, those without above it, or to its right."""
    rows = _rows(found)
    down = len({row["instance"] for row in rows}) > ACROSS
    names = [word for word in SHAPES if any(row["status"] == word for row in rows)]
    both = {
        "color": alt.Color(
            "formulation:N", sort=None, title="formulation", scale=alt.Scale(range=list(COLOURS)), legend=_legend(3)
        ),
        "shape": alt.Shape(
            "status:N",
            title="status",
            scale=alt.Scale(domain=names, range=[SHAPES[name] for name in names]),
            legend=_legend(4, symbolFillColor="white", symbolStrokeColor="black"),
        ),
        "tooltip": [alt.Tooltip(f"{key}:N", title=key) for key in ("instance", "formulation", "status", "cost")]
        + [alt.Tooltip("ratio:Q", title="over the least", format=".5g"), alt.Tooltip("note:N", title="note")],
        "description": alt.Description("said:N"),
    }
    marks = alt.Chart(inline(rows)).mark_point(filled=True, size=44, stroke="black", strokeWidth=0.6, opacity=1)
    marks = marks.transform_calculate(said=SAID)
    with_cost = marks.transform_filter("isValid(datum.ratio)").encode(
        **_lanes(down=down), **_ratios(rows, down), **both
    )
    outside = {"x": alt.value({"expr": "width + 8"})} if down else {"y": alt.value(-8)}
    without = marks.transform_filter("!isValid(datum.ratio)").encode(**_lanes(down=down), **outside, **both)
    one = alt.Chart(inline([{}])).mark_rule(color="#666").encode(**{"x" if down else "y": alt.datum(1)})
    size = {"width": 420, "height": alt.Step(LANE, **{"for": "offset"})} if down else {"width": 700, "height": 230}
    return alt.layer(one, with_cost, without).properties(**size)


def _lanes(*, down: bool) -> dict[str, Any]:
    """Return where an instance stands, and a formulation in it; the order is that of the cells."""
    if down:
        return {"y": alt.Y("instance:N", sort=None, title=None), "yOffset": alt.YOffset("formulation:N", sort=None)}
    axis = alt.Axis(labelAngle=-30, labelOverlap=False)
    return {
        "x": alt.X("instance:N", sort=None, title=None, axis=axis),
        "xOffset": alt.XOffset("formulation:N", sort=None),
    }


def _ratios(rows: Sequence[Mapping[str, Any]], down: bool) -> dict[str, Any]:
    most = max((row["ratio"] for row in rows if row["ratio"] is not None), default=1.0)
    large = most >= LARGE
    low, high = (most**-0.06, most**1.06) if large else (1 - (most - 1) / 16, most + (most - 1) / 16)
    scale = alt.Scale(type="log" if large else "linear", domain=[low, high if high > low else 2], nice=False)
    axis = alt.Axis(grid=True, format="~r", **({"values": _ticks(most)} if large else {"tickCount": 6}))
    title = f"cost over the least found{' (logarithmic)' if large else ''}"
    channel = alt.X if down else alt.Y
    return {"x" if down else "y": channel("ratio:Q", title=title, scale=scale, axis=axis)}


def _ticks(most: float) -> list[float]:
    """Return 1, 2, 5, 10, 20, ... up to a ratio; of many decades only the powers of ten."""
    powers = range(int(math.log10(most)) + 1)
    steps = (1, 2, 5) if len(powers) < 4 else (1,)
    return [step * 10.0**power for power in powers for step in steps if step * 10**power <= most]


def _legend(columns: int, **more: Any) -> alt.Legend:
    return alt.Legend(orient="bottom", columns=columns, direction="horizontal", **more)


def comparison_figure(cells: Sequence[Cell]) -> Figure:
    """Return costs over the least of the same instance: a colour and a lane a formulation, a shape a status.

    The least is the least that was found; a diamond says that it is proven. Cells without a cost stand above the
    plot. The axis is logarithmic where a ratio is large.
    """
    found = compared(cells)
    title = "Cost of each formulation's plan over the least found of the same instance"
    return figure("comparison", title, _alternative(found), chart_of(found), comparison_table(found))


def _alternative(found: Sequence[Compared]) -> str:
    """Return, formulation by formulation, how far from the best it is."""
    said = []
    for name in dict.fromkeys(one.cell.formulation for one in found):
        own = [one for one in found if one.cell.formulation == name]
        ratios = [one.ratio for one in own if one.ratio is not None]
        worst = f", at most {decimal(max(ratios), 6)} times the least" if ratios and max(ratios) > 1 else ""
        proven = sum(one.word == PROVEN for one in own)
        without = len(own) - len(ratios)
        parts = [f"{name}: the least of {ratios.count(Fraction(1))} of {len(own)} instances{worst}"]
        parts += [f"proven for {proven}"] if proven else []
        parts += [f"no cost to compare for {without}"] if without else []
        said.append(", ".join(parts))
    return f"A mark for every instance and formulation. {'; '.join(said)}."


def comparison_table(found: Sequence[Compared]) -> Table:
    """Return the numbers: exact costs, and their ratios to the least."""
    columns = (
        Column("instance", "Instance"),
        Column("formulation", "Formulation"),
        Column("status", "Status"),
        Column("cost", "Cost"),
        Column("ratio", "Over the least", digits=4, best="least"),
    )
    rows = []
    for one in found:
        status = Entry(one.word, notes=(one.note,) if one.note else ())
        rows.append((one.instance, one.cell.formulation, status, one.cost, Entry(one.ratio, best=one.ratio == 1)))
    notes = ("Costs are in the objective's unit.",)
    return Table("comparison", "Costs over the least found", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("comparison", "Costs and times of formulations", "cells", comparison_figure)

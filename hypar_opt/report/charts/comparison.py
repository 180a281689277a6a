"""A comparison as a chart: every formulation's cost over the least that was found of the same instance."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.report.charts.comparison_data import PROVEN, compared
from hypar_opt.report.charts.comparison_marks import chart_of
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.gaps import decimal
from hypar_opt.report.tables import Column, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.comparing import Cell
    from hypar_opt.report.charts.comparison_data import Compared
    from hypar_opt.report.charts.figure import Figure


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
        worst = f", at most {decimal(max(ratios))} times the least" if ratios and max(ratios) > 1 else ""
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
    rows = tuple(
        {
            "instance": Entry(one.instance),
            "formulation": Entry(one.cell.formulation),
            "status": Entry(one.word, notes=(one.note,) if one.note else ()),
            "cost": Entry(one.cost),
            "ratio": Entry(one.ratio, best=one.ratio == 1),
        }
        for one in found
    )
    return Table("comparison", "Costs over the least found", columns, rows, ("Costs are in the objective's unit.",))

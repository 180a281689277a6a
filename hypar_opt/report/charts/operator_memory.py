"""What plans of operators keep on each device, by kind, and how much there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.operator_bars import StackedBars
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.operators.memory import AT_THE_TURN, RECOMPUTED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.report.content.operator_plan import NamedOperatorPlan


def memory_figure(plans: Sequence[NamedOperatorPlan]) -> Figure:
    """Return the bytes that every plan keeps on each device: a bar a plan, by kind, with the capacity as a line."""
    limit = plans[0].problem.memory
    values: dict[str, dict[str, Fraction]] = {
        one.name: {kind: one.kept[kind] for kind in AT_THE_TURN if one.kept.get(kind)} for one in plans
    }
    bars = StackedBars("bytes kept on each device", "B", in_bytes, values, limit)
    room = "No capacity is given." if limit is None else f"Each device has {in_bytes(limit)}, the dashed line."
    again = (
        ", nor is what blocks that run once more make anew" if any(one.kept.get(RECOMPUTED) for one in plans) else ""
    )
    notes = (room, f"Work space is not counted{again}; the peak with it is below the table by operator.")
    said = f"Stacked bars, one a plan. {bars.said()}. {room}"
    title = "Bytes kept on each device, by kind"
    return figure("operator-memory", title, said, bars.chart(), bars.table("operator-memory", title, notes))


FIGURE: Final = FigureKind(
    "operator-memory", "Memory of each device", "plans", memory_figure, "memory", of=("operators",)
)

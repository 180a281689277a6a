"""How long a training step takes by plans of operators, by parts: computing, and communication along each axis."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.report.charts.operator_bars import StackedBars
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.numbers import in_si
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content.operator_plan import NamedOperatorPlan

UNKNOWN: Final = "the array says neither what its devices compute nor how fast the links of all its axes are"


def time_figure(plans: Sequence[NamedOperatorPlan]) -> Figure:
    """Return the seconds of a step of every plan: a bar a plan, by parts.

    Raises
    ------
    Refusal
        If nothing is known of them.
    """
    values: dict[str, dict[str, Fraction]] = {}
    for one in plans:
        own = values.setdefault(one.name, {})
        for (part, _), seconds in one.seconds.items():
            own[part] = own.get(part, Fraction(0)) + seconds
    if not any(values.values()):
        raise Refusal(UNKNOWN)
    bars = StackedBars("seconds of a training step", "s", lambda one: in_si(float(one), "s"), values)
    notes = _lacks(bars.parts)
    said = f"Stacked bars, one a plan. {bars.said()}. {' '.join(notes)}"
    title = "Time of a training step, by parts"
    return figure("operator-time", title, said, bars.chart(), bars.table("operator-time", title, notes))


def _lacks(parts: Sequence[str]) -> tuple[str, ...]:
    """Return what the bars rest on, and what they leave out."""
    found = ["Nothing is overlapped: computing, then communicating."]
    if "computing" not in parts:
        found.append("The array does not say what devices compute: that part is missing.")
    elif len(parts) == 1:
        found.append("The array does not say how fast its links are, or nothing moves: only computing is counted.")
    return tuple(found)


FIGURE: Final = FigureKind("operator-time", "Time", "plans", time_figure, "time", of=("operators",))

"""A picture of a simulated step: what every accelerator and link does when."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.step import PHASES, StepPhase
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.simulation import KINDS, headline
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.studies.simulation.tasks import check, watched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.studies.simulation import Simulated, Simulation
    from hypar_opt.studies.simulation.platform import Kind
    from hypar_opt.studies.simulation.tasks import SendPhase

MOST_ROWS: Final[Mapping[Kind, int]] = {"accelerator": 16, "link": 24, "memory": 16}
"""Rows of each kind in a picture that can still be read."""
COLOURS: Final[Mapping[StepPhase | SendPhase, str]] = {
    "forward": "#56B4E9", "backward": "#E69F00", "gradient": "#009E73", "update": "#CC79A7",
    "copy": "#0072B2", "sum": "#D55E00",
}  # fmt: skip
"""Okabe and Ito's palette."""
HELD: Final = "#DDDDDD"
PATH: Final = "critical path"
DRAWING: Final = "while the picture was drawn"
COLUMNS: Final = 2000
"""Pieces that a row is cut into at the most: what is nearer together than that is drawn as one."""
WIDE, ROW = 752, 14.4
"""Pixels: of the whole step, and of a row's height."""
LINE: Final = 156
"""Letters of a title's line."""
UNITS: Final = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e-12, "ps"))


@dataclass(frozen=True)
class GanttRow:
    """A row of the picture.

    Parameters
    ----------
    name
        To its left.
    bars
        Colour, beginning and end as shares of the step, in the order in which they are drawn.
    """

    name: str
    bars: tuple[tuple[str, float, float], ...]


def gantt_figure(name: str, simulated: Simulated, limits: Limits | None = None) -> Figure:
    """Return what every accelerator and link of a simulated step does when.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    return simulation_figure(name, headline(name, simulated), simulated.simulation, PHASES, limits)


def simulation_figure(
    name: str,
    said: Sequence[str],
    found: Simulation,
    phases: Sequence[StepPhase | SendPhase],
    limits: Limits | None = None,
) -> Figure:
    """Return what is done when in a simulation.

    Parameters
    ----------
    name, said
        What is simulated, and what is written above it.
    phases
        Those that the table has a column for.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    rows, left_out = rows_of(found, limits)
    lines = [*said, *([left_out] if left_out else [])]
    title = [line for text in lines for line in textwrap.wrap(text, LINE)]
    chart = _chart(rows, title, float(found.time))
    check(limits, DRAWING)
    table = _table(rows, phases)
    return figure("gantt", f"What {name} does when", " ".join(f"{line}." for line in lines), chart, table)


def rows_of(found: Simulation, limits: Limits | None = None) -> tuple[tuple[GanttRow, ...], str]:
    """Return the rows, and which resources are left out of them, in words; of each kind the busiest are shown.

    Raises
    ------
    SimulationStopped
        If the limits are over before the end.
    """
    rows, left_out = [_path(found)], []
    for kind, plural in KINDS.items():
        numbers = [i for i, one in enumerate(found.field.resources) if one.kind == kind]
        most = MOST_ROWS[kind]
        shown = sorted(sorted(numbers, key=lambda i: (-found.uses[i].busy, i))[:most])
        rows += [_row(found, number) for number in watched(shown, limits, DRAWING, every=1)]
        if len(shown) < len(numbers):
            left_out.append(f"the {len(shown)} busiest of {len(numbers):,} {plural}")
    return tuple(rows), f"shown: {' and '.join(left_out)}" if left_out else ""


def _path(found: Simulation) -> GanttRow:
    tasks = found.graph.tasks
    pieces = ((COLOURS[tasks[step.task].phase], step.begin, step.end) for step in found.critical_path)
    return GanttRow(PATH, tuple(_merged(pieces, found.end)))


def _row(found: Simulation, number: int) -> GanttRow:
    tasks, spans = found.graph.tasks, sorted(found.spans[number], key=lambda span: (span.since, span.end))
    held = ((HELD, span.since, span.begin) for span in spans if span.begin > span.since)
    served = ((COLOURS[tasks[span.task].phase], span.begin, span.end) for span in spans)
    bars = (*_merged(held, found.end), *_merged(served, found.end))
    return GanttRow(found.field.resources[number].name(found.machine), bars)


def _merged(pieces: Iterable[tuple[str, int, int]], end: int) -> list[tuple[str, float, float]]:
    """Return pieces as shares of the step; those of one colour that nearly touch become one."""
    found: list[tuple[str, float, float]] = []
    for colour, begin, stop in pieces:
        first, last = (begin / end, stop / end) if end else (0.0, 0.0)
        if found and found[-1][0] == colour and first - found[-1][2] < 0.5 / COLUMNS:
            found[-1] = (colour, found[-1][1], max(last, found[-1][2]))
        else:
            found.append((colour, first, last))
    return found


def _chart(rows: tuple[GanttRow, ...], title: list[str], seconds: float) -> alt.LayerChart:
    size, unit = next((one for one in UNITS if seconds >= one[0]), UNITS[-1])
    end = seconds / size
    called: dict[str, str] = {colour: phase for phase, colour in COLOURS.items()} | {
        HELD: "held, waiting for other links"
    }
    bars = [
        {"row": at, "what": called[colour], "begin": first * end, "end": last * end}
        for at, row in enumerate(rows)
        for colour, first, last in row.bars
    ]
    there = [colour for colour in called if any(bar["what"] == called[colour] for bar in bars)]
    ticks: dict[str, Any] = {"tickCount": 10} if seconds else {"values": [0]}
    axis = alt.Axis(format=".4~g", labelFontSize=8, titleFontSize=8.5, titleFontWeight="normal", **ticks)
    across = alt.X("begin:Q", title=f"time, {unit}", scale=alt.Scale(domain=[0, end or 1], nice=False), axis=axis)
    down = alt.Y("row:O", axis=None, scale=alt.Scale(domain=list(range(len(rows))), paddingInner=0.2, paddingOuter=0.1))
    scale = alt.Scale(domain=[called[colour] for colour in there], range=there)
    legend = alt.Legend(orient="bottom", direction="horizontal", title=None, labelFontSize=8) if there else None
    drawn = alt.Chart(inline(bars)).mark_bar(stroke=None)
    names = alt.Chart(inline({"row": at, "name": row.name} for at, row in enumerate(rows)))
    made: alt.LayerChart = (
        alt.layer(
            drawn.encode(x=across, x2="end", y=down, color=alt.Color("what:N", scale=scale, legend=legend)),
            names.mark_text(align="right", fontSize=7.5, x=-4).encode(y=down, text="name:N"),
            alt.Chart(inline([{}])).mark_rule(strokeWidth=0.6).encode(y=alt.value(ROW)),
        )
        .properties(
            width=WIDE, height=round(ROW * len(rows), 1),
            title=alt.TitleParams(title, anchor="start", fontWeight="normal", fontSize=8.5, offset=12),
        )
        .configure_axis(grid=True, domain=True)
    )  # fmt: skip
    return made


def _table(rows: tuple[GanttRow, ...], phases: Sequence[StepPhase | SendPhase] = PHASES) -> Table:
    """Return of every row for how much of the step it is busy, phase by phase."""
    columns = (Column("row", "row"), *(Column(phase, phase, digits=4) for phase in phases))
    shares = (
        (row.name, *(sum(b - a for one, a, b in row.bars if one == COLOURS[phase]) for phase in phases)) for row in rows
    )
    return Table("gantt", "Shares of the step", columns, entry_rows(columns, shares))


FIGURE: Final = FigureKind(
    "gantt", "What accelerators and links do when", "simulation", gantt_figure, accepts=lambda _: True
)

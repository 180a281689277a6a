"""A large schedule in space and time: how busy links of several accelerators are over several steps at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.numbers import in_si
from hypar_opt.report.tables import Column, Table, entry_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.evaluation.collective import JudgedCollective

MOST_ROWS: Final = 64
MOST_COLUMNS: Final = 96
"""Cells of the picture, down and across."""
WIDE: Final = 720
ROW: Final = 12
"""Pixels: of the whole time, and of a row."""


@dataclass(frozen=True)
class BusyCells:
    """A schedule by rows of directions of links, and columns of time.

    Parameters
    ----------
    judged
        The schedule.
    """

    judged: JudgedCollective

    @cached_property
    def rows(self) -> Sequence[Sequence[tuple[int, int]]]:
        """Directions of links that share a row: those out of accelerators, and switches, that follow each other."""
        names = self.judged.instance.machine.names
        size = -(-len(names) // MOST_ROWS)
        found: list[list[tuple[int, int]]] = [[] for _ in range(-(-len(names) // size))]
        for hop in self.judged.instance.machine.link_of:
            found[hop[0] // size].append(hop)
        return [hops for hops in found if hops]

    @cached_property
    def labels(self) -> list[str]:
        """By row, whose links it is of."""
        names = self.judged.instance.machine.names
        ends = [(min(hop[0] for hop in hops), max(hop[0] for hop in hops)) for hops in self.rows]
        return [f"out of {names[a]}" + (f" to {names[b]}" if b > a else "") for a, b in ends]

    @cached_property
    def last(self) -> float:
        """When it is over: steps, or seconds."""
        return float(max((one.end for one in self.judged.schedule.sends), default=1))

    @cached_property
    def columns(self) -> int:
        """In how many parts time is cut; whole steps each."""
        if self.judged.steps is None:
            return MOST_COLUMNS
        return -(-self.judged.steps // self.width_in_steps)

    @property
    def width_in_steps(self) -> int:
        """Of a column."""
        return -(-(self.judged.steps or 1) // MOST_COLUMNS)

    @property
    def width(self) -> float:
        """Of a column, in steps or seconds."""
        return self.last / MOST_COLUMNS if self.judged.steps is None else float(self.width_in_steps)

    @cached_property
    def busy(self) -> list[list[float]]:
        """By row and column, the share of the links' time in which they are in use."""
        row_of = {hop: row for row, hops in enumerate(self.rows) for hop in hops}
        found = [[0.0] * self.columns for _ in self.rows]
        for row, column, time in self._uses(row_of):
            found[row][column] += time
        spans = [min(self.width, self.last - column * self.width) for column in range(self.columns)]
        return [
            [min(1.0, used / (span * len(hops))) for used, span in zip(line, spans, strict=True)]
            for line, hops in zip(found, self.rows, strict=True)
        ]

    def _uses(self, row_of: dict[tuple[int, int], int]) -> Any:
        """Yield the row, the column and the time of every use of a direction of a link."""
        if self.judged.steps is not None:
            for step, loads in self.judged.by_step.items():
                for hop in loads:
                    yield row_of[hop], (step - 1) // self.width_in_steps, 1.0
            return
        for one in self.judged.schedule.sends:
            begin, end = float(one.begin), float(one.end)
            first, last = int(begin / self.width), min(int(end / self.width), self.columns - 1)
            for column in range(first, last + 1):
                time = min(end, (column + 1) * self.width) - max(begin, column * self.width)
                for hop in pairwise(one.route):
                    yield row_of[hop], column, max(0.0, time)

    def data(self) -> list[dict[str, Any]]:
        """Return a cell each."""
        return [
            {
                "link": label,
                "begin": column * self.width,
                "end": min(self.last, (column + 1) * self.width),
                "busy": round(share, 4),
            }
            for label, line in zip(self.labels, self.busy, strict=True)
            for column, share in enumerate(line)
        ]


def busy_figure(judged: JudgedCollective, why: str) -> Figure:
    """Return cells coloured by how busy links are.

    Parameters
    ----------
    why
        Sends are not drawn one by one.
    """
    cells, instance = BusyCells(judged), judged.instance
    data, timed = cells.data(), judged.steps is None
    across = alt.Scale(domain=[0, cells.last], nice=False)
    marks = alt.Axis(**ticks("s"), tickCount=8) if timed else alt.Axis(format="d", tickMinStep=1)
    shade = alt.Scale(scheme=alt.SchemeParams("viridis", extent=[1, 0]), domain=[0, 1])
    legend = alt.Legend(title="in use", format=".0%", orient="right")
    chart = (
        alt.Chart(inline(data))
        .transform_calculate(said="datum.link + ', from ' + datum.begin + ': ' + format(datum.busy, '.0%')")
        .mark_rect()
        .encode(
            x=alt.X("begin:Q", title="seconds" if timed else "synchronous steps", scale=across, axis=marks),
            x2="end:Q",
            y=alt.Y("link:N", title=None, sort=None, axis=alt.Axis(labelFontSize=8)),
            color=alt.Color("busy:Q", scale=shade, legend=legend),
            tooltip=[alt.Tooltip("link:N"), alt.Tooltip("begin:Q"), alt.Tooltip("busy:Q", format=".1%")],
            description=alt.Description("said:N"),
        )
    )
    each = "" if timed or cells.width_in_steps == 1 else f", {cells.width_in_steps:,} steps a column"
    said = f"{instance.collective}: {in_si(cells.last, 's') if timed else f'{judged.steps:,} steps'}"
    below = [why, f"a row: all links out of what it names{each}"]
    title = alt.TitleParams(said, subtitle=below, anchor="start", fontSize=12, fontWeight="normal")
    chart = chart.properties(width=WIDE, height=ROW * len(cells.rows), title=title)
    alternative = f"{instance.name}, {said}. {why}: a row has the links of several nodes, coloured by how much in use."
    return figure("schedule", f"A schedule of {instance.name}", alternative, chart, _table(data))


def _table(data: list[dict[str, Any]]) -> Table:
    columns = (
        Column("link", "links"),
        Column("begin", "begin"),
        Column("end", "end"),
        Column("busy", "in use", digits=4),
    )
    rows = [tuple(row.values()) for row in data]
    return Table("schedule", "How busy links are", columns, entry_rows(columns, rows))

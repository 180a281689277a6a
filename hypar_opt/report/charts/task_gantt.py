"""A schedule of a task graph: what every unit of every resource does when, and what is in the memories meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.tasks.bounds import TaskProver
from hypar_opt.evaluation.tasks.chain import chain_of
from hypar_opt.evaluation.tasks.unit_rows import unit_rows, window_of
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.tasks.tables import tasks_table
from hypar_opt.report.tasks.words import GOALS, in_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.tasks import JudgedTasks
    from hypar_opt.evaluation.tasks.unit_rows import UnitRow

CRITICAL, OTHERS, ONCE, REPEATED = "leads up to the last end", "other tasks", "one period", "other periods"
AROUND: Final = "makes the period what it is"
"""What tasks are called whose circle or work needs all of a period."""
COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {CRITICAL: "#E69F00", AROUND: "#E69F00", OTHERS: "#56B4E9", ONCE: "#56B4E9", REPEATED: "#C9DFEC"}
)
WIDE, ROW, HIGH = 720, 20, 60
"""Pixels: of the schedule, and of the rows of a unit and of a memory."""
MOST_ROWS: Final = 48
"""Units that are drawn: the busiest."""
MOST_MEMORIES: Final = 6
MOST_NAMED: Final = 400
"""Tasks up to which names are written on them."""
NARROWEST: Final = Fraction(1, 50)
"""Of the whole, of a task with its name on it."""
LETTER, LETTERS = 5.5, 9
"""Pixels of a letter, and how many of a name have to have room: what is cut off earlier says nothing."""
COLUMNS: Final = 2000
"""Pieces that a row is cut into at the most: tasks of one colour that are nearer together are drawn as one."""


def task_figure(name: str, judged: JudgedTasks) -> Figure:
    """Return a schedule as a Gantt chart with what is kept in memories below it.

    Parameters
    ----------
    name
        Of the schedule.
    judged
        A schedule without faults.
    """
    rows, window = unit_rows(judged), window_of(judged)
    shown = _busiest(rows)
    bars = list(_bars(judged, shown, window))
    across = alt.Scale(domain=[0, float(window) or 1], nice=False)
    x = alt.X("begin:Q", title=None, scale=across, axis=alt.Axis(**ticks("s"), tickCount=8))
    order = [row.name for row in shown]
    y = alt.Y("unit:N", title=None, sort=order, scale=alt.Scale(paddingInner=0.15, domain=order))
    # a scale of no colours draws nothing at all, and where no task takes time there is no bar
    there = [one for one in COLOURS if any(bar["what"] == one for bar in bars)] or [OTHERS]
    colour = alt.Color(
        "what:N",
        scale=alt.Scale(domain=there, range=[COLOURS[one] for one in there]),
        legend=alt.Legend(title=None, orient="bottom", direction="horizontal", symbolType="square"),
    )
    drawn = alt.Chart(inline(bars)).mark_bar(stroke="white", strokeWidth=0.5).encode(x=x, x2="end:Q", y=y, color=colour)
    layers: list[alt.Chart] = [*_periods(judged, window, across), drawn]
    if len(bars) <= MOST_NAMED:
        named = [bar for bar in bars if bar["task"] and bar["end"] - bar["begin"] >= NARROWEST * window]
        room = alt.ExprRef("scale('x', datum.end) - scale('x', datum.begin) - 4")
        fits = alt.ExprRef(f"{room.expr} > {LETTER} * min(length(datum.task), {LETTERS}) ? 1 : 0")
        text = alt.Chart(inline(named)).mark_text(fontSize=9, limit=room, opacity=fits)
        layers.append(text.encode(x=alt.X("middle:Q", scale=across), y=y, text="task:N"))
    said = _said(judged, len(rows) - len(shown))
    title = alt.TitleParams(said, anchor="start", fontSize=12, fontWeight="normal")
    above = alt.layer(*layers).properties(width=WIDE, height=ROW * max(len(shown), 1), title=title)
    memories = [name for name in judged.instance.memories if judged.peak(name)][:MOST_MEMORIES]
    below = [_memory(judged, one, window, across) for one in memories]
    chart = alt.vconcat(above, *below, spacing=14).resolve_scale(x="shared", color="independent") if below else above
    alternative = f"{name}: {said[0]}. A row a unit: its tasks, in another colour what {there[0]}."
    return figure("tasks", f"What is done when by {name}", alternative, chart, tasks_table(judged))


def _said(judged: JudgedTasks, left_out: int) -> list[str]:
    goal, value = GOALS[judged.instance.goal], in_seconds(judged.objective)
    lines = [f"{judged.instance.name}: {goal} is {value}"]
    return [*lines, f"the busiest {MOST_ROWS} units are shown, {left_out:,} are not"] if left_out else lines


def _busiest(rows: Sequence[UnitRow]) -> list[UnitRow]:
    """Return the rows that are drawn, in their order."""
    chosen = sorted(range(len(rows)), key=lambda place: -rows[place].busy)[:MOST_ROWS]
    return [rows[place] for place in sorted(chosen)]


def marked_tasks(judged: JudgedTasks) -> frozenset[str]:
    """Return the tasks that lead up to the last end; of a period those that need all of it, if any bound shows them."""
    if judged.repeats is None:
        return frozenset(step.task for step in chain_of(judged))
    best = TaskProver(judged.instance).best
    return frozenset(best.tasks if best.value == judged.repeats else ())


def _bars(judged: JudgedTasks, rows: Sequence[UnitRow], window: Fraction) -> Iterator[dict[str, Any]]:
    """Yield what is drawn of rows; what is of one colour and nearly touches is one where there is much of it."""
    marked, least = marked_tasks(judged), float(window) / COLUMNS / 2
    word, others = (CRITICAL, OTHERS) if judged.repeats is None else (AROUND, ONCE)
    many = sum(len(row.bars) for row in rows) > MOST_NAMED
    for row in rows:
        last: dict[str, Any] | None = None
        for bar in row.bars:
            what = REPEATED if bar.repeat else word if bar.task in marked else others
            begin, end = float(bar.begin), float(bar.end)
            if many and last is not None and last["what"] == what and begin - last["end"] < least:
                last |= {"end": end, "task": ""}
                continue
            if last is not None:
                yield last
            last = {"unit": row.name, "task": bar.task, "what": what, "begin": begin, "end": end}
            last["middle"] = (begin + end) / 2
        if last is not None:
            yield last


def _periods(judged: JudgedTasks, window: Fraction, across: alt.Scale) -> list[alt.Chart]:
    """Return lines where periods begin."""
    if judged.repeats is None:
        return []
    edges = [{"begin": float(number * judged.repeats)} for number in range(1, int(window / judged.repeats))]
    line = alt.Chart(inline(edges)).mark_rule(color="#555", strokeDash=[4, 3])
    return [line.encode(x=alt.X("begin:Q", scale=across))]


def _memory(judged: JudgedTasks, name: str, window: Fraction, across: alt.Scale) -> alt.LayerChart | alt.FacetChart:
    """Return what is kept in a memory when, and how much it holds."""
    limit, profile = judged.instance.memories[name], judged.kept(name)
    edges = list(profile)
    if judged.repeats is not None:
        shifts = [number * judged.repeats for number in range(int(window / judged.repeats))]
        edges = [(moment + shift, kept) for shift in shifts for moment, kept in profile]
    edges = [edge for number, edge in enumerate(edges) if not number or edge[1] != edges[number - 1][1]]
    pieces = [
        {"begin": float(begin), "end": float(end), "kept": float(kept)}
        for (begin, kept), (end, _) in pairwise([*edges, (window, Fraction(0))])
        if begin < min(end, window)
    ]
    x = alt.X("begin:Q", title=None, scale=across, axis=alt.Axis(labels=False, ticks=False))
    top = float(max([kept for _, kept in profile] + ([] if limit is None else [Fraction(limit)])))
    down = alt.Scale(domain=[0, top or 1], nice=False)
    y = alt.Y("kept:Q", title=None, scale=down, axis=alt.Axis(format="~s", tickCount=3))
    area = alt.Chart(inline(pieces)).mark_rect(color="#CC79A7").encode(x=x, x2="end:Q", y=y, y2=alt.datum(0))
    layers: list[alt.Chart] = [area]
    if limit is not None:
        line = alt.Chart(inline([{"kept": float(limit)}])).mark_rule(color="#D55E00", strokeDash=[5, 3])
        layers.append(line.encode(y=alt.Y("kept:Q", scale=down)))
    holds = "" if limit is None else f", which holds {limit:,} (dashed)"
    title = alt.TitleParams(f"kept in {name}{holds}", anchor="start", fontSize=11, fontWeight="normal")
    return alt.layer(*layers).properties(width=WIDE, height=HIGH, title=title)

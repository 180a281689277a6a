"""A plan for several kinds as a picture: layers x levels, every cell cut at the share; beside it who computes what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.mixed import NONE
from hypar_opt.instance.shares import EQUAL, share_of
from hypar_opt.report.charts.mixed_colours import class_colours, folded
from hypar_opt.report.charts.plan_cells import MEANINGS, letter_text, names_axis, plan_colour, row_step, shown_rows
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.mixed.array import class_text, half_kinds, kinds_text, share_lines
from hypar_opt.report.mixed.classes import waiting_lines
from hypar_opt.report.numbers import in_bytes, in_si, percent
from hypar_opt.report.tables import Column, Table, entry_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.report.content.mixed_plan import NamedMixedPlan

CELL: Final = 52
MOST_WIDE: Final = 360
BARS: Final = 260
"""Pixels: of a cell's width where there is room, of a grid, and of the bars."""
GAP: Final = 0.04
CUT: Final = 0.015
"""Of a cell's width, between cells, and of each half between halves."""
PALE: Final = 0.18
"""How much of a letter's colour a half has that does nothing."""


def mixed_figure(named: NamedMixedPlan, name: str = "plan") -> Figure:
    """Return the picture of a plan: in the cells the letters, cut where the first half's share ends.

    Parameters
    ----------
    named
        The plan.
    name
        The figure's; letters, digits and hyphens.
    """
    step = named.step
    exchanged = in_bytes(named.breakdown.total)
    title = alt.TitleParams(
        f"{in_si(step.time, 's')} a step, {exchanged} exchanged",
        fontSize=12,
        subtitle=folded([*share_lines(step.array, step.shares, step.strategies), *_left_out(named)]),
        anchor="start",
    )
    chart = alt.hconcat(*([_grid(named)] if step.setting.levels else []), _bars(named), spacing=12, title=title)
    drawn = chart.resolve_scale(color="independent")
    return figure(name, f"Plan of {named.name}", alternative(named), drawn, _table(named, name))


def _rows(named: NamedMixedPlan) -> range:
    """Return the positions of the layers that are shown."""
    return range(min(len(named.problem.work.layers), shown_rows(named.step.setting.levels)))


def _left_out(named: NamedMixedPlan) -> list[str]:
    shown, layers = len(_rows(named)), len(named.problem.work.layers)
    return [f"The first {shown:,} of {layers:,} layers; all of them stand in the plan file."] if shown < layers else []


def alternative(named: NamedMixedPlan) -> str:
    """Return what the picture shows, in sentences."""
    step = named.step
    words = "; ".join(f"{layer.name} {step.strategies[layer.name]}" for layer in step.work.layers)
    lines = (*share_lines(step.array, step.shares, step.strategies), *waiting_lines(step), *_left_out(named))
    return (
        f"A grid of {len(step.work.layers)} layers and {step.setting.levels} levels with the choice in each cell, cut "
        f"at the share; beside it bars of what part of each layer every class of accelerators computes. "
        f"{'. '.join(lines)}. By layer, root level first: {words}."
    )


def cells_of(named: NamedMixedPlan) -> Iterator[dict[str, Any]]:
    """Yield of every cell its halves, of several splits at a level those of each in a band of its own."""
    step = named.step
    splits = [_splits(named, level) for level in range(step.setting.levels)]
    bands = max(map(len, splits), default=1)
    for row in _rows(named):
        layer = step.work.layers[row]
        for level, letter in enumerate(step.strategies[layer.name]):
            is_copied = letter != NONE and halving_of(layer, letter).splits is None
            for band in range(bands):
                split = splits[level][band * len(splits[level]) // bands]
                for side in range(1 if split is None else 2):
                    yield {"l": layer.name, "h": level + 1, "a": letter, "band": band} | _half(
                        named, layer.name, level, split, side, is_copied=is_copied
                    )


def _splits(named: NamedMixedPlan, level: int) -> tuple[int | None, ...]:
    """Return what decides the shares of the groups that a level cuts, each once."""
    return tuple(dict.fromkeys(path[-1].split for path in named.step.array.halves(level)))


def _half(
    named: NamedMixedPlan, layer: str, level: int, split: int | None, side: int, *, is_copied: bool
) -> dict[str, Any]:
    """Return where a half is drawn, and what it gets; both in one where groups have like halves."""
    array = named.step.array
    wide, left = 1 - 2 * GAP, level + 0.5 + GAP
    if split is None:
        return {
            "x": left,
            "X": left + wide,
            "idle": False,
            "who": "each half",
            "gets": "everything" if is_copied else "1/2",
        }
    letter = named.step.strategies[layer][level]
    share = share_of(named.step.shares, layer, array.splits[split])
    share = EQUAL if share is None else share  # of a layer that is not cut: where both halves meet in the picture
    begin, end = ((0.0, float(share)), (float(share), 1.0))[side]
    idle = letter == NONE and array.busy_side(split) != side
    gets = "everything" if letter == NONE or is_copied else str(1 - share if side else share)
    begin, end = left + wide * begin + side * CUT, left + wide * end - (1 - side) * CUT
    return {
        "x": begin,
        "X": end,
        "idle": idle,
        "who": kinds_text(half_kinds(array, split, side)),
        "gets": "nothing" if idle else gets,
    }


def _grid(named: NamedMixedPlan) -> alt.LayerChart | alt.FacetChart:
    levels, rows = named.step.setting.levels, len(_rows(named))
    cells = list(cells_of(named))
    several = max(one["band"] for one in cells) > 0
    axis = alt.Axis(
        title="level",
        orient="top",
        values=list(range(1, levels + 1)),
        format="d",
        domain=False,
        ticks=False,
        grid=False,
    )
    scale = alt.Scale(domain=[0.5, levels + 0.5], nice=False, zero=False)
    y = alt.Y("l:N", sort=None, axis=names_axis(rows), scale=alt.Scale(paddingInner=0.1, paddingOuter=0.05))
    said = {"l": "layer", "h": "level", "c": "choice", "who": "half", "gets": "gets"}
    halves = (
        alt.Chart(inline(cells))
        .transform_calculate(c=f"{dict(MEANINGS)}[datum.a]")
        .transform_calculate(d="datum.l + ', level ' + datum.h + ': ' + datum.c + '; ' + datum.who + ': ' + datum.gets")
        .mark_rect()
        .encode(
            x=alt.X("x:Q", axis=axis, scale=scale),
            x2="X:Q",
            y=y,
            color=plan_colour("a", named.problem.instance.choices, kinds={}).legend(None),
            opacity=alt.condition("datum.idle", alt.value(PALE), alt.value(1)),
            tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in said.items()],
            description=alt.Description("d:N"),
        )
    )
    if several:
        halves = halves.encode(yOffset=alt.YOffset("band:O", scale=alt.Scale(paddingInner=0)))
    letters = [one for one in cells if not one["band"] and one["x"] == one["h"] - 0.5 + GAP]
    width = min(CELL, MOST_WIDE / levels) * levels
    texts = letter_text(alt.Chart(inline(letters)).encode(x=alt.X("h:Q", axis=axis, scale=scale), y=y), "a", rows)
    return alt.layer(halves, texts).properties(name=f"{RIGID}_grid", width=width, height=row_step(rows) * rows)


def _bars(named: NamedMixedPlan) -> alt.LayerChart | alt.FacetChart:
    """Return what part of each layer all leaves of a class compute, as widths; the letters' legend with them."""
    step, rows = named.step, _rows(named)
    data = [
        {
            "l": step.work.layers[row].name, "class": class_text(one), "at": place, "part": float(part),
            "exact": f"{part} = {percent(part)}",
        }
        for row in rows
        for place, (one, part) in enumerate(zip(step.classes, step.computed(row), strict=True))
    ]  # fmt: skip
    colours = class_colours(step.array)
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    legend = alt.Legend(title=None, orient="bottom", direction="vertical", columns=2, symbolType="square")
    axis = alt.Axis(format="%", orient="top", tickCount=5)
    y_axis = None if step.setting.levels else names_axis(len(rows))
    y = alt.Y("l:N", sort=None, axis=y_axis, scale=alt.Scale(paddingInner=0.1, paddingOuter=0.05))
    bars = (
        alt.Chart(inline(data))
        .transform_calculate(d="datum.l + ', ' + datum.class + ': ' + datum.exact")
        .mark_bar(stroke="white", strokeWidth=0.8)
        .encode(
            x=alt.X("part:Q", stack="normalize", title="computed by", axis=axis),
            y=y,
            color=alt.Color("class:N", scale=scale, legend=legend),
            order=alt.Order("at:O"),
            tooltip=[alt.Tooltip(f"{field}:N") for field in ("l", "class", "exact")],
            description=alt.Description("d:N"),
        )
    )
    # beside the narrow grid its legend would keep the bars at a distance
    letters = plan_colour("a", named.problem.instance.choices, kinds={})
    legend_of = alt.Chart(inline([{"a": ""}])).transform_filter("false").mark_rect().encode(color=letters)
    chart: alt.LayerChart = alt.layer(bars, legend_of).resolve_scale(color="independent")
    return chart.properties(width=BARS, height=row_step(len(rows)) * len(rows))


def _table(named: NamedMixedPlan, name: str) -> Table:
    """Return a row a layer and class: the word, the part that all its leaves compute, and one's seconds."""
    step = named.step
    computing = {one.part.layer: one.seconds for one in step.stints if one.doing == "computing"}
    columns = (
        Column("layer", "layer"),
        Column("levels", "levels", code=True),
        Column("class", "accelerators"),
        Column("part", "part", digits=4),
        Column("computing_s", "computing, each", "s", digits=4),
    )
    rows = [
        (layer.name, step.strategies[layer.name], class_text(one), part, computing[row][place])
        for row, layer in enumerate(step.work.layers)
        for place, (one, part) in enumerate(zip(step.classes, step.computed(row), strict=True))
    ]
    notes = tuple(f"{line}." for line in share_lines(step.array, step.shares, step.strategies))
    return Table(name, f"Who computes what by {named.name}", columns, entry_rows(columns, rows), notes)


FIGURE: Final = FigureKind("mixed", "The plan, layer by layer", "plan", mixed_figure, of=("mixed",))

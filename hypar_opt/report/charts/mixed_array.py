"""An array of several kinds as a picture: groups level by level in the colour of their kind, unlike halves grey."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.instance.hardware.mixed import ROOT
from hypar_opt.report.charts.mixed_colours import folded, ink_on, kind_colours
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.mixed.array import array_lines, half_kinds, kind_rows, kinds_of, kinds_text
from hypar_opt.report.tables import Column, Table, entry_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.hardware.mixed import MixedArray

UNLIKE: Final = "unlike halves"
GREY: Final = "#DDDDDD"
WIDE: Final = 620
ROW: Final = 24
"""Pixels: of the whole array, and of a level's row."""
LETTER: Final = 6
"""Pixels of a letter in a group's name."""


def array_figure(name: str, array: MixedArray, shares: Mapping[str, Fraction] | None = None) -> Figure:
    """Return the groups of an array, a row for the whole and for what every level leaves.

    Parameters
    ----------
    name
        Of the array or the instance.
    shares
        Of a plan: the width of a group is then its share of whatever every level cuts, and not its accelerators.
    """
    data = list(groups_of(array, shares or {}))
    title = "Kinds on the array" if shares is None else "Shares of the groups"
    widths = "width: accelerators" if shares is None else "width: what a group gets of whatever all levels cut"
    lines = array_lines(name, array)
    head = alt.TitleParams(lines[0], fontSize=12, subtitle=folded(["; ".join(lines[1:]), widths]), anchor="start")
    rows = array.levels + 1
    across = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("row:N", sort=None, axis=alt.Axis(title=None, domain=False, ticks=False), scale=alt.Scale(padding=0.06))
    base = alt.Chart(inline(data)).encode(
        x=alt.X("begin:Q", axis=None, scale=across),
        x2="end:Q",
        y=y,
        tooltip=[
            alt.Tooltip(f"{field}:N", title=said)
            for field, said in {"group": "group", "kinds": "accelerators", "part": "part"}.items()
        ],
    )
    colours = {**kind_colours(array), **({UNLIKE: GREY} if array.splits else {})}
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", columns=4, symbolType="square")
    thin = 0.8 if array.partition.leaves <= 2**6 else 0.3
    groups = (
        base.transform_calculate(said="datum.group + ': ' + datum.kinds + ', ' + datum.part")
        .mark_rect(stroke="white", strokeWidth=thin)
        .encode(color=alt.Color("colour:N", scale=scale, legend=legend), description=alt.Description("said:N"))
    )
    names = alt.Chart(inline([one for one in data if one["text"]])).mark_text(fontSize=10, aria=False)
    texts = names.encode(
        x=alt.X("middle:Q", axis=None, scale=across), y=y, text="text:N", color=alt.Color("ink:N", scale=None)
    )
    chart = alt.layer(groups, texts).properties(width=WIDE, height=ROW * rows, title=head)
    said = f"{'. '.join(lines)}. Groups level by level, those of one kind in its colour, unlike halves grey."
    return figure("kinds" if shares is None else "shares-of-groups", title, said, chart, _table(array, data, title))


def groups_of(array: MixedArray, shares: Mapping[str, Fraction]) -> Iterator[dict[str, Any]]:
    """Yield every group, the whole array first: where it is drawn and what is in it."""
    row: list[tuple[int, Fraction, Fraction, str]] = [(0, Fraction(0), Fraction(1), ROOT)]
    size = array.partition.leaves
    for level in range(array.levels + 1):
        for start, begin, end, split in row:
            yield _group(array, level, (start, size), (begin, end), split)
        below: list[tuple[int, Fraction, Fraction, str]] = []
        if level < array.levels:
            half = size // 2
            for start, begin, end, split in row:
                cut = begin + (end - begin) * shares.get(split, Fraction(1, 2))
                parent = "" if split == ROOT else split
                second = f"{parent}{0 if _alike(array, start, half) else 1}"
                below += [(start, begin, cut, f"{parent}0"), (start + half, cut, end, second)]
            size = half
        row = below


def _alike(array: MixedArray, start: int, half: int) -> bool:
    kinds = [array.partition.accelerator(leaf) for leaf in range(start, start + 2 * half)]
    return kinds[:half] == kinds[half:]


def _group(
    array: MixedArray, level: int, leaves: tuple[int, int], drawn: tuple[Fraction, Fraction], split: str
) -> dict[str, Any]:
    """Return a group of some leaves: the first and how many."""
    counts = kinds_of(array, *leaves)
    is_split = split in array.splits and array.split_levels[array.splits.index(split)] == level
    colour = next(iter(counts)) if len(counts) == 1 else UNLIKE
    pixels = float(drawn[1] - drawn[0]) * WIDE
    address = format(leaves[0] // leaves[1], f"0{level}b") if level else ROOT
    texts = [kinds_text(counts)] if len(counts) == 1 else []
    if is_split:
        place = array.splits.index(split)
        sides = [kinds_text(half_kinds(array, place, side)) for side in range(2)]
        texts = [f"{address}: {sides[0]} | {sides[1]}", f"{address}: {kinds_text(counts)}", *texts, address]
    text = next((one for one in texts if len(one) * LETTER < pixels), "")
    return {
        "row": "all" if not level else f"level {level}",
        "begin": float(drawn[0]), "end": float(drawn[1]), "middle": float(sum(drawn) / 2),
        "colour": colour, "text": text, "ink": ink_on(kind_colours(array).get(colour, GREY)),
        "group": address, "kinds": kinds_text(counts), "part": str(drawn[1] - drawn[0]),
    }  # fmt: skip


def _table(array: MixedArray, data: list[dict[str, Any]], title: str) -> Table:
    """Return what every group has; of large arrays what is said of the kinds."""
    if array.partition.leaves > 2**6:
        rows = kind_rows(array)
        columns = tuple(Column(name, name) for name in rows[0])
        return Table("kinds", title, columns, entry_rows(columns, [tuple(row.values()) for row in rows]))
    columns = (
        Column("row", "halves of"),
        Column("group", "group"),
        Column("kinds", "accelerators"),
        Column("part", "part"),
    )
    cells = [tuple(one[column.key] for column in columns) for one in data]
    return Table("kinds", title, columns, entry_rows(columns, cells))


def _draw(of: tuple[str, MixedArray]) -> Figure:
    return array_figure(*of)


FIGURE: Final = FigureKind("kinds", "Kinds on the array", "kinds", _draw, "array", of=("mixed",))

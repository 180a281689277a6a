"""How long a step of a plan takes by the share of each split, with every class's curve and where curves cross."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.mixed import quadratics
from hypar_opt.report.charts.mixed_boxes import box_steps
from hypar_opt.report.charts.mixed_colours import class_colours
from hypar_opt.report.charts.quantities import ticks
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure, inline
from hypar_opt.report.mixed.array import class_text, half_kinds, kinds_text, share_text
from hypar_opt.report.numbers import in_si
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.solver.mixed.shares_of_plan import roots
from hypar_opt.util.errors import Refusal
from hypar_opt.util.surd import exact_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.mixed import Quadratics
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan

STEPS: Final = 80
"""Pieces of a curve."""
MOST_SPLITS: Final = 4
"""That are drawn; the first ones."""
BESIDE: Final = 2
WIDE, HIGH = 290, 200
"""Panels side by side, and their pixels."""
STEP: Final = "the step"
NEAR: Final = 1e-9
"""Of a maximum, by which what is computed in floats may miss it."""


def mixed_shares_figure(named: NamedMixedPlan) -> Figure:
    """Return of every split the seconds of a step, and of each class's work, over its share, the others as they are.

    Raises
    ------
    Refusal
        If no group has unlike halves, or every layer has shares of its own.
    """
    step = named.step
    splits = step.array.splits[:MOST_SPLITS]
    if not splits:
        raise Refusal("no group has unlike halves, so that there is no share")
    if not set(splits) <= set(step.shares):
        raise Refusal("every layer has shares of its own, so that there is none of all that could be another")
    of = {name: quadratics(step.work, step.strategies, step.shares, step.setting, name) for name in splits}
    panels = [_panel(named, place, name, of[name]) for place, name in enumerate(splits)]
    left_out = len(step.array.splits) - len(splits)
    below = ["words and other shares as they are; diamond: the plan; rings: where another class is waited for"]
    if any(box_steps(named.plan, 0.0)):
        below.append("grey stairs: what no better plan takes less than, by boxes of shares")
    below += [f"{left_out:,} more splits are not drawn"] if left_out else []
    title = alt.TitleParams("Seconds of a step over a share", fontSize=12, subtitle=below, anchor="start")
    chart = alt.concat(*panels, columns=BESIDE, spacing=24, title=title).resolve_scale(color="shared")
    texts = [f"{name}: {share_text(step.shares[name])}, {in_si(step.time, 's')} a step" for name in splits]
    said = f"Curves of a step's seconds over the share of a split, and of each class's work. {'; '.join(texts)}."
    return figure("mixed-shares", "Time over a share", said, chart, _table(named, of))


def step_seconds(of: Quadratics, share: float | Fraction) -> float:
    """Return how long a step takes at a share."""
    return sum(max(float(one.at(exact_number(share))) for one in row) for row in of)


def crossings(of: Quadratics) -> list[float]:
    """Return about at which shares another class is waited for, in order."""
    found: set[float] = set()
    for row in of:
        for one, other in combinations(row, 2):
            apart = (float(a - b) for a, b in zip(one, other, strict=True))
            for share in roots(*apart):
                values = [float(each.at(exact_number(share))) for each in row]
                here = float(one.at(exact_number(share)))
                if here >= max(values) * (1 - NEAR):
                    found.add(round(share, 12))
    return sorted(found)


def _panel(named: NamedMixedPlan, place: int, name: str, of: Quadratics) -> alt.LayerChart | alt.FacetChart:
    step = named.step
    curves = list(_curves(named, of))
    kinks = [{"share": one, "seconds": step_seconds(of, one), "text": f"{one:.4g}"} for one in crossings(of)]
    share = step.shares[name]
    best = [
        {"share": float(share), "seconds": float(step.time), "text": f"{share_text(share)}: {in_si(step.time, 's')}"}
    ]
    colours = {STEP: "#000000", **class_colours(step.array)}
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    legend = alt.Legend(title=None, orient="bottom", direction="horizontal", columns=3, symbolType="stroke")
    who = kinds_text(half_kinds(step.array, place, 0))
    x = alt.X("share:Q", title=f"share of {who}" if len(who) < 44 else "share of the first half",
              scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%", tickCount=5))  # fmt: skip
    y = alt.Y("seconds:Q", title=None, axis=alt.Axis(**ticks("s"), tickCount=5), scale=alt.Scale(zero=True))
    lines = (
        alt.Chart(inline(curves))
        .mark_line(strokeWidth=1.6, aria=False)
        .encode(
            x=x,
            y=y,
            color=alt.Color("who:N", scale=scale, legend=legend),
            strokeWidth=alt.condition(f"datum.who === '{STEP}'", alt.value(2.6), alt.value(1.5)),
            strokeDash=alt.condition(f"datum.who === '{STEP}'", alt.value([1, 0]), alt.value([5, 3])),
        )
    )
    marks = [
        alt.Chart(inline(kinks))
        .mark_point(filled=False, stroke="black", strokeWidth=1.2, size=100, opacity=1)
        .encode(x=x, y=y, tooltip="text:N", description=alt.Description("text:N"))
    ] if kinks else []  # fmt: skip
    stairs = list(box_steps(named.plan, max(one["seconds"] for one in curves)))
    marks += [
        alt.Chart(inline(stairs))
        .mark_rule(color="#888", strokeWidth=3, opacity=0.7)
        .encode(x=x, x2="end:Q", y=y, tooltip="text:N", description=alt.Description("text:N"))
    ] if stairs else []  # fmt: skip
    dot = alt.Chart(inline(best)).encode(x=x, y=y)
    found = dot.mark_point(shape="diamond", filled=True, fill="black", size=60, opacity=1)
    told = found.encode(tooltip="text:N", description=alt.Description("text:N"))
    title = alt.TitleParams(f"split {name}: {best[0]['text']}", fontSize=11, anchor="start", fontWeight="normal")
    wide = WIDE if len(step.array.splits) > 1 else 2 * WIDE
    return alt.layer(lines, told, *marks).properties(width=wide, height=HIGH, title=title)


def _curves(named: NamedMixedPlan, of: Quadratics) -> Iterator[dict[str, Any]]:
    """Yield points of the step's curve and of every class's work."""
    for piece in range(STEPS + 1):
        share = Fraction(piece, STEPS)
        for place, one in enumerate(named.step.classes):
            worked = sum(float(row[place].at(share)) for row in of)
            yield {"share": float(share), "seconds": worked, "who": class_text(one)}
        yield {"share": float(share), "seconds": step_seconds(of, share), "who": STEP}


def _table(named: NamedMixedPlan, of: dict[str, Quadratics]) -> Table:
    """Return the seconds at crossings, at the plan's shares, and at the tenths."""
    step = named.step
    columns = (
        Column("split", "split"),
        Column("share", "share", digits=6),
        Column("what", "what"),
        Column("step_s", STEP, "s", digits=6),
        *(Column(one.name, one.name, "s", digits=6) for one in step.classes),
    )
    rows = []
    for name, each in of.items():
        points = {float(Fraction(tenth, 10)): "" for tenth in range(1, 10)}
        points |= dict.fromkeys(crossings(each), "crossing")
        points[float(step.shares[name])] = "of the plan"
        for share, what in sorted(points.items()):
            works = [
                sum(float(row[place].at(exact_number(share))) for row in each) for place in range(len(step.classes))
            ]
            rows.append((name, share, what, step_seconds(each, share), *works))
    return Table("mixed-shares", "Seconds of a step over shares", columns, entry_rows(columns, rows))


FIGURE: Final = FigureKind("mixed-shares", "Time over a share", "plan", mixed_shares_figure, "shares", of=("mixed",))

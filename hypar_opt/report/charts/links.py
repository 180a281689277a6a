"""The array with the placement, links coloured by load, levels switchable."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.boxes import LEAF_EXACT, by_phase
from hypar_opt.errors import Refusal
from hypar_opt.plan_file import in_full
from hypar_opt.report.array_shown import Shown, show
from hypar_opt.report.array_style import GROUPS, IDLE
from hypar_opt.report.array_style import SWITCH as SWITCH_COLOUR
from hypar_opt.report.charts.fitting import RIGID
from hypar_opt.report.charts.links_data import SWITCH, Links
from hypar_opt.report.charts.links_data import UNUSED as UNUSED_NAME
from hypar_opt.report.charts.plan_marks import BYTES
from hypar_opt.report.charts.theme import figure

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.report.charts.figure import Figure
    from hypar_opt.reporting import Named

MOST_NODES: Final = 256
"""Of a picture that can still be read."""
MOST_LINKS: Final = 2_048
"""Of a page that still opens quickly."""
MANY: Final = 100
"""Links from which all of them get thinner."""
THICK: Final = (7, 3)
"""Pixels of the fullest link where there is room, and where there is not."""
PALE: Final = "#E8E8E8"
"""Of accelerators that no leaf stands on."""
SAID: Final = (
    "half a link: what leaves the node at its end; dashed: nothing",
    "labels: leaves of the partition tree, the root's side first",
)
"""How to read the picture."""


def shown_of(named: Named) -> Shown:
    """Return the array with a plan's traffic on it.

    Parameters
    ----------
    named
        The plan.

    Raises
    ------
    Refusal
        If nobody says where the groups stand, the accounting does not say who sends, or the routes are too many.
    """
    problem, placed = named.problem, named.placed
    instance = problem.instance
    if instance.accounting == LEAF_EXACT:
        raise Refusal(
            "accounting 'leaf-exact' says what a leaf reads, not from whom, so that no link has a load; "
            "expected a plan of another accounting"
        )
    if placed is None and instance.placement is None:
        raise Refusal(f"neither the instance nor {named.name} says where the groups stand; try --placement identity")
    if placed is None:
        raise Refusal(
            f"the routes of {instance.accelerators:,} accelerators are not walked where the objective does not ask for "
            "them; try --objective hop-bytes"
        )
    origin = "of the plan" if named.plan.placement is not None else "of the instance"
    parts = by_phase(problem.work, named.strategies, named.breakdown)
    shown = show(instance.name, instance.machine, placed, origin, parts)
    return replace(shown, accelerator=instance.accelerator, step=named.step)


def links_figure(shown: Shown, name: str = "links") -> Figure:
    """Return the array with the placement and every link's load, over all levels or at one of them.

    Parameters
    ----------
    shown
        The array; without a plan its loads are routes.
    name
        The figure's; letters, digits and hyphens.

    Raises
    ------
    Refusal
        If it has too many nodes or links for a picture.
    """
    import altair as alt

    machine = shown.machine
    for count, most, what in ((len(machine.names), MOST_NODES, "nodes"), (len(machine.links), MOST_LINKS, "links")):
        if count > most:
            raise Refusal(f"a picture of {count:,} {what} cannot be read, at most {most:,} are drawn")
    known = Links(shown)
    left, low, right, high = known.geometry.box
    title = alt.TitleParams(_headline(shown), subtitle=list(SAID), fontSize=12, anchor="start")
    chart = (
        alt.layer(*_halves(known), *_nodes(known))
        .add_params(_levels(shown))
        .properties(name=f"{RIGID}_links", width=round(right - left), height=round(high - low), title=title)
    )
    return figure(name, "The array and its links", alternative(known), chart, known.table(name))


def _headline(shown: Shown) -> str:
    count = len(shown.machine.accelerators)
    return f"{shown.machine.topology}, {count:,} accelerator{'' if count == 1 else 's'}; placement {shown.placement}"


def alternative(known: Links) -> str:
    """Return what the picture shows, in sentences."""
    shown, machine = known.shown, known.shown.machine
    text = (
        f"A graph of {len(machine.accelerators)} accelerators and {len(machine.switches)} switches with "
        f"{len(machine.links)} links ({machine.topology}), every accelerator labelled with its leaf."
    )
    if not shown.measured.loads:
        return f"{text} No link carries anything."
    hop, load = max(sorted(shown.measured.loads.items()), key=lambda one: one[1])
    what = "bytes" if shown.traffic is not None else "routes"
    return f"{text} The fullest link, {shown.hop(hop)}, carries {in_full(load)} {what} of all levels together."


def _levels(shown: Shown) -> alt.Parameter:
    import altair as alt

    labels = ["all levels"] + [
        f"level {h + 1}: {2**h:,} group{'' if h == 0 else 's'} halved" for h in range(shown.levels)
    ]
    options: list[Any] = list(range(len(labels)))
    return alt.param(name="level", value=0, bind=alt.binding_select(options=options, labels=labels, name="traffic of "))


def _halves(known: Links) -> tuple[alt.Chart, alt.Chart]:
    """Idle halves dashed and pale, the others the thicker and darker the more they carry."""
    import altair as alt

    what, machine = "bytes" if known.shown.traffic is not None else "routes", known.shown.machine
    digits = "format(datum.b[level], ',d')" if known.exact else "datum.B[level]"
    said = {"k": "link", "v": what}
    texts = {"k": "datum.s + ' → ' + datum.t", "b0": "datum.b[level]", "v": digits}
    spoken = f"datum.k + ': ' + datum.v + ' {what}'"
    if known.timed:
        seconds = "replace(format(datum.b[level] / datum.r, '.4~s'), /([a-zµ]?)$/, ' $1s')"
        texts["m"] = f"datum.b[level] ? 'about ' + {seconds} : '0'"
        said["m"] = "time"
        spoken += " + ', ' + datum.m"
    base = (
        alt.Chart(alt.InlineData(known.strokes()))
        .transform_calculate(**texts)
        .transform_calculate(d=spoken)
        .encode(
            x=_across("x", known), y=_up("y", known), x2="X", y2="Y", description="d:N",
            tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
        )
    )  # fmt: skip
    idle = base.transform_filter("datum.b0 === 0").mark_rule(
        color=IDLE, strokeDash=[3, 3], strokeWidth=min(1.2, MANY / max(1, len(machine.links)))
    )
    thick = THICK[0] if known.geometry.inside and len(machine.links) <= MANY else THICK[1]
    scheme = alt.SchemeParams(name="viridis", extent=[0.88, 0.0])
    most = alt.ExprRef(f"{[known.most(level) for level in range(known.shown.levels + 1)]}[level]")
    legend = alt.Legend(
        title=what,
        labelExpr=BYTES if what == "bytes" else "datum.label",
        symbolType="stroke",
        symbolSize=500,
        tickMinStep=1,
    )
    width = alt.Scale(range=[1.2, thick], domainMin=0, domainMax=most)
    busy = (
        base.transform_filter("datum.b0 > 0")
        .mark_rule(strokeCap="butt")
        .encode(
            color=alt.Color("b0:Q", scale=alt.Scale(scheme=scheme, domainMin=0, domainMax=most), legend=legend),
            strokeWidth=alt.StrokeWidth("b0:Q", scale=width, legend=legend),
        )
    )
    return idle, busy


def _across(field: str, known: Links) -> alt.X:
    """Return the axis of pixels from left to right."""
    import altair as alt

    left, _, right, _ = known.geometry.box
    return alt.X(f"{field}:Q", axis=None, scale=alt.Scale(domain=[left, right], nice=False, zero=False))


def _up(field: str, known: Links) -> alt.Y:
    """Return the axis of pixels from below."""
    import altair as alt

    _, low, _, high = known.geometry.box
    return alt.Y(f"{field}:Q", axis=None, scale=alt.Scale(domain=[low, high], nice=False, zero=False))


def _nodes(known: Links) -> list[alt.Chart]:
    """Accelerators coloured by their group and labelled with their leaf, switches grey and square."""
    import altair as alt

    groups = known.groups()
    kinds = [*groups, UNUSED_NAME, SWITCH]
    data = known.nodes()
    there = [kind for kind in kinds if any(datum["g"] == kind for datum in data)]
    colours = dict(zip(kinds, [*GROUPS[: len(groups)], PALE, SWITCH_COLOUR], strict=True))
    shapes = {kind: "square" if kind == SWITCH else "diamond" if kind == UNUSED_NAME else "circle" for kind in kinds}
    legend = alt.Legend(title="nodes", symbolStrokeColor="black", symbolStrokeWidth=0.7, symbolSize=110)
    said = {"n": "node", "g": "which is", "w": "leaf"}
    base = alt.Chart(alt.InlineData(data)).encode(
        x=_across("x", known),
        y=_up("y", known),
        tooltip=[alt.Tooltip(f"{key}:N", title=title) for key, title in said.items()],
    )
    size = known.geometry.dot**2
    dots = (
        base.transform_calculate(d="datum.n + ', ' + datum.g + (datum.w ? ', leaf ' + datum.w : '')")
        .mark_point(strokeWidth=0.7, opacity=1)
        .encode(
            fill=alt.Fill("g:N", scale=alt.Scale(domain=there, range=[colours[one] for one in there]), legend=legend),
            shape=alt.Shape("g:N", scale=alt.Scale(domain=there, range=[shapes[one] for one in there]), legend=legend),
            size=alt.condition(f"datum.g === '{SWITCH}'", alt.value(0.4 * size), alt.value(size)),
            stroke=alt.value("black"),
            description="d:N",
        )
    )
    if known.geometry.inside:
        return [dots, base.mark_text(font="DejaVu Sans Mono, monospace", fontSize=10, aria=False).encode(text="w:N")]
    return [dots, *(_outside(base, known, ends=ends) for ends in (False, True))]


def _outside(base: alt.Chart, known: Links, *, ends: bool) -> alt.Chart:
    """Return the labels that begin at their nodes, or those that end there."""
    import altair as alt

    font = "DejaVu Sans Mono, monospace"
    text: alt.Chart = base.transform_filter(f"datum.e === {'true' if ends else 'false'}")
    marks: alt.Chart = text.mark_text(font=font, fontSize=9, align="right" if ends else "left", aria=False)
    return marks.encode(x=_across("X", known), y=_up("Y", known), text="w:N", angle=alt.Angle("a:Q", scale=None))

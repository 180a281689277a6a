"""The array with the placement, links coloured by load, levels switchable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.errors import Refusal
from hypar_opt.plan_file import in_full
from hypar_opt.report.charts.fitting import RIGID
from hypar_opt.report.charts.links_data import Links
from hypar_opt.report.charts.links_halves import STROKES, halves
from hypar_opt.report.charts.links_nodes import NODES, nodes
from hypar_opt.report.charts.theme import figure
from hypar_opt.report.numbers import in_si

if TYPE_CHECKING:
    import altair as alt

    from hypar_opt.report.arrays.shown import Shown
    from hypar_opt.report.charts.figure import Figure

MOST_NODES: Final = 256
"""Of a picture that can still be read."""
MOST_LINKS: Final = 2_048
"""Of a page that still opens quickly."""
SAID: Final = (
    "half a link: what leaves the node at its end; dashed: nothing",
    "labels: leaves of the partition tree, the root's side first",
)
"""How to read the picture."""


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
    data = {STROKES: known.strokes(), NODES: known.nodes()}
    left, low, right, high = known.geometry.box
    title = alt.TitleParams(_headline(shown), subtitle=[*SAID, _shade(known)], fontSize=12, anchor="start")
    chart = alt.layer(*halves(known), *nodes(known), params=[_levels(shown)]).properties(
        name=f"{RIGID}_links", width=round(right - left), height=round(high - low), title=title
    )
    return figure(name, "The array and its links", alternative(known), chart, known.table(name), datasets=data)


def _shade(known: Links) -> str:
    """Return what makes a link wide and dark."""
    what = "the time that a link takes, bytes / bandwidth" if known.shown.by_time else known.unit
    return f"colour and width: {what}"


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
    hop, load = max(sorted(shown.measured.loads.items()), key=lambda one: shown.busy(*one))
    carried = f"carries {in_full(load)} {known.unit} of all levels together"
    if not shown.by_time:
        return f"{text} The fullest link, {shown.hop(hop)}, {carried}."
    return f"{text} The busiest link, {shown.hop(hop)}, takes {in_si(float(shown.busy(hop, load)), 's')} and {carried}."


def _levels(shown: Shown) -> alt.VariableParameter:
    import altair as alt

    labels = ["all levels"] + [
        f"level {h + 1}: {2**h:,} group{'' if h == 0 else 's'} halved" for h in range(shown.levels)
    ]
    options: list[Any] = list(range(len(labels)))
    bind = alt.binding_select(options=options, labels=labels, name="traffic of ")
    return alt.VariableParameter(name="level", value=0, bind=bind)

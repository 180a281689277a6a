"""The array with the placement, links coloured by load, levels switchable."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import altair as alt

from hypar_opt.evaluation.communication import by_phase
from hypar_opt.instance.accountings import LEVELLED
from hypar_opt.report.arrays.shown import PlacedArray, show
from hypar_opt.report.charts.links_data import LinkLoads
from hypar_opt.report.charts.links_halves import NODES, STROKES, halves, nodes
from hypar_opt.report.charts.registry import FigureKind
from hypar_opt.report.charts.theme import Figure, figure
from hypar_opt.report.charts.width import RIGID
from hypar_opt.report.numbers import in_si
from hypar_opt.util.errors import Refusal
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.report.content import NamedPlan


MOST_NODES: Final = 256
"""Of a picture that can still be read."""
MOST_LINKS: Final = 2_048
"""Of a page that still opens quickly."""
LINE, CHARACTER = 70, 7
"""Letters of a title's line at the least, and pixels of one."""
TIME_OF_A_LINK: Final = "the time that a link takes, bytes / bandwidth"
SAID: Final = (
    "half a link: what leaves the node at its end; dashed: nothing",
    "labels: leaves of the partition tree, the root's side first",
)
"""How to read the picture."""


def links_figure(shown: PlacedArray, name: str = "links", lines: Sequence[str] = ()) -> Figure:
    """Return the array with the placement and every link's load, over all levels or at one of them.

    Parameters
    ----------
    shown
        The array; without a plan its loads are routes.
    name
        The figure's; letters, digits and hyphens.
    lines
        What stands above a picture of its own, which no page has to open; without them what the array is.

    Raises
    ------
    Refusal
        If it has too many nodes or links for a picture.
    """
    _refuse_large(shown.machine, alone=bool(lines))
    known = LinkLoads(shown)
    data = {STROKES: known.strokes(), NODES: known.nodes()}
    left, low, right, high = known.geometry.box
    width = round(right - left)
    above = [part for line in lines for part in textwrap.wrap(line, max(LINE, width // CHARACTER))] or _headline(shown)
    switched = shown.is_timed and not lines
    busy = TIME_OF_A_LINK if shown.by_time else known.unit
    busy = f"{TIME_OF_A_LINK}; or bytes" if switched else busy
    below = [*SAID, f"colour and width: {busy}", *filter(None, [shown.speeds])]
    title = alt.TitleParams(above, subtitle=below, fontSize=12, anchor="start")
    params = [_levels(shown), *([_links_by(shown, switched=switched)] if shown.is_timed else [])]
    chart = alt.layer(*halves(known, switched=switched), *nodes(known), params=params).properties(
        name=f"{RIGID}_links", width=width, height=round(high - low), title=title
    )
    return figure(name, "The array and its links", alternative(known), chart, known.table(name), datasets=data)


def _refuse_large(machine: Machine, *, alone: bool) -> None:
    """Raise `Refusal` for an array with too many nodes for a picture, or too many links for a page."""
    limits = ((len(machine.names), MOST_NODES, "nodes"), (0 if alone else len(machine.links), MOST_LINKS, "links"))
    for count, most, what in limits:
        if count > most:
            instead = "; without a picture the array is shown as text, and as JSON in full" if alone else ""
            raise Refusal(f"a picture of {count:,} {what} cannot be read, at most {most:,} are drawn{instead}")


def _headline(shown: PlacedArray) -> str:
    count = len(shown.machine.accelerators)
    return f"{shown.machine.topology}, {count:,} accelerator{'' if count == 1 else 's'}; placement {shown.placement}"


def alternative(known: LinkLoads) -> str:
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


def _levels(shown: PlacedArray) -> alt.VariableParameter:
    labels = ["all levels"] + [
        f"{axis.name}: {shown.partition.groups(h):,} group{'' if h == 0 else 's'} halved"
        for h, axis in enumerate(shown.partition.axes)
    ]
    options: list[Any] = list(range(len(labels)))
    bind = alt.binding_select(options=options, labels=labels, name="traffic of ")
    return alt.VariableParameter(name="level", value=0, bind=bind)


def _links_by(shown: PlacedArray, *, switched: bool) -> alt.VariableParameter:
    """Return what links are coloured by: switched on a page, and fixed in a picture."""
    if not switched:
        return alt.VariableParameter(name="links", value=shown.links_by)
    bind = alt.binding_radio(options=["time", "bytes"], name="links by ")
    return alt.VariableParameter(name="links", value=shown.links_by, bind=bind)


def shown_of(named: NamedPlan) -> PlacedArray:
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
    if instance.accounting not in LEVELLED:
        raise Refusal(
            f"accounting '{instance.accounting}' does not say who sends at which level, so that no link has a load; "
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
    shown = shown.exchanging(problem.measured(named.breakdown, placed))
    return replace(shown, accelerator=instance.accelerator, step=named.step)


FIGURE: Final = FigureKind("links", "The array and its links", "array", links_figure, "array")

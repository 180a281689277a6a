"""What an instance's page shows beside its plans: differences, links, costs, front, surface, scaling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hypar_opt.report.pages.front_points import FrontPoints, front_points
from hypar_opt.report.pages.overview import BASE
from hypar_opt.reporting.sections import EXPLORATION, FRONT, SCALING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.pages.content import Beside, Shown
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.reporting import Subject

DRAWN: Final = 1
"""Plans whose links are drawn: the first, and with them the one that the others are compared with."""


@dataclass(frozen=True)
class Part:
    """A section of a page.

    Parameters
    ----------
    id, title
        Of its heading.
    shown
        Its figures.
    lead
        A sentence below the heading.
    missing
        Why there is nothing, where there is nothing.
    faults
        Of figures that failed.
    label, choices
        A list from which one of the figures is chosen: its label, and by figure what it is called.
    front
        The plans of a front's points.
    """

    id: str
    title: str
    shown: tuple[Shown, ...] = ()
    lead: str = ""
    missing: str = ""
    faults: tuple[str, ...] = ()
    label: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    front: FrontPoints | None = None


def parts(subject: Subject, plans: Sequence[Alike], beside: Beside) -> tuple[Part, ...]:
    """Return the sections of a page, those that say why there is nothing among them."""
    made = (_pairs, _links, _costs, _front, _exploration, _scaling)
    return tuple(part(subject, plans, beside) for part in made)


def _pairs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.plan_pair import pair_figure

    here = Part("pairs", "Two plans side by side")
    if len(plans) < 2:
        return replace(here, missing="all plans are the same" if plans else "there is no plan")
    return _drawn(here, subject, beside, [lambda: pair_figure([one.named for one in plans])])


def _links(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.links import links_figure
    from hypar_opt.report.charts.links_shown import shown_of

    here = Part("array", "The array and its links", label="Plan")
    placed = [one for one in _telling(plans) if one.named.placed is not None]
    if not placed:
        return replace(here, missing="no plan stands anywhere on the array")
    lead = "" if len(plans) == len(placed) else _left_out(placed, len(plans))
    draw = [partial(lambda one: links_figure(shown_of(one.named), f"links-{one.slug}"), one) for one in placed]
    part = _drawn(replace(here, lead=lead), subject, beside, draw)
    names = {f"links-{one.slug}": one.names for one in placed}
    several = len(part.shown) > 1
    return replace(part, choices=tuple((shown.id, names[shown.id]) for shown in part.shown) if several else ())


def _left_out(drawn: Sequence[Alike], count: int) -> str:
    """Return which plans' links are drawn, of how many, and why no others'."""
    best, *base = (f"{one.names}" for one in drawn)
    compared = f", and of what it is compared with, {base[0]}" if base else ""
    return f"Of {count} different plans these are the links of the best, {best}{compared}; all would make a large page."


def _telling(plans: Sequence[Alike]) -> list[Alike]:
    """Return the plans whose links are drawn."""
    base = [one for one in plans[DRAWN:] if any(named.name == BASE for named in one.all)]
    return [*plans[:DRAWN], *base]


def _costs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.costs import costs_figure
    from hypar_opt.report.charts.stages import stages_figure

    here = Part("costs", "Time and energy")
    if not plans:
        return replace(here, missing="there is no plan")
    best = plans[0].named
    draw = [lambda: costs_figure([one.named for one in plans])]
    if best.step is not None:
        draw.append(lambda: stages_figure(best))
    return _drawn(here, subject, beside, draw)


def _front(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.front import front_figure

    front, here = subject.front, Part("front", "Pareto front")
    if front is None or not front.points:
        return replace(here, missing=subject.missing.get(FRONT, "no plan is feasible"))
    proven = "complete: for every plan there is, one of these is as good in both" if front.complete else "not complete"
    note = f"; {front.note}" if front.note else ""
    lead = (
        f"{len(front.points):,} plans by {front.formulation}, {proven} ({front.native_status}{note}). Click a point, "
        "or choose one below, and its plan is shown."
    )
    with_plans = replace(here, lead=lead, front=front_points(front))
    part = _drawn(with_plans, subject, beside, [lambda: front_figure(front)])
    return part if part.shown else replace(part, lead="", front=None)


def _exploration(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.surface import surface_figure

    found, here = subject.exploration, Part("exploration", "A corner of the search space")
    if found is None:
        return replace(here, missing=subject.missing.get(EXPLORATION, "it was not explored"))
    return _drawn(here, subject, beside, [lambda: surface_figure(found)])


def _scaling(subject: Subject, _: Sequence[Alike], beside: Beside) -> Part:
    from hypar_opt.report.charts.scaling import scaling_figure

    here = Part("scaling", "Arrays of other sizes")
    if not subject.scaling:
        return replace(here, missing=subject.missing.get(SCALING, "no other size was tried"))
    return _drawn(here, subject, beside, [lambda: scaling_figure(subject.scaling)])


def _drawn(here: Part, subject: Subject, beside: Beside, draw: Sequence[Callable[[], Figure]]) -> Part:
    """Return a section with its figures, and why others are not there."""
    drawn = [beside.drawn(one, subject.slug, here.title) for one in draw]
    return replace(
        here,
        shown=tuple(one.shown for one in drawn if one.shown is not None),
        missing=next((one.missing for one in drawn if one.missing), ""),
        faults=tuple(one.fault for one in drawn if one.fault),
    )

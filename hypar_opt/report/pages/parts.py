"""What an instance's page shows beside its plans: differences, links, costs, front, surface, scaling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import drawings, figures
from hypar_opt.report.content.sections import EXPLORATION, FRONT, SCALING
from hypar_opt.report.pages.overview import BASE
from hypar_opt.report.pages.plans import FrontPoints, front_points

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.charts.registry import Need
    from hypar_opt.report.content import Subject
    from hypar_opt.report.pages.content import Beside, PageFigure
    from hypar_opt.report.pages.plans import Alike

DRAWN: Final = 1
"""Plans whose links are drawn: the first, and with them the one that the others are compared with."""


@dataclass(frozen=True)
class PageSection:
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
    shown: tuple[PageFigure, ...] = ()
    lead: str = ""
    missing: str = ""
    faults: tuple[str, ...] = ()
    label: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    front: FrontPoints | None = None


def parts(subject: Subject, plans: Sequence[Alike], beside: Beside) -> tuple[PageSection, ...]:
    """Return the sections of a page, those that say why there is nothing among them."""
    made = [part(subject, plans, beside) for part in (_pairs, _links, _costs, _front, _exploration, _scaling)]
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and kind.section not in taken:
            taken.add(kind.section)
            made.append(_drawn(PageSection(kind.section, kind.title), subject, beside, _known(subject, plans)))
    return tuple(made)


def _known(subject: Subject, plans: Sequence[Alike]) -> dict[Need, Any]:
    """Return what figures of an instance's page are drawn of."""
    found: dict[Need, Any] = {"subject": subject, "plans": [one.named for one in plans], "front": subject.front}
    found |= {"exploration": subject.exploration, "points": subject.scaling, "cells": subject.cells}
    return found | ({"plan": plans[0].named} if plans else {})


def _pairs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    here = PageSection("pairs", "Two plans side by side")
    if len(plans) < 2:
        return replace(here, missing="all plans are the same" if plans else "there is no plan")
    return _drawn(here, subject, beside, _known(subject, plans))


def _links(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    from hypar_opt.report.charts.links import links_figure, shown_of

    here = PageSection("array", "The array and its links", label="Plan")
    placed = [one for one in _telling(plans) if one.named.placed is not None]
    if not placed:
        return replace(here, missing="no plan stands anywhere on the array")
    lead = "" if len(plans) == len(placed) else _left_out(placed, len(plans))
    draw = [partial(lambda one: links_figure(shown_of(one.named), f"links-{one.slug}"), one) for one in placed]
    part = _filled(replace(here, lead=lead), subject, beside, draw)
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


def _costs(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    here = PageSection("costs", "Time and energy")
    return _drawn(here, subject, beside, _known(subject, plans)) if plans else replace(here, missing="there is no plan")


def _front(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    front, here = subject.front, PageSection("front", "Pareto front")
    if front is None or not front.points:
        return replace(here, missing=subject.missing.get(FRONT, "no plan is feasible"))
    proven = "complete: for every plan there is, one of these is as good in both" if front.complete else "not complete"
    note = f"; {front.note}" if front.note else ""
    lead = (
        f"{len(front.points):,} plans by {front.formulation}, {proven} ({front.native_status}{note}). Click a point, "
        "or choose one below, and its plan is shown."
    )
    with_plans = replace(here, lead=lead, front=front_points(front))
    part = _drawn(with_plans, subject, beside, _known(subject, plans))
    return part if part.shown else replace(part, lead="", front=None)


def _exploration(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    here = PageSection("exploration", "A corner of the search space")
    if subject.exploration is None:
        return replace(here, missing=subject.missing.get(EXPLORATION, "it was not explored"))
    return _drawn(here, subject, beside, _known(subject, plans))


def _scaling(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    here = PageSection("scaling", "Arrays of other sizes")
    if not subject.scaling:
        return replace(here, missing=subject.missing.get(SCALING, "no other size was tried"))
    return _drawn(here, subject, beside, _known(subject, plans))


def _drawn(here: PageSection, subject: Subject, beside: Beside, known: Mapping[Need, Any]) -> PageSection:
    """Return a section with all its figures."""
    return _filled(here, subject, beside, list(drawings(known, here.id).values()))


def _filled(here: PageSection, subject: Subject, beside: Beside, draw: Sequence[Callable[[], Figure]]) -> PageSection:
    """Return a section with figures, and why others are not there."""
    drawn = [beside.drawn(one, subject.slug, here.title) for one in draw]
    return replace(
        here,
        shown=tuple(one.shown for one in drawn if one.shown is not None),
        missing=next((one.missing for one in drawn if one.missing), ""),
        faults=tuple(one.fault for one in drawn if one.fault),
    )

"""What an instance's page shows beside its plans: differences, links, costs, regrets, front, surface, scaling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.content.baseline import BesideBaseline
from hypar_opt.report.content.content import BASELINE, EXPLORATION, FRONT, REGRETS, SCALING
from hypar_opt.report.pages.beside import Beside, PageFigure
from hypar_opt.report.pages.plans import Alike, Fold, FrontPoints, front_points, point_paths
from hypar_opt.report.pareto import proven_of
from hypar_opt.report.reasons import numbers_lines, remarks, sentence
from hypar_opt.studies.baseline import BASE
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.content import Subject
    from hypar_opt.report.tables import Table


DRAWN: Final = 1
"""Plans whose links are drawn: the first, and with them the one that the others are compared with."""


NO_PLAN: Final = "there is no plan"
"""Why there is nothing to show of one."""


@dataclass(frozen=True)
class PageTable:
    """A table of a page's own.

    Parameters
    ----------
    table
        What it says.
    id
        Its place on the page.
    csv
        The file that has its numbers.
    """

    table: Table
    id: str
    csv: str


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
    tables
        Its tables, with their numbers as CSV.
    sentences
        That stand below, one a line.
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
    tables: tuple[PageTable, ...] = ()
    sentences: tuple[str, ...] = ()


def parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page, those that say why there is nothing among them.

    Parameters
    ----------
    asked
        What names the instance on a command line in the report's folder.
    """
    first = plans[0].named if plans else None
    different = [one.named for one in plans]
    base = subject.baseline
    several = different if base is None or any(one is base for one in subject.plans) else [*different, base]
    known: dict[Need, Any] = {"subject": subject, "plans": several, "front": subject.front}
    known |= {"exploration": subject.exploration, "points": subject.scaling, "cells": subject.cells}
    known |= {"regrets": subject.regrets}
    if base is not None and plans:
        known["baseline"] = BesideBaseline(base, tuple(different))
    known |= {} if first is None else {"plan": first}

    def drawn(here: PageSection) -> PageSection:
        """Return a section with all its figures."""
        return filled(here, subject, beside, list(drawings(known, here.id).values()))

    def drawn_if(there_is: object, here: PageSection, why_not: str) -> PageSection:
        return drawn(here) if there_is else replace(here, missing=why_not)

    none, why_not = NO_PLAN, subject.missing.get
    network = PageSection("network", "The network")
    pairs = PageSection("pairs", "Two plans side by side")
    baseline, regrets = PageSection(BASELINE, "Beside data parallelism"), PageSection(REGRETS, "Regrets of the layers")
    exploration = PageSection("exploration", "A corner of the search space")
    scaling = PageSection("scaling", "Arrays of other sizes")
    made = [
        drawn_if(plans, network, none),
        drawn_if(len(several) > 1, pairs, "all plans are the same" if plans else none),
        drawn_if(plans and base is not None, baseline, why_not(BASELINE, none)),
        _links(subject, plans, beside),
        drawn_if(plans, PageSection("costs", "Time and energy"), none),
        drawn_if(subject.regrets is not None, regrets, why_not(REGRETS, none)),
        _reasons(subject),
        front_section(subject, drawn, asked),
        drawn_if(subject.exploration is not None, exploration, why_not(EXPLORATION, "it was not explored")),
        drawn_if(subject.scaling, scaling, why_not(SCALING, "no other size was tried")),
    ]
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and subject.problem.kind in kind.of and kind.section not in taken:
            taken.add(kind.section)
            made.append(drawn(PageSection(kind.section, kind.title)))
    return tuple(made)


def _reasons(subject: Subject) -> PageSection:
    """Return why each layer of the best plan is as it is, in sentences."""
    here = PageSection("reasons", "Why each layer is as it is")
    if not subject.reasons:
        return replace(here, missing=NO_PLAN if not subject.plans else subject.missing.get(REGRETS, "stopped"))
    problem = subject.problem
    lead = f"Of the first plan: {'; '.join(numbers_lines(problem))}."
    lines = (*(sentence(problem, one) for one in subject.reasons), *remarks(problem, subject.reasons))
    return replace(here, lead=lead, sentences=tuple(lines))


def _links(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    from hypar_opt.report.charts.links import links_figure, shown_of

    here = PageSection("array", "The array and its links", label="Plan")
    base = [one for one in plans[DRAWN:] if any(named.name == BASE for named in one.all)]
    placed = [one for one in (*plans[:DRAWN], *base) if one.named.placed is not None]
    if not placed:
        return replace(here, missing="no plan stands anywhere on the array" if plans else NO_PLAN)
    lead = "" if len(plans) == len(placed) else _left_out(placed, len(plans))
    draw = [partial(lambda one: links_figure(shown_of(one.named), f"links-{one.slug}"), one) for one in placed]
    part = filled(replace(here, lead=lead), subject, beside, draw)
    names = {f"links-{one.slug}": one.names for one in placed}
    several = len(part.shown) > 1
    return replace(part, choices=tuple((shown.id, names[shown.id]) for shown in part.shown) if several else ())


def _left_out(drawn: Sequence[Alike], count: int) -> str:
    """Return which plans' links are drawn, of how many, and why no others'."""
    best, *base = (f"{one.names}" for one in drawn)
    compared = f", and of what it is compared with, {base[0]}" if base else ""
    return f"Of {count} different plans these are the links of the best, {best}{compared}; all would make a large page."


def runs(subject: Subject, beside: Beside) -> Iterator[PageSection]:
    """Yield the section of how the runs went that found the plans, of whatever kind; none where that is not known."""
    draw = list(drawings({"runs": subject.plans}, "", subject.kind).values())
    if draw:
        lead = "Plans and bounds are what each search told on its way; the last ones are what it ended with."
        yield filled(PageSection("runs", "How plans and bounds moved", lead=lead), subject, beside, draw)


def with_tables(here: PageSection, subject: Subject, beside: Beside, tables: Sequence[Table]) -> PageSection:
    """Return a section with tables, which can be sorted."""
    made = [PageTable(one, f"table-{one.name}", beside.table(one, f"data/{subject.slug}")) for one in tables]
    return replace(here, tables=(*here.tables, *made))


def front_section(
    subject: Subject, drawn: Callable[[PageSection], PageSection], asked: str, folded: Fold | None = None
) -> PageSection:
    """Return the section of the front: its points, and what each of their plans is."""
    front, here = subject.front, PageSection("front", "Pareto front")
    if front is None or not front.points:
        return replace(here, missing=subject.missing.get(FRONT, "no plan is feasible"))
    proven = f"not complete; proven: {proven_of(front)}"
    if front.complete:
        proven = "complete: for every plan there is, one of these is as good in both"
    note = f"; {front.note}" if front.note else ""
    lead = (
        f"{counted(len(front.points), 'plan')} by {front.formulation}, {proven} ({front.native_status}{note}). "
        "Click a point, or choose one below, and its plan is shown."
    )
    part = drawn(replace(here, lead=lead, front=front_points(front, point_paths(subject), asked, folded)))
    return part if part.shown else replace(part, lead="", front=None)


def filled(here: PageSection, subject: Subject, beside: Beside, draw: Sequence[Callable[[], Figure]]) -> PageSection:
    """Return a section with figures, and why others are not there."""
    drawn = [beside.drawn(one, subject.slug, here.title) for one in draw]
    return replace(
        here,
        shown=tuple(one.shown for one in drawn if one.shown is not None),
        missing=next((one.missing for one in drawn if one.missing), ""),
        faults=tuple(one.fault for one in drawn if one.fault),
    )

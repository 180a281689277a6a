"""The page of a collective: its first lines, and its sections behind the schedules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.collective.bounds import bounds_of, bounds_table
from hypar_opt.report.collective.plan import about
from hypar_opt.report.collective.tables import steps_table
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, with_tables
from hypar_opt.studies.collectives import times_of_plans
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.collective_plan import NamedCollectivePlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike

KIND: Final = "collective"
SMALLEST: Final = 10
LARGEST: Final = 30
"""Powers of two, of the bytes over which times are drawn."""
MOST_SIZED: Final = 64
"""Accelerators, of arrays of which they are."""
TITLES: Final = {"ways": "Ways of chunks", "links": "Loads of links"}
"""By section that is drawn of the first plan, its heading."""


def collective_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the collective asks for and of what, label by label."""
    one = subject.instance
    machine = one.machine
    least = f"rounds of {counted(one.steps, 'step')}" if one.steps is not None else one.goal
    parts = [counted(len(machine.accelerators), "accelerator"), counted(len(machine.links), "link")]
    parts += [counted(len(machine.switches), "switch")] if machine.switches else []
    found = [
        ("Collective", about(one)),
        ("Array", f"{machine.topology}, {', '.join(parts)}"),
        ("Asked for", f"least {least}"),
        ("Hash", one.sha256),
    ]
    return [(label, text) for label, text in found if text]


def collective_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page.

    Parameters
    ----------
    asked
        What names the instance on a command line; no section has commands.
    """
    known: dict[Need, Any] = {"subject": subject, "cells": subject.cells}
    best: NamedCollectivePlan | None = plans[0].named if plans else None
    if best is not None:
        known |= {"plan": best, "plans": [one.named for one in plans]}

    def drawn(here: PageSection) -> PageSection:
        return filled(here, subject, beside, list(drawings(known, here.id, KIND).values()))

    several = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
    bounds = bounds_of(subject.instance) if best is None else best.bounds
    proven = PageSection("bounds", "Bounds", lead="No schedule at all is below these.")
    made = [with_tables(proven, subject, beside, [bounds_table(subject.instance, bounds)])]
    if best is None:
        made += [PageSection(id, title, missing=NO_PLAN) for id, title in TITLES.items()]
    else:
        if best.judged.steps is not None:
            steps = PageSection("steps", "Steps", lead=several)
            made.append(with_tables(steps, subject, beside, [steps_table(best.judged)]))
        made += [drawn(PageSection(id, title, lead=several)) for id, title in TITLES.items()]
        made.append(_sizes(subject, beside))
    return (*made, *_others(made, drawn, KIND))


def _sizes(subject: Subject, beside: Beside) -> PageSection:
    """Return what every schedule takes over the bytes, in lockstep."""
    from hypar_opt.report.charts.message_sizes import message_sizes_figure

    one, here = subject.instance, PageSection("sizes", "Time over message size")
    again = "hypar-opt compare INSTANCE --bytes 1KiB-1GiB"
    if not one.is_timed:
        return replace(here, missing="the array does not say what its links can carry in a second")
    if one.goal == "time":
        return replace(here, missing=f"of each size another schedule is best; {again} solves them")
    if len(one.machine.accelerators) > MOST_SIZED:
        return replace(here, missing=f"of more than {MOST_SIZED} accelerators that takes long; {again} has it")
    least = (len(one.chunks) - 1).bit_length()
    sizes = [2**power for power in range(max(SMALLEST, least), max(LARGEST, least) + 1)]
    plans = {named.name: named.plan for named in subject.plans}
    lead = "What the schedules above take in lockstep, on logarithmic axes, and what none is below."
    return filled(
        replace(here, lead=lead), subject, beside, [lambda: message_sizes_figure(times_of_plans(one, sizes, plans))]
    )


def _others(made: Sequence[PageSection], drawn: Callable[[PageSection], PageSection], of: str) -> Iterator[PageSection]:
    """Yield sections of figures that others have installed."""
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and of in kind.of and kind.section not in taken:
            taken.add(kind.section)
            yield drawn(PageSection(kind.section, kind.title))

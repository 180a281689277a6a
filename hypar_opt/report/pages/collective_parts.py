"""The page of a collective: its first lines, and its sections behind the schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.collective.bounds import bounds_of, bounds_table
from hypar_opt.report.collective.plan import about
from hypar_opt.report.collective.tables import steps_table
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, with_tables
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.collective_plan import NamedCollectivePlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike

KIND: Final = "collective"
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
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and KIND in kind.of and kind.section not in taken:
            taken.add(kind.section)
            made.append(drawn(PageSection(kind.section, kind.title)))
    return tuple(made)

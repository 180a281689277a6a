"""The page of an instance with accelerators of several kinds: its first lines, and its sections behind the plans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.content.content import BASELINE
from hypar_opt.report.mixed.array import kind_rows, kinds_of, kinds_text, level_rows, shares_at, split_rows
from hypar_opt.report.mixed.asked import shares_text
from hypar_opt.report.mixed.plan_tables import classes_table
from hypar_opt.report.numbers import in_objective, in_si, percent
from hypar_opt.report.pages.overview import facts
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, with_tables
from hypar_opt.report.tables import Column, Entry, Table, entry_rows
from hypar_opt.util.surd import fraction_near

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.mixed_plan import NamedMixedPlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike

KIND: Final = "mixed"
TITLES: Final = {"time": "Who waits for whom", "shares": "Time over the shares", BASELINE: "Beside data parallelism"}
"""By section of the plans, its heading."""


def mixed_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    one, array = subject.instance, subject.problem.array
    own = [
        ("Kinds", kinds_text(kinds_of(array))),
        ("Unlike halves", ", ".join(array.splits)),
        ("Shares", shares_text(one)),
        ("Barrier", f"{one.barrier.name}: {one.barrier.summary}"),
    ]
    found = facts(subject)
    place = next((at for at, (label, _) in enumerate(found, start=1) if label == "Array"), len(found))
    return [*found[:place], *((label, text) for label, text in own if text), *found[place:]]


def mixed_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page.

    Parameters
    ----------
    asked
        What names the instance on a command line; there is no front whose points have commands.
    """
    array = subject.problem.array
    known: dict[Need, Any] = {"subject": subject, "cells": subject.cells, "kinds": (subject.instance.name, array)}
    if plans:
        known |= {"plan": plans[0].named, "plans": [one.named for one in plans]}

    def drawn(here: PageSection) -> PageSection:
        return filled(here, subject, beside, list(drawings(known, here.id, KIND).values()))

    def tabled(here: PageSection, *tables: Table) -> PageSection:
        return with_tables(here, subject, beside, [table for table in tables if table.rows])

    made = [PageSection(id, title, missing=NO_PLAN) for id, title in TITLES.items() if not plans]
    if plans:
        best: NamedMixedPlan = plans[0].named
        several = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
        section = {id: PageSection(id, title, lead=several) for id, title in TITLES.items()}
        made = [
            tabled(drawn(section["time"]), replace(classes_table(best.step), name="classes")),
            drawn(section["shares"]) if array.splits else replace(section["shares"], lead="", missing="there are none"),
            _beside_baseline(subject, plans, beside),
        ]
    tables = {"kinds-of": kind_rows(array), "splits": split_rows(array), "levels": level_rows(array)}
    made.append(tabled(drawn(PageSection("array", "The array and its kinds")), *_of_texts(tables)))
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and KIND in kind.of and kind.section not in taken:
            taken.add(kind.section)
            made.append(drawn(PageSection(kind.section, kind.title)))
    return tuple(made)


NAMES: Final = {"kinds-of": "Kinds", "splits": "Groups with unlike halves", "levels": "Pace at which halves read"}


def _of_texts(tables: Mapping[str, Sequence[Mapping[str, str]]]) -> list[Table]:
    """Return tables of rows as the terminal has them, those without rows left out."""
    found = []
    for name, rows in tables.items():
        if rows:
            columns = tuple(Column(key, key) for key in rows[0])
            found.append(Table(name, NAMES[name], columns, entry_rows(columns, [list(row.values()) for row in rows])))
    return found


def _beside_baseline(subject: Subject, plans: Sequence[Alike], beside: Beside) -> PageSection:
    """Return a row for each different plan and for data parallelism: what it costs, and who waits how long."""
    here = PageSection(BASELINE, TITLES[BASELINE])
    base = subject.baseline
    if base is None:
        return replace(here, missing=subject.missing.get(BASELINE, NO_PLAN))
    every = [one.named for one in plans]
    every += [] if any(one is base for group in plans for one in group.all) else [base]
    objective, least = subject.instance.objective, plans[0].plan.objective
    columns = (
        Column("plan", "plan"),
        Column("objective", objective.spelt),
        Column("times", "times the best", digits=4),
        Column("shares", "shares"),
        *(Column(f"waiting_{one.name}", f"{one.name} waits") for one in subject.problem.array.classes),
    )
    rows = [_beside_row(one, least) for one in every]
    notes = ("Data parallelism at its best shares.",)
    table = Table("beside", "Plans and data parallelism", columns, entry_rows(columns, rows), notes)
    return with_tables(here, subject, beside, [table])


def _beside_row(named: NamedMixedPlan, least: Any) -> tuple[Any, ...]:
    value, step = named.plan.objective, named.step
    cost = None if value is None else Entry(value, in_objective(named.problem.objective, value))
    times = fraction_near(value) / fraction_near(least) if value is not None and least else None
    each = shares_at(step.array, step.shares, step.strategies)
    ends = {name: dict.fromkeys((found[0], found[-1])) for name, found in each.items() if found}
    shares = ", ".join(f"{at} {' to '.join(f'{one} ({percent(one)})' for one in found)}" for at, found in ends.items())
    waiting = (Entry(step.waiting(place), in_si(step.waiting(place), "s")) for place in range(len(step.classes)))
    return named.name, cost, times, shares or None, *waiting

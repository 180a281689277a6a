"""The page of a pipeline: its first lines, and its sections behind the plans."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.content.content import REGRETS
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, with_tables
from hypar_opt.report.pipeline_instance import pipeline_headline
from hypar_opt.report.pipeline_tables import pipeline_tables, stages_table
from hypar_opt.report.schedules import schedules_tables
from hypar_opt.studies.sweep import counted
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.pipeline_plan import NamedPipelinePlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.studies.schedules.compare import NamedSchedule

KIND: Final = "pipeline"
TITLES: Final = {
    "stages": "Stages",
    "graph": "Operators and stages",
    "schedules": "Schedules",
    "throughput": "Throughput over microbatches",
    REGRETS: "Regrets of the operators",
}
"""By section of the plans, its heading."""


def pipeline_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the pipeline asks for and of what, label by label."""
    one = subject.instance
    first, *kinds, asked = pipeline_headline(one)
    said = [
        ("Pipeline", first),
        *(("Devices", text) for text in kinds),
        ("Asked for", asked),
        ("Microbatches", "" if one.microbatches is None else f"{one.microbatches:,}"),
        ("Hash", one.sha256),
    ]
    return [(label, text) for label, text in said if text]


def pipeline_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page.

    Parameters
    ----------
    asked
        What names the instance on a command line; no section has commands.
    """
    known: dict[Need, Any] = {"subject": subject, "cells": subject.cells, "regrets": subject.regrets}
    if plans:
        known |= {"plan": plans[0].named, "plans": [one.named for one in plans]}

    def drawn(here: PageSection) -> PageSection:
        return filled(here, subject, beside, list(drawings(known, here.id, KIND).values()))

    section = {id: PageSection(id, title) for id, title in TITLES.items()}
    made = [replace(one, missing=NO_PLAN) for one in section.values() if not plans]
    if plans:
        best: NamedPipelinePlan = plans[0].named
        several = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
        section = {id: replace(one, lead=several) for id, one in section.items()}
        made = [
            with_tables(section["stages"], subject, beside, [stages_table(best.judged)]),
            drawn(section["graph"]),
            _schedules(section["schedules"], subject, beside, best),
            drawn(section["throughput"]),
            replace(section[REGRETS], lead="", missing=subject.missing.get(REGRETS, NO_PLAN))
            if subject.regrets is None
            else drawn(section[REGRETS]),
        ]
    made.append(with_tables(PageSection("operators", "Operators"), subject, beside, [_operators(subject)]))
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and KIND in kind.of and kind.section not in taken:
            taken.add(kind.section)
            made.append(drawn(PageSection(kind.section, kind.title)))
    return tuple(made)


def _operators(subject: Subject) -> Any:
    return replace(pipeline_tables(subject.instance).tables[0], name="operators")


def _schedules(here: PageSection, subject: Subject, beside: Beside, named: NamedPipelinePlan) -> PageSection:
    """Return known schedules of a batch, one row each, and each as a picture to choose from."""
    try:
        found = named.schedules
    except Refusal as refusal:
        return replace(here, missing=str(refusal))
    there = [one for one in found if one.judged is not None]
    batch = counted(named.microbatches, "microbatch")
    part = filled(
        replace(here, lead=f"{here.lead} A batch of {batch}.".strip(), label="Schedule"),
        subject,
        beside,
        [partial(_gantt, named, one) for one in there],
    )
    choices = tuple((shown.id, one.name) for shown, one in zip(part.shown, there, strict=False))
    tables = schedules_tables(subject.instance.name, found).tables
    return with_tables(replace(part, choices=choices), subject, beside, tables)


def _gantt(named: NamedPipelinePlan, one: NamedSchedule) -> Figure:
    from hypar_opt.report.charts.schedule_gantt import schedule_figure

    return replace(schedule_figure(named.problem.instance.name, one), name=f"schedule-{one.name}")

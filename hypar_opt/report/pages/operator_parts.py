"""The sections of the page of an instance of operators, those that say why there is nothing among them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.charts.operator_axes_data import AxesDrawing
from hypar_opt.report.charts.registry import Need, drawings, figures
from hypar_opt.report.operators.blocks import RepeatedBlocks
from hypar_opt.report.pages.operator_tables import (
    array_table,
    collectives_table,
    graph_tables,
    memory_table,
    network_table,
    rules_table,
    shared_table,
    time_table,
    totals_table,
)
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, front_section, with_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike
    from hypar_opt.report.tables import Table

KIND: Final = "operators"
TITLES: Final = {
    "baseline": "Beside rules",
    "shared": "Tensors that several operators read",
    "collectives": "Collectives",
    "memory": "Memory of each device",
    "time": "Time",
}
"""By section of the plans, its heading."""
NO_RULES: Final = "no rule was tried"
NONE_SHARED: Final = "every tensor has one reader"


def operator_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page.

    Parameters
    ----------
    asked
        What names the instance on a command line in the report's folder.
    """
    known: dict[Need, Any] = {"subject": subject, "front": subject.front, "cells": subject.cells}
    placed = plans[0].named.standing.instance if plans else subject.instance
    known["axes"] = AxesDrawing.of_array(placed.spec.array, placed.standing)
    if plans:
        known |= {"plan": plans[0].named, "plans": [one.named for one in plans]}

    def drawn(here: PageSection) -> PageSection:
        return filled(here, subject, beside, list(drawings(known, here.id, KIND).values()))

    def tabled(here: PageSection, *tables: Table) -> PageSection:
        return with_tables(here, subject, beside, [table for table in tables if table.rows])

    made = [tabled(PageSection("network", "The network"), network_table(subject.instance))]
    made += [PageSection(id, title, missing=NO_PLAN) for id, title in TITLES.items() if not plans]
    if plans:
        best = plans[0].named
        several = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
        section = {id: PageSection(id, title) for id, title in TITLES.items()}
        led = {id: replace(one, lead=several) for id, one in section.items()}
        shared = shared_table(best)
        made += [
            tabled(section["baseline"], rules_table(best, [one for one in subject.rules if one.named is not best]))
            if subject.rules
            else replace(section["baseline"], missing=NO_RULES),
            tabled(led["shared"], shared) if shared.rows else replace(section["shared"], missing=NONE_SHARED),
            tabled(led["collectives"], totals_table(best), collectives_table(best))
            if best.moved.movements
            else replace(section["collectives"], missing="nothing is exchanged"),
            tabled(drawn(section["memory"]), memory_table(best)),
            tabled(drawn(section["time"]), time_table(best)),
        ]
    tables = (array_table(subject.instance, plans), *(graph_tables(plans[0].named) if plans else ()))
    made.append(tabled(drawn(PageSection("array", "The array and its axes")), *tables))
    made.append(front_section(subject, drawn, asked, RepeatedBlocks(subject.instance.graph).folded))
    taken = {one.id for one in made}
    for kind in figures().values():
        if kind.section and KIND in kind.of and kind.section not in taken:
            taken.add(kind.section)
            made.append(drawn(PageSection(kind.section, kind.title)))
    return tuple(made)

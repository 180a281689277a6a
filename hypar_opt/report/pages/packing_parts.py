"""The page of a collective whose chunks go by several trees: how chunks are cut, and how busy links are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.report.charts.registry import drawings
from hypar_opt.report.collective.bounds import bounds_table
from hypar_opt.report.collective.packing_shown import branches_table, chunks_table, links_of_trees
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, filled, with_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.packing_plan import NamedPackingPlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike

TITLES = {
    "bounds": "Bounds",
    "ways": "Ways of trees",
    "trees": "Trees",
    "links": "Loads of links",
    "branches": "Branches",
}
"""Sections by what they are called in addresses."""
MOST_BRANCHES = 2000
"""Rows of the table of all branches, which a page has no more of."""


def packing_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page: bounds, and of the first plan trees, links, and few branches."""
    if not plans:
        return tuple(PageSection(id, title, missing=NO_PLAN) for id, title in TITLES.items())
    best: NamedPackingPlan = plans[0].named
    lead = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
    tables = {"trees": chunks_table(best.judged), "links": links_of_trees(best.judged)}
    if sum(len(one.branches) for one in best.judged.packing.shares) <= MOST_BRANCHES:
        tables["branches"] = branches_table(best.judged)
    bounds = PageSection("bounds", TITLES["bounds"], lead="No trees at all are below these.")
    proven = with_tables(bounds, subject, beside, [bounds_table(subject.instance, best.bounds)])
    draw = list(drawings({"plan": best}, "ways", subject.kind).values())
    drawn = filled(PageSection("ways", TITLES["ways"], lead=lead), subject, beside, draw)
    sections = [(PageSection(id, TITLES[id], lead=lead), table) for id, table in tables.items()]
    return (proven, drawn, *(with_tables(section, subject, beside, [table]) for section, table in sections))

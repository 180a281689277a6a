"""The page of an instance whose layers are put into stages: its first lines, and its sections behind the plans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.report.pages.overview import facts
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, with_tables
from hypar_opt.report.staged.tables import stages_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.staged_plan import NamedStagedPlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike


def staged_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    found = facts(subject)
    place = next((at for at, (label, _) in enumerate(found, start=1) if label == "Batch"), len(found))
    one = subject.instance
    text = f"{one.microbatches or 1:,} of {one.samples_at_once:,} samples each, through stages on parts of the array"
    return [*found[:place], ("Microbatches", text), *found[place:]]


def staged_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page: the stages of the best plan."""
    here = PageSection("stages", "Stages", missing="" if plans else NO_PLAN)
    if not plans:
        return (here,)
    best: NamedStagedPlan = plans[0].named
    lead = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
    return (with_tables(replace(here, lead=lead), subject, beside, [stages_table(best.judged)]),)

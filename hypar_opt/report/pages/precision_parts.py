"""The page of an instance whose layers choose their bits: its first lines, and its sections behind the plans."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.report.pages.overview import facts
from hypar_opt.report.pages.parts import NO_PLAN, PageSection, with_tables
from hypar_opt.report.precision.tables import layers_table, sent_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.report.content import Subject
    from hypar_opt.report.content.precision_plan import NamedPrecisionPlan
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.plans import Alike


def precision_facts(subject: Subject) -> list[tuple[str, str]]:
    """Return what the instance asks for and of what, label by label."""
    found, precision = facts(subject), subject.instance.precision
    place = next((at for at, (label, _) in enumerate(found, start=1) if label == "Batch"), len(found))
    bits = ", ".join(map(str, precision.bits)) if precision is not None else ""
    return [*found[:place], ("Bits", f"{bits}, chosen by layer; {subject.instance.full_bits} in full"), *found[place:]]


def precision_parts(subject: Subject, plans: Sequence[Alike], beside: Beside, asked: str) -> tuple[PageSection, ...]:
    """Return the sections of a page: the bits of the best plan, and what they save."""
    here = PageSection("bits", "Bits", missing="" if plans else NO_PLAN)
    if not plans:
        return (here,)
    best: NamedPrecisionPlan = plans[0].named
    lead = f"Of the first plan, {plans[0].names}." if len(plans) > 1 else ""
    tables = [layers_table(best.judged), sent_table(best.judged)]
    return (with_tables(replace(here, lead=lead), subject, beside, tables),)

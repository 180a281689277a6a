"""What a report shows of pipelines beside plans: what operators cost in other stages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.report.content.content import REGRETS, LayerRegrets, Subject
from hypar_opt.report.content.named_plan import best_first
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


def with_pipeline_sections(
    subject: Subject, wanted: Collection[str], limits: Callable[[], Limits], listener: Listener | None
) -> Subject:
    """Return a subject with the regrets of the best plan's operators.

    Parameters
    ----------
    wanted
        Which sections are; there are no others of pipelines.
    limits
        Returns those of a section that begins now.
    """
    best = min(subject.plans, key=best_first, default=None)
    if best is None or REGRETS not in wanted:
        return replace(subject, missing={REGRETS: "there is no plan" if best is None else "not asked for"})
    try:
        explanation = explain(subject.problem, best.plan, limits(), listener)
    except InputError as error:  # machines with devices inside
        return replace(subject, missing={REGRETS: error.message})
    if explanation.missing:
        return replace(subject, missing={REGRETS: explanation.missing})
    return replace(subject, regrets=LayerRegrets(best, explanation))

"""What a report shows of pipelines beside plans: what operators cost in other stages."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Limits, Listener
from hypar_opt.report.content.content import REGRETS, LayerRegrets, Subject
from hypar_opt.report.content.section import Section
from hypar_opt.studies.sensitivity import explain
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping


def _regrets(subject: Subject, _: None, limits: Limits, listener: Listener | None) -> LayerRegrets:
    """Return the regrets of the best plan's operators."""
    if subject.best is None:
        raise Refusal("there is no plan")
    try:
        explanation = explain(subject.problem, subject.best.plan, limits, listener)
    except InputError as error:  # machines with devices inside
        raise Refusal(error.message) from None
    if explanation.missing:
        raise Refusal(explanation.missing)
    return LayerRegrets(subject.best, explanation)


SECTIONS_OF_PIPELINES: Final[Mapping[str, Section]] = MappingProxyType({REGRETS: Section(_regrets)})
"""By name."""

"""What stands on the page of an instance, by the kind of its problem."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.pages.collective_parts import collective_facts, collective_parts
from hypar_opt.report.pages.mixed_parts import mixed_facts, mixed_parts
from hypar_opt.report.pages.operator_facts import operator_facts
from hypar_opt.report.pages.operator_parts import operator_parts
from hypar_opt.report.pages.overview import facts
from hypar_opt.report.pages.packing_parts import packing_parts
from hypar_opt.report.pages.parts import parts
from hypar_opt.report.pages.pipeline_parts import pipeline_facts, pipeline_parts
from hypar_opt.report.pages.precision_parts import precision_facts, precision_parts
from hypar_opt.report.pages.staged_parts import staged_facts, staged_parts
from hypar_opt.report.pages.task_parts import task_facts, task_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.report.charts import Figure
    from hypar_opt.report.content import Subject
    from hypar_opt.report.pages.beside import Beside
    from hypar_opt.report.pages.parts import PageSection
    from hypar_opt.report.pages.plans import Alike


@dataclass(frozen=True)
class PageKind:
    """How the page of an instance is made.

    Parameters
    ----------
    facts
        Returns what the instance asks for and of what, label by label.
    drawn
        Draws a plan.
    parts
        Returns the sections behind the plans.
    """

    facts: Callable[[Subject], list[tuple[str, str]]]
    drawn: Callable[[Any], Figure]
    parts: Callable[[Subject, Sequence[Alike], Beside, str], tuple[PageSection, ...]]


def _of_network(named: Any) -> Figure:
    from hypar_opt.report.charts.plan_grid import plan_figure

    return plan_figure(named)


def _of_operators(named: Any) -> Figure:
    from hypar_opt.report.charts.operator_grid import operators_figure

    return operators_figure(named)


def _of_mixed(named: Any) -> Figure:
    from hypar_opt.report.charts.mixed_grid import mixed_figure

    return mixed_figure(named)


def _of_pipeline(named: Any) -> Figure:
    from hypar_opt.report.charts.pipeline_stages import pipeline_figure

    return pipeline_figure(named.judged)


def _of_stages(named: Any) -> Figure:
    from hypar_opt.report.charts.staged_layers import staged_figure

    return staged_figure(named.judged)


def _of_precision(named: Any) -> Figure:
    from hypar_opt.report.charts.sent_tensors import sent_figure

    return sent_figure(named.judged)


def _of_collective(named: Any) -> Figure:
    from hypar_opt.report.charts.space_time import space_time_figure

    return space_time_figure(named.judged)


def _of_packing(named: Any) -> Figure:
    from hypar_opt.report.charts.collective_loads import loads_figure
    from hypar_opt.report.collective.packing_shown import links_of_trees

    return loads_figure(named.judged, table=links_of_trees(named.judged))


def _of_tasks(named: Any) -> Figure:
    from hypar_opt.report.charts.task_gantt import task_figure

    return task_figure(named.name, named.judged)


PAGES: Final[Mapping[str, PageKind]] = MappingProxyType(
    {
        "network": PageKind(facts, _of_network, parts),
        "operators": PageKind(operator_facts, _of_operators, operator_parts),
        "mixed": PageKind(mixed_facts, _of_mixed, mixed_parts),
        "pipeline": PageKind(pipeline_facts, _of_pipeline, pipeline_parts),
        "precision": PageKind(precision_facts, _of_precision, precision_parts),
        "staged": PageKind(staged_facts, _of_stages, staged_parts),
        "collective": PageKind(collective_facts, _of_collective, collective_parts),
        "packing": PageKind(collective_facts, _of_packing, packing_parts),
        "task-graph": PageKind(task_facts, _of_tasks, task_parts),
    }
)
"""By kind of problem."""

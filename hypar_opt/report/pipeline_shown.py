"""What `show` says of a pipeline, and of a plan of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hypar_opt.report.pipeline import headline, pipeline_plan_document, show_pipeline_plan
from hypar_opt.report.pipeline_instance import pipeline_document, pipeline_headline, show_pipeline
from hypar_opt.report.pipeline_tables import pipeline_plan_tables, pipeline_tables
from hypar_opt.report.shown import Shown
from hypar_opt.solver.pipeline_problem import PipelineProblem
from hypar_opt.verification.checks import read_judged

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.report.charts import Figure


def of_instance(instance: PipelineInstance) -> Shown:
    """Return a pipeline: its devices and its operators."""
    return Shown(
        partial(pipeline_document, instance),
        partial(pipeline_headline, instance),
        lambda to: show_pipeline(to, instance),
        tables=partial(pipeline_tables, instance),
    )


def of_plan(instance: PipelineInstance, path: Path) -> Shown:
    """Return a plan of a pipeline, whatever its status claims.

    Raises
    ------
    InputError
        If it is a plan of another instance, or none.
    """
    problem = PipelineProblem(instance)
    claim, plan, judged = read_judged(path, problem, problem.judged)

    def figure() -> Figure:
        from hypar_opt.report.charts.pipeline_stages import pipeline_figure

        return pipeline_figure(judged)

    def graph() -> Figure:
        from hypar_opt.report.charts.pipeline_graph import pipeline_graph_figure

        return pipeline_graph_figure(judged)

    return Shown(
        partial(pipeline_plan_document, problem, plan),
        lambda: headline(problem, plan).split("\n"),
        lambda to: show_pipeline_plan(to, problem, plan),
        figure,
        partial(pipeline_plan_tables, problem, claim),
        graph=graph,
    )

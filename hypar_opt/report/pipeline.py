"""Plans of pipelines on the terminal: what every stage has, does and keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_bytes, in_component, share
from hypar_opt.report.plan_rows import first_to_last
from hypar_opt.report.stage_regrets import operator_rows, stage_cells, uniqueness
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from hypar_opt.evaluation.pipeline import JudgedPipeline, PipelineStage
    from hypar_opt.instance.pipeline import PipelineInstance
    from hypar_opt.solver.pipeline_problem import PipelineProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.regrets import Explanation

GOALS = {
    "slowest-stage": "the slowest stage",
    "latency": "all stages one after the other",
    "batch-time": "a batch",
}
"""By what is to be least, what its seconds are of."""


def show_pipeline_plan(
    console: Console,
    problem: PipelineProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, and a row a stage; with regrets, what they say, and of every operator where asked for."""
    console.print(headline(problem, plan))
    if plan.strategies is None:
        return
    judged = problem.judged(plan.strategies)
    show_folded(console, stage_rows(judged, explanation, every_row=every_row))
    if explanation is None:
        return
    if every_row and not explanation.missing:
        show_folded(console, operator_rows(judged, explanation))
    console.print(uniqueness(explanation))


def headline(problem: PipelineProblem, plan: Plan) -> str:
    """Return what was found, of how much, and what is proven of it."""
    instance, graph = problem.instance, problem.graph
    lines = [found_line(plan)]
    if plan.objective is not None:
        what = GOALS[instance.goal]
        if instance.goal == "batch-time":
            what += f" of {instance.microbatches or 1:,} microbatches{_batch_said(instance)}"
        lines.append(f"time {in_component(TIME, plan.objective)}{gap(problem.objective, plan)}: {what}")
    groups = "" if graph.groups == len(instance.operators) else f" in {graph.groups:,} groups"
    lines.append(f"{len(instance.operators):,} operators{groups} on {instance.devices:,} devices")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def _batch_said(instance: PipelineInstance) -> str:
    """Return what a batch's time is."""
    if instance.in_flight is None:
        return ": all stages, and the slowest for each further one"
    if instance.in_flight.versions:
        return f" by {instance.schedule}: from batch to batch, the slowest stage for each"
    return f" by {instance.schedule}"


def stage_rows(
    judged: JudgedPipeline, explanation: Explanation | None = None, *, every_row: bool = False
) -> list[dict[str, str]]:
    """Return a row a stage.

    Parameters
    ----------
    explanation
        With the regrets, if there are any.
    every_row
        Whether all operators are named, where else the first and the last are.
    """
    return [
        {
            "stage": number,
            "devices": str(stage.devices),
            "operators": f"{len(stage.operators):,}",
            "first to last": ", ".join(stage.operators) if every_row else first_to_last(stage.operators),
            **({} if judged.instance.recompute == "never" else {"anew": f"{len(stage.anew):,}"}),
            "computing": in_component(TIME, stage.computing),
            "reading": in_component(TIME, stage.reading),
            "sending": in_component(TIME, stage.sending),
            "in all": in_component(TIME, stage.seconds),
            "busy": share(stage.seconds, judged.slowest.seconds),
            **({} if stage.in_flight is None else {"in flight": f"{stage.in_flight:,}"}),
            "memory": in_bytes(stage.memory),
            "of capacity": "" if stage.capacity is None else share(stage.memory, stage.capacity),
            **stage_cells(explanation, stage.operators),
        }
        for number, stage in _numbered(judged)
    ]


def _numbered(judged: JudgedPipeline) -> Iterator[tuple[str, PipelineStage]]:
    """Yield stages with their numbers, those inside of a machine's stage behind it: 2, 2.1, 2.2."""
    for number, stage in enumerate(judged.stages, start=1):
        yield str(number), stage
        for place, one in enumerate(judged.within(stage), start=1):
            yield f"{number}.{place}", one


def pipeline_plan_document(problem: PipelineProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with its stages, in exact numbers."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    stages = [
        {
            "devices": str(stage.devices),
            "operators": list(stage.operators),
            "replicas": stage.devices.replicas,
            "tensor": stage.devices.tensor,
            "anew": list(stage.anew),
            "computing_s": exact(stage.computing),
            "reading_s": exact(stage.reading),
            "sending_s": exact(stage.sending),
            "seconds": exact(stage.seconds),
            "in_flight": stage.in_flight,
            "replicas_behind": stage.behind,
            "memory_bytes": exact(stage.memory),
        }
        for judged in (problem.judged(plan.strategies),)
        for stage in (each for one in judged.stages for each in (one, *judged.within(one)))
    ]
    return document | {"stages": stages}

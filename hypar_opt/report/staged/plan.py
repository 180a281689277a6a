"""Plans with stages on the terminal: what every stage has, does and keeps."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import gap, in_bytes, in_component, share
from hypar_opt.report.plan_rows import first_to_last
from hypar_opt.report.strategy_graph import found_line
from hypar_opt.solver.plan import plan_document
from hypar_opt.studies.sweep import counted
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.evaluation.stages import JudgedStage, JudgedStages
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.staged.problem import StagedProblem
    from hypar_opt.studies.regrets import Explanation


def show_staged_plan(
    console: Console,
    problem: StagedProblem,
    plan: Plan,
    explanation: Explanation | None = None,
    every_row: bool = False,
) -> None:
    """Print what was found, and a row a stage; with every row, each layer's word as well."""
    console.print(headline(problem, plan))
    if plan.strategies is not None:
        judged = problem.judged(plan.strategies)
        show_folded(console, stage_rows(judged))
        if every_row:
            show_folded(console, layer_rows(judged))


def headline(problem: StagedProblem, plan: Plan) -> str:
    """Return what was found, of how much, and what is proven of it."""
    instance = problem.instance
    lines = [found_line(plan)]
    if plan.objective is not None:
        count = instance.microbatches or 1
        parts = (
            "of one microbatch" if count == 1 else f"of {count:,} microbatches: all stages, then the slowest's others"
        )
        lines.append(f"time {in_component(TIME, plan.objective)}{gap(problem.objective, plan)}: a step {parts}")
    used = ""
    if plan.strategies is not None:
        judged = problem.judged(plan.strategies)
        end, there = judged.places[-1][0] + judged.places[-1][1], instance.partition.leaves
        used = f" in {counted(len(judged.places), 'stage')}" + ("" if end == there else f", on {end:,} of them")
    lines.append(f"{len(problem.layers):,} layers on {counted(instance.partition.leaves, 'accelerator')}{used}")
    if plan.note:
        lines.append(f"note: {plan.note}")
    return "\n".join(lines)


def stage_rows(judged: JudgedStages) -> list[dict[str, str]]:
    """Return a row a stage; seconds are of a microbatch."""
    each = judged.microbatches
    return [
        {
            "stage": str(number),
            "accelerators": leaves_text(stage),
            "layers": f"{len(stage.layers):,}",
            "first to last": first_to_last(stage.layers),
            "words": words_text(stage),
            "computing": in_component(TIME, stage.computing / each),
            "exchanging": in_component(TIME, stage.exchanging / each),
            "reading": in_component(TIME, stage.reading / each),
            "sending": in_component(TIME, stage.sending / each),
            "in all": in_component(TIME, stage.seconds / each),
            "busy": share(stage.seconds, judged.slowest.seconds),
            "memory": in_bytes(stage.resident),
            **({} if stage.capacity is None else {"of capacity": share(stage.resident, stage.capacity)}),
        }
        for number, stage in enumerate(judged.stages, start=1)
    ]


def layer_rows(judged: JudgedStages) -> list[dict[str, str]]:
    """Return a row a layer: its stage, and its word there."""
    return [
        {"layer": name, "stage": str(number), "accelerators": leaves_text(stage), "levels": " ".join(word)}
        for number, stage in enumerate(judged.stages, start=1)
        for name, word in stage.words.items()
    ]


def leaves_text(stage: JudgedStage) -> str:
    """Return a stage's accelerators, counted from 1 along the leaves."""
    first, last = stage.first + 1, stage.first + stage.count
    return str(first) if first == last else f"{first}-{last}"


def words_text(stage: JudgedStage) -> str:
    """Return the words of a stage's layers one after the other, those that are alike once, with how many they are."""
    runs = [(word, len(list(run))) for word, run in groupby(stage.words.values())]
    return ", ".join(f"{word} x {count}" if count > 1 else word for word, count in runs if word)


def staged_plan_document(problem: StagedProblem, plan: Plan) -> dict[str, Any]:
    """Return a plan's file with its stages, in exact numbers; seconds are of a microbatch."""
    document = plan_document(plan)
    if plan.strategies is None:
        return document
    judged = problem.judged(plan.strategies)
    each = judged.microbatches
    stages = [
        {
            "accelerators": leaves_text(stage),
            "words": dict(stage.words),
            "computing_s": exact(stage.computing / each),
            "exchanging_s": exact(stage.exchanging / each),
            "reading_s": exact(stage.reading / each),
            "sending_s": exact(stage.sending / each),
            "seconds": exact(stage.seconds / each),
            "memory_bytes": exact(stage.resident),
        }
        for stage in judged.stages
    ]
    return document | {"stages": stages}

"""Two plans of a pipeline compared: on the terminal and for machines."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.amounts import relative, signed
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component
from hypar_opt.report.pipeline import GOALS
from hypar_opt.report.plan_rows import first_to_last
from hypar_opt.report.two_plans import ROLES, plan_lines
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from hypar_opt.evaluation.pipeline import PipelineStage
    from hypar_opt.studies.compare_stages import StageComparison

MOST_NAMED = 12
"""Operators of a sentence."""


def show_stage_comparison(console: Console, found: StageComparison) -> None:
    """Print what two plans take, which operators moved, and what every stage takes and keeps in either."""
    console.print(stage_comparison_headline(found))
    if found.anew:
        console.print(f"activations are computed anew in one plan only: {_some(found.anew)}")
    if not found.moved and not found.anew:
        return
    numbers = [{stage.devices: n for n, stage in enumerate(one.stages, start=1)} for one in found.judged]
    moved = [
        {
            "moved": f"{len(one.operators):,}",
            "operators": first_to_last(one.operators),
            "from": f"stage {numbers[0][one.first]}, {one.first}",
            "to": f"stage {numbers[1][one.second]}, {one.second}",
        }
        for one in found.moved
    ]
    if moved:
        show_folded(console, moved)
    show_folded(
        console,
        [
            {
                "devices": str(one.devices),
                **{
                    f"{role} takes": _seconds(stage) for role, stage in zip(ROLES, (one.first, one.second), strict=True)
                },
                "more": _more(one.first, one.second),
                "first keeps": _kept(one.first),
                "second keeps": _kept(one.second),
            }
            for one in found.stages
        ],
    )


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more


def _seconds(stage: PipelineStage | None) -> str:
    return "no stage" if stage is None else in_component(TIME, stage.seconds)


def _more(first: PipelineStage | None, second: PipelineStage | None) -> str:
    if first is None or second is None:
        return ""
    return signed(partial(in_component, TIME), second.seconds - first.seconds)


def _kept(stage: PipelineStage | None) -> str:
    return "" if stage is None else in_bytes(stage.memory)


def stage_comparison_headline(found: StageComparison) -> str:
    """Return which plans are compared, what each takes, and how much differs."""
    instance = found.problem.instance
    lines = plan_lines(found.claims, [f"time {in_component(TIME, judged.objective)}" for judged in found.judged])
    count = sum(len(one.operators) for one in found.moved)
    if not count and not found.anew:
        return "\n".join([*lines, f"{instance.name}: the plans are the same"])
    share = relative(found.judged[0].objective, found.more)
    differ = f"{count:,} of {len(instance.operators):,} operators stand on other devices"
    more = signed(partial(in_component, TIME), found.more)
    said = f"{instance.name}: {differ}; the second less the first: {more}{share}, {GOALS[instance.goal]}"
    return "\n".join([*lines, said])


def stage_comparison_document(found: StageComparison) -> dict[str, Any]:
    """Return a comparison for machines, in exact numbers."""
    instance = found.problem.instance
    return {
        "instance": instance.name,
        "instance_sha256": instance.sha256,
        "objective": instance.goal,
        "plans": [
            {
                "plan": str(claim.source),
                "formulation": claim.formulation,
                "status": claim.status.value,
                "seconds": exact(judged.objective),
            }
            for claim, judged in zip(found.claims, found.judged, strict=True)
        ],
        "moved": [
            {"operators": list(one.operators), "first": str(one.first), "second": str(one.second)}
            for one in found.moved
        ],
        "anew_in_one": list(found.anew),
        "stages": [
            {
                "devices": str(one.devices),
                **{role: _document(stage) for role, stage in zip(ROLES, (one.first, one.second), strict=True)},
            }
            for one in found.stages
        ],
        "more_seconds": exact(found.more),
    }


def _document(stage: PipelineStage | None) -> dict[str, Any] | None:
    if stage is None:
        return None
    return {
        "operators": len(stage.operators),
        "seconds": exact(stage.seconds),
        "memory_bytes": exact(stage.memory),
    }

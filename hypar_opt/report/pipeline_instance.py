"""Pipelines themselves, without a plan: their devices and their operators."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.objective.components import TIME
from hypar_opt.report.console import show_folded
from hypar_opt.report.numbers import in_bytes, in_component
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from rich.console import Console

    from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator

MOST_ROWS = 5_000
"""Operators above which no table is printed."""


def pipeline_headline(instance: PipelineInstance) -> list[str]:
    """Return what it is, in lines."""
    backward = sum(one.phase == "backward" for one in instance.operators)
    phases = f", {backward:,} of them backward" if backward else ""
    lines = [f"{instance.name}: {len(instance.operators):,} operators{phases}; {instance.devices:,} devices"]
    lines += [f"{one.count:,} x {one.name}: {_about(one)}" for one in instance.kinds]
    wanted = {
        "slowest-stage": "the slowest stage",
        "latency": "all stages one after the other",
        "batch-time": f"a batch of {instance.microbatches or 1:,} microbatches",
    }[instance.goal]
    stages = "contiguous stages" if instance.contiguous else "stages that need not be contiguous"
    if instance.stages is not None:
        stages += f", {instance.stages:,} at most"
    how = "while it computes" if instance.overlapped else "before and after"
    if instance.schedule is not None:
        how += f", and keeps what is in flight by {instance.schedule}"
    lines.append(f"least time of {wanted}, {stages}; a stage reads and sends {how}")
    return [*lines, *_ways(instance)]


def _ways(instance: PipelineInstance) -> list[str]:
    """Return in which ways operators may be done, where there is more than one."""
    found = []
    if instance.degrees != (1,):
        found.append(f"as one replica together: {', '.join(map(str, instance.degrees))} devices")
    if instance.recompute != "never":
        each = "of whole stages" if instance.recompute == "stages" else "of each operator"
        found.append(f"activations {each} may be computed anew")
    if instance.gradients == "each-batch":
        found.append(f"replicas add up gradients once a batch of {instance.microbatches or 1:,} microbatches")
    return found


def _about(kind: DeviceKind) -> str:
    memory = "any memory" if kind.memory is None else in_bytes(kind.memory)
    if kind.inside:
        memory = "each " + " and ".join(f"{one.count:,} x {one.name} ({_about(one)})" for one in kind.inside)
    links = "transfers take no time" if kind.bandwidth is None else f"{in_bytes(kind.bandwidth)}/s"
    replicas = "" if kind.replicas == 1 else f", up to {kind.replicas} replicas of a stage"
    return f"{memory}, {links}{replicas}"


def show_pipeline(console: Console, instance: PipelineInstance) -> None:
    """Print a row an operator, or the sums alone where there are very many."""
    for line in pipeline_headline(instance):
        console.print(line)
    if len(instance.operators) <= MOST_ROWS:
        show_folded(console, operator_rows(instance))


def operator_rows(instance: PipelineInstance) -> list[dict[str, str]]:
    """Return a row an operator."""
    several = any(one.phase == "backward" for one in instance.operators)
    parts = any(one.together is not None for one in instance.operators)
    return [
        {
            "operator": one.name,
            **({"phase": one.phase} if several else {}),
            **{kind.name: _seconds(one, kind) for kind in instance.leaves},
            "reads": ", ".join(one.reads),
            "output": in_bytes(one.output) if one.output else "",
            "memory": in_bytes(one.memory) if one.memory else "",
            **({} if instance.schedule is None else {"activations": in_bytes(one.activations)}),
            "parameters": in_bytes(one.parameters) if one.parameters else "",
            **({"together": one.together or ""} if parts else {}),
        }
        for one in instance.operators
    ]


def _seconds(operator: PipelineOperator, kind: DeviceKind) -> str:
    return in_component(TIME, operator.computing(kind.name)) if kind.name in operator.seconds else "-"


def pipeline_document(instance: PipelineInstance) -> dict[str, Any]:
    """Return the same for machines, in exact numbers."""
    return {
        "name": instance.name,
        "sha256": instance.sha256,
        "objective": instance.goal,
        "microbatches": instance.microbatches,
        "schedule": instance.schedule,
        "contiguous": instance.contiguous,
        "stages": instance.stages,
        "recompute": instance.recompute,
        "gradients": instance.gradients,
        "transfers": "overlapped" if instance.overlapped else "added",
        "devices": [_kind_document(one) for one in instance.kinds],
        "operators": [
            {
                "name": one.name,
                "phase": one.phase,
                "seconds": {kind: exact(found) for kind, found in one.seconds.items()},
                "backward": {kind: exact(found) for kind, found in one.backward.items()},
                "reads": list(one.reads),
                "output": exact(one.output),
                "memory": exact(one.memory),
                "activations": exact(one.activations),
                "parameters": exact(one.parameters),
                "together": one.together,
                "ways": [
                    {
                        "tensor": tensor,
                        "anew": anew,
                        "seconds": {kind: exact(found) for kind, found in way.seconds.items()},
                        "backward": {kind: exact(found) for kind, found in way.backward.items()},
                        "memory": exact(way.memory),
                        "activations": exact(way.activations),
                        "parameters": exact(way.parameters),
                    }
                    for (tensor, anew), way in one.ways.items()
                ],
            }
            for one in instance.operators
        ],
    }


def _kind_document(kind: DeviceKind) -> dict[str, Any]:
    found = {
        "kind": kind.name,
        "count": kind.count,
        "memory": _exact(kind.memory),
        "bandwidth": _exact(kind.bandwidth),
        "replicas": kind.replicas,
    }
    return found | ({"inside": [_kind_document(one) for one in kind.inside]} if kind.inside else {})


def _exact(number: Fraction | None) -> Any:
    return None if number is None else exact(number)

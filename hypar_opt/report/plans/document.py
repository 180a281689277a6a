"""What one accelerator computes of every layer in every phase of a training step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.plan_file import exact
from hypar_opt.report.numbers import in_count, in_si
from hypar_opt.step import PHASES

if TYPE_CHECKING:
    from hypar_opt.step import Stage, Step, Together

MOST_LAYERS = 60
"""In the table."""


def stage_rows(step: Step) -> list[dict[str, str]]:
    """Return a row a layer: seconds of each phase, then operations and accesses of all of them."""
    by_layer: dict[str, list[Stage]] = {}
    for stage in step.stages:
        by_layer.setdefault(stage.layer, []).append(stage)
    return [_row(layer, stages) for layer, stages in list(by_layer.items())[:MOST_LAYERS]]


def _row(layer: str, stages: list[Stage]) -> dict[str, str]:
    seconds = dict.fromkeys(PHASES, Fraction(0)) | {one.phase: one.seconds for one in stages}
    row = {"each accelerator": layer} | {phase: in_si(float(seconds[phase]), "s") for phase in PHASES}
    multiplies, adds = (sum(getattr(one, name) for one in stages) for name in ("multiplies", "adds"))
    row |= {"operations": in_count(round(multiplies + adds))}
    return row | {
        f"{name} accesses": in_count(round(sum(getattr(one, name) for one in stages))) for name in ("sram", "dram")
    }


def overlap_line(together: Together) -> str:
    """Return the step's time by how much of the exchange hides behind computing."""
    none, by_layer, perfect = (in_si(float(one), "s") for one in (together.none, together.by_layer, together.perfect))
    return (
        f"a step takes {none} without overlap, {by_layer} with overlap layer by layer, at least {perfect} in any order"
    )


def step_document(step: Step) -> dict[str, Any]:
    """Return every stage of one accelerator for machines, exact; accesses are to elements."""
    stages = [
        {
            "layer": one.layer,
            "phase": one.phase,
            "seconds": exact(one.seconds),
            "multiplies": exact(one.multiplies),
            "adds": exact(one.adds),
            "sram_accesses": exact(one.sram),
            "dram_accesses": exact(one.dram),
        }
        for one in step.stages
    ]
    together = step.together
    if together is None:
        return {"stages": stages}
    bounds = {"none_s": together.none, "by_layer_s": together.by_layer, "perfect_s": together.perfect}
    return {"stages": stages, "overlap": {name: exact(seconds) for name, seconds in bounds.items()}}

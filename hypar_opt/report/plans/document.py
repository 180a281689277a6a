"""An explanation, and what one accelerator computes, for machines and in rows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from hypar_opt.evaluation.step import PHASES
from hypar_opt.report.numbers import in_count, in_si
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from hypar_opt.evaluation.step import OverlapBounds, Stage, Step
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.sensitivity import Explanation


def explanation_document(problem: NetworkProblem, explanation: Explanation) -> dict[str, Any]:
    """Return bytes by layer, boundary and level, and the regrets."""
    layers, breakdown = problem.work.layers, explanation.breakdown
    boundaries = zip(problem.work.boundaries, breakdown.inter, strict=True)
    return {
        "intra_bytes": {
            layer.name: list(row) for layer, row in zip(layers, breakdown.intra, strict=True) if not layer.is_join
        },
        "inter_bytes": [
            {"from": layers[edge.producer].name, "to": layers[edge.reader].name, "bytes": list(map(exact, row))}
            for edge, row in boundaries
        ],
        "level_bytes": [exact(breakdown.level(h)) for h in range(problem.instance.levels)],
        "regrets": {
            name: None if one is None else {"second_best": one.second_best, "cost": exact(one.cost)}
            for name, one in explanation.regrets.items()
        },
        "unique": explanation.unique,
        "missing": explanation.missing,
    }


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


def overlap_line(together: OverlapBounds) -> str:
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

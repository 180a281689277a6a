"""An explanation for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.plan_file import exact

if TYPE_CHECKING:
    from hypar_opt.explaining import Explanation
    from hypar_opt.problem import Problem


def explanation_document(problem: Problem, explanation: Explanation) -> dict[str, Any]:
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

"""A plan of layers that are split in halves, layer by layer, as its page reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hypar_opt.report.numbers import in_bytes
from hypar_opt.report.plan_rows import inter_before, regret_text
from hypar_opt.report.reasons import numbers_lines, remarks, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.studies.reasons import LayerReason
    from hypar_opt.studies.regrets import Explanation, Regret

MOST_ROWS: Final = 300
"""Layers that the page shows; the plan file has all."""


def network_rows(problem: NetworkProblem, plan: Plan) -> dict[str, Any]:
    """Return a row a layer, and how many more there are."""
    assert plan.strategies is not None
    return rows_of_bytes(problem, plan.strategies, problem.bytes_of(plan.strategies))


def rows_of_bytes(
    problem: NetworkProblem | MixedProblem, strategies: Mapping[str, str], breakdown: Breakdown
) -> dict[str, Any]:
    """Return a row a layer of a plan that exchanges some bytes, and how many more layers there are."""
    before = inter_before(problem, breakdown)
    layers = problem.work.layers[:MOST_ROWS]
    rows = [
        {
            "layer": layer.name,
            "kind": layer.kind,
            "word": strategies[layer.name],
            "intra": in_bytes(sum(breakdown.intra[i])),
            "before": in_bytes(before[i]),
        }
        for i, layer in enumerate(layers)
    ]
    return {"rows": rows, "more": len(problem.work.layers) - len(layers)}


def network_rows_explained(
    found: dict[str, Any], problem: NetworkProblem, plan: Plan, explanation: Explanation
) -> dict[str, Any]:
    """Return what was found, with what the second-best strategy of every layer would cost."""
    regrets = explanation.regrets
    rows = [{**row, **_regret(problem, regrets.get(row["layer"]), explanation)} for row in found["rows"]]
    return {**found, "rows": rows}


def _regret(problem: NetworkProblem, regret: Regret | None, explanation: Explanation) -> dict[str, str]:
    if explanation.missing:
        return {}
    if regret is None:
        return {"second": "no other is allowed"}
    sign = "+" if regret.cost > 0 else ""
    return {"second": regret.second_best, "regret": f"{sign}{regret_text(problem, regret)}"}


def network_why(problem: NetworkProblem, reasons: Sequence[LayerReason]) -> list[str]:
    """Return why the layers that the page shows are as they are, a sentence each, and what the numbers are."""
    lines = [sentence(problem, one) for one in reasons[:MOST_ROWS]]
    return [*lines, *remarks(problem, reasons), *numbers_lines(problem)] if lines else []

"""What a job found, as its page and scripts read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import bound, word
from hypar_opt.report.content.named_plan import proves
from hypar_opt.report.numbers import exactly, in_bytes, in_objective, in_seconds, percent
from hypar_opt.report.plan import headline, uniqueness
from hypar_opt.report.plan_rows import inter_before, regret_text
from hypar_opt.report.reasons import numbers_lines, remarks, sentence
from hypar_opt.solver.plan import Plan
from hypar_opt.util.numbers import exact
from hypar_opt.web.job_files import plan_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.studies.reasons import LayerReason
    from hypar_opt.studies.regrets import Explanation, Regret

MOST_ROWS: Final = 300
"""Layers that the page shows; the plan file has all."""


@dataclass(frozen=True)
class Result:
    """One formulation's result.

    Parameters
    ----------
    formulation
        Who.
    plan
        Checked; None where it declined.
    refusal
        Why it declined, or nothing.
    proof
        Evidence of the plan's optimality, where there is some.
    """

    formulation: str
    plan: Plan | None
    refusal: str
    proof: Potentials | None

    @property
    def objective(self) -> Fraction | float:
        """Of the plan; infinite without one."""
        found = None if self.plan is None else self.plan.objective
        return float("inf") if found is None else found

    @property
    def is_solved(self) -> bool:
        """Whether there is a plan with a value."""
        return self.plan is not None and self.plan.status is not Status.ERROR and self.plan.objective is not None

    @property
    def proven(self) -> bool:
        """Whether no plan is better."""
        return self.plan is not None and proves(self.plan)


def found_document(problem: NetworkProblem, cells: list[Result], best: Result | None) -> dict[str, Any]:
    """Return what was found of a problem, by every formulation, and the best plan layer by layer."""
    instance = problem.instance
    facts = {"instance": instance.name, "layers": len(problem.work.layers), "levels": instance.levels}
    facts |= {"batch": instance.batch, "accounting": instance.accounting}
    least = None if best is None else best.objective
    found = [_cell(problem, cell, cell.is_solved and cell.objective == least) for cell in cells]
    if len(cells) > 1:
        found = [{**one, "plan": plan_of(i) if cells[i].is_solved else ""} for i, one in enumerate(found)]
    document: dict[str, Any] = {"facts": facts, "cells": found}
    if best is None or best.plan is None:
        return document | {"error": "; ".join(cell.refusal for cell in cells)}
    document |= {"status": word(best.plan), "headline": headline(problem, best.plan).splitlines()}
    if best.plan.status is Status.ERROR:
        document["error"] = best.plan.native_status
    return document | ({} if best.plan.strategies is None else _grid(problem, best.plan))


def _cell(problem: NetworkProblem, cell: Result, is_best: bool) -> dict[str, Any]:
    plan = cell.plan
    if plan is None:
        return {"formulation": cell.formulation, "status": "declined", "note": cell.refusal, "best": False}
    return {
        "formulation": cell.formulation,
        "status": word(plan),
        "objective": _exact(problem, plan.objective),
        "bound": _exact(problem, bound(plan)),
        "gap": gap_of(plan.objective, bound(plan)),
        "time": in_seconds(plan.runtime_s),
        "note": "; ".join(filter(None, [plan.native_status, plan.note])),
        "best": is_best,
    }


def _exact(problem: NetworkProblem, value: Fraction | None) -> dict[str, Any] | None:
    if value is None:
        return None
    objective = problem.objective
    return {"exact": str(exact(value)), "shown": in_objective(objective, value), "full": exactly(objective, value)}


def gap_of(cost: Fraction | None, least: Fraction | None) -> str:
    """Return how far a plan's cost is above its bound, relative to it; nothing where that is 0 or one is unknown."""
    if cost is None or least is None or (cost != least and least <= 0):
        return ""
    return "none" if cost == least else percent(cost / least - 1)


def with_regrets(document: dict[str, Any], problem: NetworkProblem, explanation: Explanation) -> dict[str, Any]:
    """Return what was found, with what the second-best strategy of every layer would cost, or why that is not known."""
    regrets = explanation.regrets
    rows = [{**row, **_regret(problem, regrets.get(row["layer"]), explanation)} for row in document["rows"]]
    return {**document, "rows": rows, "regrets": uniqueness(problem, explanation)}


def why_told(problem: NetworkProblem, reasons: Sequence[LayerReason]) -> list[str]:
    """Return why the layers that the page shows are as they are, a sentence each, and what the numbers are."""
    lines = [sentence(problem, one) for one in reasons[:MOST_ROWS]]
    return [*lines, *remarks(problem, reasons), *numbers_lines(problem)] if lines else []


def _regret(problem: NetworkProblem, regret: Regret | None, explanation: Explanation) -> dict[str, str]:
    if explanation.missing:
        return {}
    if regret is None:
        return {"second": "no other is allowed"}
    sign = "+" if regret.cost > 0 else ""
    return {"second": regret.second_best, "regret": f"{sign}{regret_text(problem, regret)}"}


def _grid(problem: NetworkProblem, plan: Plan) -> dict[str, Any]:
    assert plan.strategies is not None
    breakdown = problem.bytes_of(plan.strategies)
    before = inter_before(problem, breakdown)
    layers = problem.work.layers[:MOST_ROWS]
    rows = [
        {
            "layer": layer.name,
            "kind": layer.kind,
            "word": plan.strategies[layer.name],
            "intra": in_bytes(sum(breakdown.intra[i])),
            "before": in_bytes(before[i]),
        }
        for i, layer in enumerate(layers)
    ]
    return {"rows": rows, "more": len(problem.work.layers) - len(layers)}

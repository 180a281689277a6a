"""What a job found, as its page and scripts read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.formulation.solution import Status
from hypar_opt.report.compare.notes import bound, word
from hypar_opt.report.content.named_plan import proves
from hypar_opt.report.numbers import exactly, in_objective, in_seconds, percent
from hypar_opt.solver.plan import Plan
from hypar_opt.util.numbers import exact
from hypar_opt.web.job_files import plan_of
from hypar_opt.web.kinds import JOB_KINDS, decided

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.formulation.potentials import Potentials
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.regrets import Explanation


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


def found_document(problem: Problem, cells: list[Result], best: Result | None) -> dict[str, Any]:
    """Return what was found of a problem, by every formulation, and the best plan layer by layer."""
    instance, kind = problem.instance, JOB_KINDS[problem.kind]
    accounting, batch, levels = problem.setting
    facts = {"instance": instance.name, "layers": decided(problem), "levels": levels or 0}
    facts |= {"batch": batch or getattr(instance, "microbatches", None) or 1, "accounting": accounting or "none"}
    least = None if best is None else best.objective
    found = [_cell(problem, cell, cell.is_solved and cell.objective == least) for cell in cells]
    if len(cells) > 1:
        found = [{**one, "plan": plan_of(i) if cells[i].is_solved else ""} for i, one in enumerate(found)]
    document: dict[str, Any] = {"facts": facts, "cells": found}
    if best is None or best.plan is None:
        return document | {"error": "; ".join(cell.refusal for cell in cells)}
    document |= {"status": word(best.plan), "headline": kind.headline(problem, best.plan).splitlines()}
    if best.plan.status is Status.ERROR:
        document["error"] = best.plan.native_status
    return document | ({} if best.plan.strategies is None else kind.rows(problem, best.plan))


def _cell(problem: Problem, cell: Result, is_best: bool) -> dict[str, Any]:
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


def _exact(problem: Problem, value: Fraction | None) -> dict[str, Any] | None:
    if value is None:
        return None
    objective = problem.objective
    return {"exact": str(exact(value)), "shown": in_objective(objective, value), "full": exactly(objective, value)}


def gap_of(cost: Fraction | None, least: Fraction | None) -> str:
    """Return how far a plan's cost is above its bound, relative to it; nothing where that is 0 or one is unknown."""
    if cost is None or least is None or (cost != least and least <= 0):
        return ""
    return "none" if cost == least else percent(cost / least - 1)


def with_regrets(document: dict[str, Any], problem: Problem, plan: Plan, explanation: Explanation) -> dict[str, Any]:
    """Return what was found, with what the second-best of every layer would cost, or why that is not known."""
    kind = JOB_KINDS[problem.kind]
    return {**kind.explained(document, problem, plan, explanation), "regrets": kind.uniqueness(problem, explanation)}

"""From the files of a collective and a plan to the schedule that is exported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.solver.collective_problem import CollectiveProblem
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.verification.checks import check_binding
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from pathlib import Path

    from hypar_opt.evaluation.collective import JudgedCollective


def read_judged(instance: str, path: Path) -> JudgedCollective:
    """Return the schedule of a plan's file.

    Parameters
    ----------
    instance
        A path or the name of a shipped collective; what replaced its fields stands in the plan's file.
    path
        Of the plan.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is no schedule: names the send.
    Refusal
        If it is no plan of a collective.
    """
    claim = read_claim(path)
    problem = problem_claimed(instance, claim)
    if not isinstance(problem, CollectiveProblem):
        raise Refusal(f"schedules of sends are plans of collectives, and this is one of another kind: {problem.kind}")
    check_binding(problem, claim)
    judged = problem.judged(claim.strategies_for("a plan to export"))
    if judged.fault is not None:
        raise InputError(judged.fault.text, file=claim.source, field="plan")
    return judged

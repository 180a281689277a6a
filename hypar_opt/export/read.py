"""From the files of an instance and a plan to the step that is exported."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.export.halves import as_operators
from hypar_opt.export.planned import PlannedStep, planned_step
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.util.errors import Refusal
from hypar_opt.verification.checks import check_binding, read_allowed
from hypar_opt.verification.claim import read_claim
from hypar_opt.verification.verifier import problem_claimed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.solver.problem import Problem
    from hypar_opt.verification.claim import Claim


NOT_EXPORTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "strategy-graph": "programs are exported of plans of networks, and this is a strategy graph",
        "staged": "programs are of plans on the whole array, and this network is put into stages",
        "pipeline": "programs are of plans of networks, and this is a pipeline: --to list writes its stages",
        "collective": "programs are of plans of networks, and this is a schedule of sends: --to chakra writes it",
        "task-graph": "programs are of plans of networks, and this is a schedule of tasks: --to trace writes it",
        "precision": "programs send all in full, and here layers choose their bits",
        "mixed": "programs run equal parts on all devices, and accelerators of several kinds have unequal ones",
    }
)
"""By kind of problem, why its plans are no programs."""


def read_step(instance: str, path: Path) -> PlannedStep:
    """Return the step of a plan's file.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance; what replaced its fields stands in the plan's file.
    path
        Of the plan, or a point of a front.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, or it is not allowed.
    Refusal
        If it is a plan of something that has no operators, or that cannot be exported.
    """
    claim = read_claim(path)
    return step_of(problem_claimed(instance, claim), claim, instance, path)


def step_of(problem: Problem, claim: Claim, instance: str, path: Path) -> PlannedStep:
    """Return the step of what a plan's file claims of a problem; as `read_step` takes and raises it."""
    if isinstance(problem, OperatorProblem):
        check_binding(problem, claim)
        strategies = claim.strategies_for("a plan to export")
        problem.check_words(strategies, path)
        return planned_step(problem.instance, problem.plan_of(strategies))
    if problem.kind in NOT_EXPORTED:
        raise Refusal(NOT_EXPORTED[problem.kind])
    networks, _, words = read_allowed(instance, path, "a plan to export")
    one, plan = as_operators(networks.instance, words)
    assert isinstance(one, OperatorInstance)
    return planned_step(one, plan)

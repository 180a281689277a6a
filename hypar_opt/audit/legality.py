"""Plans that an instance does not allow, and instances that allow none: by boxes, no formulation is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.audit.verdict import Judgement, NoPlan, Settled, Verdict
from hypar_opt.boxes import illegal, impossible
from hypar_opt.network import Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.audit.claims import Case
    from hypar_opt.problem import Problem


def forbidden(problem: Problem, words: Mapping[str, str]) -> str | None:
    """Return why an instance does not allow some words, which may be those of a part of its layers, or None."""
    part = Workload(tuple(layer for layer in problem.work.layers if layer.name in words), ())
    fault = illegal(part, words, problem.rules)
    return None if fault is None else f"the instance does not allow the plan: {fault}"


def require_allowed(case: Case, problem: Problem, words: Mapping[str, str]) -> None:
    """Settle a claim whose printed words the instance does not allow.

    Raises
    ------
    Settled
        If it does not.
    """
    why = forbidden(problem, words)
    if why is not None:
        raise Settled(Judgement(Verdict.REFUTED, "not allowed", why, case.label))


def require_some_plan(case: Case, problem: Problem) -> None:
    """Settle a claim about an instance that has no plan.

    Raises
    ------
    NoPlan
        If it has none.
    """
    layer = impossible(problem.work, problem.rules)
    if layer is not None:
        why = f"there is no plan to judge: no strategy is allowed for layer '{layer}', however its letters are mixed"
        raise NoPlan(Judgement(Verdict.REFUTED, "no plan", why, case.label))

"""What can be said of a claim without any search: whose plan it is, whether it is one, what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.boxes import illegal, incomplete
from hypar_opt.errors import InputError
from hypar_opt.plan import Status
from hypar_opt.plan_file import in_full
from hypar_opt.verification.verdict import Check, Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from hypar_opt.problem import Problem
    from hypar_opt.verification.claim import Claim


def check_binding(problem: Problem, claim: Claim) -> None:
    """Check that a claim is about this instance.

    Raises
    ------
    InputError
        If it is about another instance, another version of it, or other overrides.
    """
    instance = problem.instance
    if claim.instance != instance.name:
        raise InputError(
            f"is a plan of '{claim.instance}', not of '{instance.name}'", file=claim.source, field="instance"
        )
    if claim.instance_sha256 != instance.sha256:
        raise InputError(
            f"is a plan of another version of '{instance.name}': its hash is {claim.instance_sha256[:12]}..., "
            f"this one's {instance.sha256[:12]}...",
            file=claim.source,
            field="instance_sha256",
        )
    if dict(claim.overrides) != dict(instance.overrides):
        raise InputError(
            f"was made with overrides {dict(claim.overrides)}, the instance was read with {dict(instance.overrides)}",
            file=claim.source,
            field="overrides",
        )


def strategy_checks(problem: Problem, strategies: Mapping[str, str]) -> Iterator[Check]:
    """Yield whether the plan is complete, and whether its strategies are allowed."""
    fault = incomplete(problem.work, strategies)
    count = f"{len(problem.work.layers):,} layers, {problem.instance.levels} levels"
    yield _check("plan", fault, f"complete: {count}")
    if fault is None:
        fault = illegal(problem.work, strategies, problem.rules)
        yield _check("strategies", fault, "every layer's is allowed")


def cost_checks(problem: Problem, claim: Claim, total: int | Fraction) -> Iterator[Check]:
    """Yield whether the claimed numbers are what the plan costs, and fit each other.

    Parameters
    ----------
    total
        The plan's bytes by boxes.
    """
    objective = problem.objective_of(total)
    yield _equal("communication", claim.communication_bytes, total, "bytes, recomputed by boxes")
    yield _equal("objective", claim.objective, objective, "recomputed from the bytes")
    if claim.status is Status.OPTIMAL and claim.bound != objective:
        fault = f"claims OPTIMAL with the bound {in_full(claim.bound)} and the objective {in_full(objective)}"
    elif claim.bound is not None and claim.bound > objective:
        fault = f"the bound {in_full(claim.bound)} is above the plan's own objective {in_full(objective)}"
    else:
        fault = None
    yield _check("bound", fault, "fits the status and the objective")


def _equal(name: str, claimed: Fraction | None, found: int | Fraction, what: str) -> Check:
    fault = None
    if claimed is None or claimed != found:
        off = "" if claimed is None else f" (off by {in_full(claimed - found)})"
        fault = f"claimed {in_full(claimed)}, it is {in_full(found)}{off}"
    return _check(name, fault, f"{in_full(found)} {what}")


def _check(name: str, fault: str | None, text: str) -> Check:
    return Check(name, Outcome.CONFIRMED if fault is None else Outcome.REFUTED, fault or text)

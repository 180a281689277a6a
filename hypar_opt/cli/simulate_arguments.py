"""What hypar-opt simulate reads: a plan, its instance, and the array to simulate it on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance import load_instance
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.network_tasks import sites_of
from hypar_opt.util.errors import InputError
from hypar_opt.verification import read_claim
from hypar_opt.verification.checks import check_binding, placement_checks, strategy_checks
from hypar_opt.verification.verdict import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.verification import Claim
    from hypar_opt.verification.verdict import Check


def read(instance: str, path: Path, array: str | None) -> tuple[NetworkProblem, Mapping[str, str], tuple[int, ...]]:
    """Return an instance with the array to simulate, a plan's strategies, and where its leaves stand.

    Parameters
    ----------
    instance
        A path or the name of a shipped instance.
    path
        The plan's file.
    array
        Another array than the plan was made for, or None.

    Raises
    ------
    InputError
        If the plan is of another instance, there is none, it is not allowed, or has other levels than the array.
    """
    claim = read_claim(path)
    problem = NetworkProblem(load_instance(instance, **claim.overrides))
    check_binding(problem, claim)
    if claim.strategies is None:
        raise InputError(f"has status {claim.status} and no plan, expected a plan to simulate", file=path, field="plan")
    _require((*strategy_checks(problem, claim.strategies), *placement_checks(problem, claim)), path)
    if array is None:
        return problem, claim.strategies, _sites(problem, claim)
    other = NetworkProblem(load_instance(instance, **{**claim.overrides, "array": array}))
    if other.instance.levels != problem.instance.levels:
        levels = f"levels {problem.instance.levels} (of the plan), got {other.instance.levels}"
        raise InputError(f"expected an array of {levels}", field="--array")
    _require(strategy_checks(other, claim.strategies), path)
    return other, claim.strategies, _given(other)


def _require(checks: Iterable[Check], path: Path) -> None:
    for check in checks:
        if check.outcome is not Outcome.CONFIRMED:
            raise InputError(check.text, file=path, field="plan")


def _sites(problem: NetworkProblem, claim: Claim) -> tuple[int, ...]:
    """Return the plan's own placement, or else the instance's."""
    if claim.placement is None:
        return _given(problem)
    return sites_of(problem, claim.placement)


def _given(problem: NetworkProblem) -> tuple[int, ...]:
    """Return the instance's placement; where it is free and nothing was decided, leaf i stands on accelerator i."""
    return problem.instance.placement or tuple(range(problem.instance.partition.leaves))


def memory_of(problem: NetworkProblem) -> Fraction:
    """Return the bandwidth of an accelerator's memory.

    Raises
    ------
    InputError
        If the array does not say it.
    """
    accelerator = problem.instance.accelerator
    if accelerator is None or accelerator.bandwidth is None:
        raise InputError("missing; --memory-ports needs it", field="array.accelerator.memory.bandwidth")
    return accelerator.bandwidth

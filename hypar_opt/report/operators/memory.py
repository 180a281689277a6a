"""What each device keeps by a plan of operators, for machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.solver.operator_problem import OperatorProblem


def memory_document(problem: OperatorProblem, strategies: Mapping[str, str]) -> dict[str, Any]:
    """Return the bytes that a plan keeps on each device, and those of each operator by kind, recounted and exact."""
    plan = problem.plan_of(strategies)
    kept = {name: own for name, own in problem.kept(plan).items() if own}
    return {
        "bytes": exact(problem.kept_in_all(plan)),
        "operators": {name: {kind: exact(size) for kind, size in own.items()} for name, own in kept.items()},
    }

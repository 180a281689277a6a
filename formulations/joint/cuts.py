"""What bounds of placements say about level weights: `V . w >= lower_bound(V)` for some volumes V."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from formulations.placement.bounds import lower_bound
from hypar_opt.run import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from formulations.joint.strategies import Strategies
    from hypar_opt.placement import JointGraph
    from hypar_opt.run import Run


def quick_bound(graph: JointGraph, run: Run) -> Callable[[Sequence[int]], int]:
    """Return a function from volumes to a number that no placement's cost undercuts.

    The levels of a placement can be exchanged, so that the order of the volumes does not matter. The function
    raises `Stopped` if the run has to end.
    """
    known: dict[tuple[int, ...], int] = {}

    def bound(volumes: Sequence[int]) -> int:
        divisor = gcd(*volumes) or 1
        key = tuple(sorted((volume // divisor for volume in volumes), reverse=True))
        if run.limits.over:
            raise Stopped
        if key not in known:
            known[key] = lower_bound(graph.placing(key), run).value
        return known[key] * divisor

    return bound


def first_volumes(graph: JointGraph, strategies: Strategies) -> list[tuple[int, ...]]:
    """Return volumes to begin with: of some levels alone, all alike, and of the plan that communicates least.

    Raises
    ------
    Stopped
        If the run has to end.
    NoPlan
        If no strategies are allowed.
    """
    levels = graph.levels
    found = [(1,) * number + (0,) * (levels - number) for number in range(2, levels + 1)]
    return [*found, strategies.best((1,) * levels).volumes]

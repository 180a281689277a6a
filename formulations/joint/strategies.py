"""P(w): the best strategies for given level weights, asked of joint-dp."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from formulations.joint_dp import FORMULATION as JOINT_DP
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.run import Limits


class NoPlan(Exception):
    """Raised where no strategies are allowed at all; never leaves a formulation."""


@dataclass(frozen=True)
class Strategy:
    """The best strategies for some level weights.

    Parameters
    ----------
    value
        P(w), in the unit of w.
    choices
        The strategies.
    volumes
        Their bytes by level.
    """

    value: Fraction
    choices: tuple[int, ...]
    volumes: tuple[int, ...]


@dataclass(frozen=True)
class Strategies:
    """A function from level weights to the best strategies, which remembers.

    Parameters
    ----------
    graph
        The problem.
    limits
        Of the run.
    """

    graph: JointGraph
    limits: Limits
    _known: dict[tuple[int, ...], Strategy] = field(default_factory=dict, repr=False)

    @property
    def asked(self) -> int:
        """How many different weights were asked for, apart from factors."""
        return len(self._known)

    def best(self, weights: Sequence[int | Fraction]) -> Strategy:
        """Return the best strategies for weights of at least 0; whole ones are asked for, as P(t w) = t P(w).

        Raises
        ------
        Stopped
            If the run has to end.
        NoPlan
            If no strategies are allowed.
        """
        scale = lcm(*(Fraction(weight).denominator for weight in weights))
        whole = [int(weight * scale) for weight in weights]
        divisor = gcd(*whole) or 1
        key = tuple(weight // divisor for weight in whole)
        if key not in self._known:
            self._known[key] = self._solved(key)
        found = self._known[key]
        return Strategy(found.value * divisor / scale, found.choices, found.volumes)

    def _solved(self, weights: tuple[int, ...]) -> Strategy:
        if self.limits.over:
            raise Stopped
        solution = JOINT_DP.solve(self.graph.weighed(weights), Run(JOINT_DP.name, self.limits))
        if solution.status is Status.INFEASIBLE:
            raise NoPlan
        if solution.choices is None or solution.bound is None:
            raise Stopped
        return Strategy(Fraction(solution.bound), solution.choices, self.graph.volumes(solution.choices))


def refused(graph: JointGraph, run: Run) -> str | None:
    """Return why joint-dp does not take the strategies' problem, or None."""
    reason = JOINT_DP.accepts(graph.weighed([1] * graph.levels), run)
    return None if reason is None else f"joint-dp, which it asks, declines: {reason}"

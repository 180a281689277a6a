"""What the joint formulations ask, and remember: P(w) of joint-dp, f(C) of an exact formulation of placements.

Both go with factors, P(t w) = t P(w) and f(t C) = t f(C), so that numbers are asked for without their common divisor.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from formulations.joint_dp import FORMULATION as JOINT_DP
from formulations.placement.bounds import lower_bound
from formulations.placement.symmetry import descending, exchanged, inverse
from hypar_opt.formulation.run import Limits, Run, Stopped
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph.placement import JointGraph
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.protocol import Formulation


class NoStrategies(Exception):
    """Raised where no strategies are allowed at all; never leaves a formulation."""


def primitive(numbers: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Return numbers without their common divisor, and it; 1 if all are 0."""
    divisor = gcd(*numbers) or 1
    return tuple(number // divisor for number in numbers), divisor


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
        NoStrategies
            If no strategies are allowed.
        """
        scale = lcm(*(Fraction(weight).denominator for weight in weights))
        key, divisor = primitive([int(weight * scale) for weight in weights])
        if key not in self._known:
            self._known[key] = self._solved(key)
        found = self._known[key]
        return Strategy(found.value * divisor / scale, found.choices, found.volumes)

    def _solved(self, weights: tuple[int, ...]) -> Strategy:
        if self.limits.over:
            raise Stopped
        solution = JOINT_DP.solve(self.graph.weighed(weights), Run(JOINT_DP.name, self.limits))
        if solution.status is Status.INFEASIBLE:
            raise NoStrategies
        if solution.choices is None or solution.bound is None:
            raise Stopped
        return Strategy(Fraction(solution.bound), solution.choices, self.graph.volumes(solution.choices))


def offer_identity(best: Incumbent, strategies: Strategies) -> None:
    """Offer leaf i on site i with the strategies that are best there: sites that are free cost no more than these.

    Raises
    ------
    Stopped
        If the run has to end.
    NoStrategies
        If no strategies are allowed.
    """
    placement = strategies.graph.placement
    identity = tuple(range(placement.leaves))
    best.offer((*strategies.best(placement.weights(identity)).choices, *identity))


def refused(graph: JointGraph, run: Run) -> str | None:
    """Return why joint-dp does not take the strategies' problem, or None."""
    reason = JOINT_DP.accepts(graph.weighed([1] * graph.levels), run)
    return None if reason is None else f"joint-dp, which it asks, declines: {reason}"


@dataclass(frozen=True)
class Placed:
    """What is known of the best sites for some volumes.

    Parameters
    ----------
    bound
        No placement costs less.
    placed
        The best one found, or None.
    """

    bound: int
    placed: tuple[int, ...] | None


@dataclass(frozen=True)
class Placements:
    """A function from volumes to sites, which remembers.

    The levels of f's argument can be exchanged and f(t C) = t f(C), so that volumes are asked for in descending
    order, without their common divisor.

    Parameters
    ----------
    graph
        The problem.
    limits
        Of the run.
    formulation
        An exact one of placements.
    """

    graph: JointGraph
    limits: Limits
    formulation: Formulation
    _known: dict[tuple[int, ...], Placed] = field(default_factory=dict, repr=False)

    @property
    def asked(self) -> int:
        """How many different volumes were asked for, apart from factors and their order."""
        return len(self._known)

    def best(self, volumes: Sequence[int]) -> Placed:
        """Return the best sites for volumes, or what a limit left of the search."""
        order = descending(volumes)
        key, divisor = primitive([volumes[h] for h in order])
        if key not in self._known:
            self._known[key] = self._solved(key)
        found = self._known[key]
        placed = None if found.placed is None else exchanged(found.placed, inverse(order))
        return Placed(found.bound * divisor, placed)

    def _solved(self, volumes: tuple[int, ...]) -> Placed:
        run = Run(self.formulation.name, self.limits)
        solution = self.formulation.solve(self.graph.placing(volumes), run)
        return Placed(max(0, int(solution.bound or 0)), solution.choices)


def quick_bound(graph: JointGraph, run: Run) -> Callable[[Sequence[int]], int]:
    """Return a function from volumes to a number that no placement's cost undercuts.

    The levels of a placement can be exchanged, so that the order of the volumes does not matter. The function
    raises `Stopped` if the run has to end.
    """
    known: dict[tuple[int, ...], int] = {}

    def bound(volumes: Sequence[int]) -> int:
        key, divisor = primitive(sorted(volumes, reverse=True))
        if run.limits.over:
            raise Stopped
        if key not in known:
            known[key] = lower_bound(graph.placing(key), run).value
        return known[key] * divisor

    return bound

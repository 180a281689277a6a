"""What a plan costs as far as its objective asks, and how much more that is than what another one costs."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.evaluation.legality import forbidden
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.solver.network_problem import NetworkProblem


@dataclass(frozen=True)
class PlanAmount:
    """What a plan costs, or how much more than another one: all of it exact.

    Parameters
    ----------
    levels
        Bytes at each level.
    objective
        In the objective's unit; of components one before another, their sum with the weights that put them in order.
    costs
        By component: those of the objective, and others that were asked for.
    """

    levels: tuple[Bytes, ...]
    objective: Fraction
    costs: Mapping[str, Fraction]

    @property
    def bytes(self) -> Bytes:
        """Of all levels."""
        return sum(self.levels)

    def minus(self, other: PlanAmount) -> PlanAmount:
        """Return how much more this is."""
        return self._plus(other, -1)

    def plus(self, other: PlanAmount) -> PlanAmount:
        """Return both together."""
        return self._plus(other, 1)

    def _plus(self, other: PlanAmount, times: int) -> PlanAmount:
        levels = tuple(one + times * two for one, two in zip(self.levels, other.levels, strict=True))
        costs = {name: cost + times * other.costs[name] for name, cost in self.costs.items()}
        return PlanAmount(levels, self.objective + times * other.objective, costs)


def amount_of(
    problem: NetworkProblem, breakdown: Breakdown, placed: Sequence[int] | None, others: Iterable[str] = ()
) -> PlanAmount:
    """Return what a plan costs, by code that shares nothing with the formulations' problems.

    Parameters
    ----------
    breakdown
        Of the plan.
    placed
        An accelerator's position for every leaf, where the objective, or another component, depends on it.
    others
        Components beside those of the objective.
    """
    levels = tuple(breakdown.level(h) for h in range(problem.instance.levels))
    names = tuple(dict.fromkeys((*problem.objective.components, *others)))
    if names == (COMMUNICATION,):
        return _of_bytes(problem, levels)
    costs = problem.costs(breakdown, placed, names)
    return PlanAmount(levels, problem.combined(costs), {name: costs[name] for name in names})


def _of_bytes(problem: NetworkProblem, levels: Sequence[Bytes]) -> PlanAmount:
    costs = {COMMUNICATION: Fraction(sum(levels))}
    return PlanAmount(tuple(levels), problem.combined(costs), costs)


def more_of(
    problem: NetworkProblem,
    breakdown: Breakdown,
    amount: PlanAmount,
    name: str,
    word: str,
    placed: Sequence[int] | None = None,
) -> tuple[Breakdown, PlanAmount]:
    """Return the plan in which one layer has another word, and what that costs more.

    Parameters
    ----------
    breakdown, amount
        Of the plan as it is.
    name, word
        Of the layer, and what it has instead.
    placed
        An accelerator's position for every leaf; the given placement, unless told.
    """
    alone = problem.with_word(breakdown, name, word)
    if tuple(amount.costs) != (COMMUNICATION,):
        stands = problem.placed if placed is None else placed
        return alone, amount_of(problem, alone, stands, amount.costs).minus(amount)
    at, edges = problem.touching[name]
    levels: list[Bytes] = [0] * problem.instance.levels
    for one, times in ((alone, 1), (breakdown, -1)):
        for row in (one.intra[at], *(one.inter[place] for place in edges)):
            levels = [so_far + times * count for so_far, count in zip(levels, row, strict=True)]
    return alone, _of_bytes(problem, levels)


def fault_of_change(problem: NetworkProblem, layer: WorkLayer, strategies: Mapping[str, str]) -> str:
    """Return what keeps a plan from being allowed in which one layer has another word, or nothing.

    Parameters
    ----------
    strategies
        Of that plan; those of the other layers are allowed.
    """
    wrong = forbidden(layer, strategies[layer.name], problem.rules)
    return f"it {wrong}" if wrong else problem.excess(strategies) or ""

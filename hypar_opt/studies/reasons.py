"""Why a layer of a plan is as it is: what it exchanges, and what another letter at its levels would exchange instead.

The other layers stay as they are; what they would do about it, a layer's regret says (`sensitivity`).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.choices import halving_of, halvings_of
from hypar_opt.instance.fix import OPEN
from hypar_opt.studies.amounts import PlanAmount, amount_of, fault_of_change, more_of
from hypar_opt.util.interrupt import never
from hypar_opt.util.lazy import deferred

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.evaluation.communication import Breakdown, Bytes
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.solver.network_problem import NetworkProblem
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class LayerExchange:
    """What a layer exchanges at all levels together, as the evaluator recomputes it.

    Parameters
    ----------
    word
        A letter a level.
    sums
        Bytes by the tensor whose partial sums are added up; only those that there are.
    boundaries
        Bytes at the boundaries that it reads and writes.
    """

    word: str
    sums: Mapping[Operand, Bytes]
    boundaries: Bytes

    @property
    def total(self) -> Bytes:
        """Of both."""
        return sum(self.sums.values()) + self.boundaries


@dataclass(frozen=True)
class OtherLetter:
    """What a layer would exchange with another letter at successive levels, the rest of the plan as it is.

    Parameters
    ----------
    letter
        The other one.
    first, last
        Levels at which the layer has one letter and would have this one, from 1.
    exchange
        Of the layer, then.
    more
        What that plan costs more.
    fault
        What keeps it from being allowed, or nothing.
    """

    letter: str
    first: int
    last: int
    exchange: LayerExchange
    more: PlanAmount
    fault: str = ""


@dataclass(frozen=True)
class LayerReason:
    """Why a layer is as it is.

    Parameters
    ----------
    layer
        Its name.
    exchange
        As it is.
    given
        Whether the instance gives its strategy, at every level.
    others
        What it could have instead, from the root down.
    """

    layer: str
    exchange: LayerExchange
    given: bool
    others: tuple[OtherLetter, ...]


def reasons_of(problem: NetworkProblem, plan: Plan, over: Callable[[], bool] = never) -> tuple[LayerReason, ...]:
    """Return why every layer of a plan is as it is, in exact numbers, up to where it is told to stop.

    Parameters
    ----------
    problem
        Whose plan it is.
    plan
        Has strategies.
    over
        Asked before every layer whether to stop.

    Raises
    ------
    ValueError
        If the plan has no strategies.
    """
    if plan.strategies is None:
        raise ValueError(f"a plan with status {plan.status} has no layers to give reasons of")
    if problem.is_free and plan.placement is not None:
        problem = problem.at(plan.placement)
    breakdown = problem.bytes_of(plan.strategies)
    amount = amount_of(problem, breakdown, problem.placed)
    found = []
    for layer in problem.work.layers:
        if over():
            break
        given = OPEN not in problem.rules.fix.get(layer.name, OPEN)
        others = () if given else tuple(_others(problem, breakdown, amount, layer))
        found.append(LayerReason(layer.name, exchange_of(problem, breakdown, layer), given, others))
    return tuple(found)


def _others(
    problem: NetworkProblem, breakdown: Breakdown, amount: PlanAmount, layer: WorkLayer
) -> Iterator[OtherLetter]:
    word, first = breakdown.strategies[layer.name], 1
    letters = [letter for letter in problem.instance.choices if letter in halvings_of(layer)]
    fixed = problem.rules.fix.get(layer.name, OPEN * len(word))
    for (letter, given), run in groupby(zip(word, fixed, strict=True), key=lambda one: (one[0], one[1] != OPEN)):
        last = first + len(list(run)) - 1
        for other in letters:
            if other != letter and not given:
                changed = word[: first - 1] + other * (last - first + 1) + word[last:]
                alone, more = more_of(problem, breakdown, amount, layer.name, changed)
                fault = fault_of_change(problem, layer, alone.strategies)
                yield OtherLetter(other, first, last, exchange_of(problem, alone, layer), more, fault)
        first = last + 1


def exchange_of(problem: NetworkProblem, breakdown: Breakdown, layer: WorkLayer) -> LayerExchange:
    """Return what a layer exchanges in a plan.

    Parameters
    ----------
    breakdown
        Of the plan.
    """
    at, edges = problem.touching[layer.name]
    word = breakdown.strategies[layer.name]
    sums: dict[Operand, Bytes] = {}
    for letter, count in zip(word, breakdown.intra[at], strict=True):
        summed = halving_of(layer, letter).summed
        if summed is not None and count:
            sums[summed] = sums.get(summed, 0) + count
    return LayerExchange(word, sums, sum(sum(breakdown.inter[place]) for place in edges))


REASONS: Final[Mapping[str, Callable[[Any, Plan, Callable[[], bool]], Sequence[Any]]]] = MappingProxyType(
    {"network": reasons_of, "operators": deferred("hypar_opt.studies.operators.reasons", "operator_reasons")}
)
"""By kind of problem, what says why a plan is as it is."""

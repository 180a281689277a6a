"""Words and placement of operators' devices in turn, until neither improves on the other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.objective.components import COMM_TIME, COMMUNICATION, PLACED
from hypar_opt.solver.check import noted
from hypar_opt.solver.operator_busiest import BusiestLinks
from hypar_opt.solver.operator_placement import OperatorPlacementTask, machine_of, parts_of
from hypar_opt.solver.operator_tasks import OperatorTask
from hypar_opt.solver.problem import Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.operator_standing import StandingOperators
    from hypar_opt.solver.plan import Plan

Problems = TypeVar("Problems", bound="StandingOperators")
PLACES: Final = "placement-traffic"
"""The formulation that is asked where devices stand."""
PLACING_S: Final = 10.0
"""How long a placement is searched for in a round, at most; what is not proven by then is the best of its exchanges."""
MOST_ROUNDS: Final = 20
"""Of placement and words in turn from one beginning; it mostly ends after two or three."""


class PlacedWords(NamedTuple):
    """Words and a placement, each as good as was found for the other.

    Parameters
    ----------
    strategies, placement
        The words, and by device its accelerator's name.
    value
        What they cost.
    words_proven, placement_proven
        Whether no words are better there, and no placement of these words.
    rounds
        How often devices were placed.
    """

    strategies: Mapping[str, str]
    placement: tuple[str, ...]
    value: Fraction
    words_proven: bool
    placement_proven: bool
    rounds: int


@dataclass(frozen=True, eq=False)
class InTurn(Generic[Problems]):
    """Words and placement in turn, until neither improves on the other.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    limits
        For each placement.
    solve
        Finds words.
    """

    problem: Problems
    limits: Limits
    solve: Callable[[Problems], Plan]

    def found(self, start: Start) -> tuple[PlacedWords, Fraction | None] | Solution:
        """Return the best pair and a bound of all pairs, or that there are no words.

        Begins with the words of least communication, those that are best for devices in order, and the start's.
        """
        self.is_timed  # noqa: B018 - refuses what placements cannot be decided by
        first = self.solve(self.problem.by_communication)
        if first.strategies is None:
            status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
            return Solution(status, native_status=f"no words to place: {first.status} by {first.formulation}")
        best: PlacedWords | None = None
        seen: list[Mapping[str, str]] = []
        for words in self._beginnings(first.strategies, start):
            if best is not None and self.limits.over:
                break
            if words not in seen:
                seen.append(words)
                pair = self._settled(words, start.placement)
                best = pair if best is None or pair.value < best.value else best
        assert best is not None  # there is a beginning
        return best, least_anywhere(self.problem, first.bound)

    def _beginnings(self, least: Mapping[str, str], start: Start) -> Iterator[Mapping[str, str]]:
        if start.strategies is not None:
            yield dict(start.strategies)
        yield least
        in_order = self.solve(self.problem.in_order)
        if in_order.strategies is not None:
            yield in_order.strategies

    def _settled(self, words: Mapping[str, str], begin: Sequence[str] | None) -> PlacedWords:
        """Place words, look for better ones there, and so on."""
        rounds = 0
        while True:
            rounds += 1
            begin, value, proven = self._placed(words, begin)
            if self.limits.over or rounds == MOST_ROUNDS:
                return PlacedWords(words, begin, value, False, proven, rounds)
            better = self.solve(self.problem.at(begin))
            if better.strategies is None or better.objective is None or better.objective >= value:
                settled = better.status is Status.OPTIMAL and better.objective == value
                return PlacedWords(words, begin, value, settled, proven, rounds)
            words = better.strategies

    @cached_property
    def is_timed(self) -> bool:
        """Whether the busiest links' time counts."""
        return bool(parts_of(self.problem).get(COMM_TIME))

    def _placed(self, words: Mapping[str, str], begin: Sequence[str] | None) -> tuple[tuple[str, ...], Fraction, bool]:
        """Return a placement of words, what it costs, and whether none is better; one is there: the devices' order."""
        limits = self.limits.within(PLACING_S)
        if not self.is_timed:
            return self._by_traffic(OperatorPlacementTask(self.problem, words), begin, limits)
        accelerators = machine_of(self.problem).accelerators
        by_hops = OperatorPlacementTask(self.problem.by_hops, words)
        begin = begin or self._by_traffic(by_hops, None, limits)[0]
        first = by_hops.encode(Start(placement=begin)) or ()
        links = BusiestLinks(self.problem, words)
        sites, value, proven = links.best((first, range(len(accelerators))), limits)
        return tuple(accelerators[site] for site in sites), value, proven

    def _by_traffic(
        self, task: OperatorPlacementTask, begin: Sequence[str] | None, limits: Limits
    ) -> tuple[tuple[str, ...], Fraction, bool]:
        """Return a placement by what pairs of devices exchange."""
        run = Run(PLACES, limits, task.encode(Start(placement=begin)))
        chosen = load_formulation(PLACES)
        require(chosen, task.graph, run)
        placed = chosen.solve(task.graph, run)
        sites = placed.choices or ()
        value = Fraction(task.value(sites) + task.shift, task.unit)
        return task.names(sites), value, placed.status is Status.OPTIMAL


def least_anywhere(problem: StandingOperators, least: Fraction | None) -> Fraction | None:
    """Return what no words cost at any placement, by the least bytes; what is not of links is not counted.

    Each byte crosses what two sites cost at the least; and as many as all devices receive in an exchange arrive by the
    accelerators' links, which take no longer only if all of them are busy all the time.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    least
        Bytes that no plan moves less than, as far as that is known.
    """
    parts = parts_of(problem)
    if least is None:
        return None
    machine, weights = machine_of(problem), {name: one for name, one in parts.items() if name in PLACED}
    charge, routes = charge_of(machine, weights), every_route(machine)
    costs = routes.sums(charge.added).reshape(len(machine.accelerators), -1)
    nearest = min(int(one) for one in costs[~np.eye(len(costs), dtype=bool)])
    a_byte = parts.get(COMMUNICATION, Fraction(0)) + Fraction(nearest, charge.common * routes.parts)
    if weights.get(COMM_TIME):
        a_byte += weights[COMM_TIME] / arriving(machine)
    return least * a_byte


def arriving(machine: Machine) -> Fraction:
    """Return the bytes a second that all accelerators' links bring together, those that pass on included."""
    count = len(machine.accelerators)
    ends = (link.bandwidth or Fraction(0) for link in machine.links for end in link.ends if end < count)
    return sum(ends, start=Fraction(0))


@dataclass(frozen=True, eq=False)
class PairTask(OperatorTask):
    """Words at a placement that was found with them; neither is looked for any more.

    Parameters
    ----------
    pair
        What was found.
    least
        What no words cost at any placement, as far as that is known.
    """

    pair: PlacedWords
    least: Fraction | None

    def value(self, choices: Sequence[int]) -> int:
        """Return what all words cost: nothing is searched for, so that choices are not those that presolve leaves."""
        return self.problem.apart.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are allowed, as far as single ones say."""
        return self.problem.apart.feasible(choices)

    def known_solution(self, run: Run) -> Solution:
        """Return the pair; OPTIMAL only where it costs no more than any can.

        The bound is rounded down: costs at other placements need not be multiples of the unit at this one.
        """
        choices = self.problem.choices(self.pair.strategies)
        value = self.value(choices)
        bound = None if self.least is None else min(value, floor(self.least * self.unit - self.shift))
        status = Status.OPTIMAL if bound == value else Status.FEASIBLE
        facts = {"rounds": self.pair.rounds}
        return Solution(status, choices, bound, "placement and words in turn", "", facts)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan, of which the note says what is proven."""
        plan, fault = super().evaluated(choices, plan)
        plan = replace(plan, decided="both", bound=self.least if plan.status is Status.FEASIBLE else plan.bound)
        if plan.status is Status.OPTIMAL:
            timed = bool(parts_of(self.problem).get(COMM_TIME))
            how = "all accelerators' links are busy" if timed else "every byte crosses as few links as any can"
            return noted(plan, f"{how}, and no words move fewer bytes"), fault
        proofs = (
            f"the placement is {'' if self.pair.placement_proven else 'not '}proven best for these words",
            f"the words are {'' if self.pair.words_proven else 'not '}proven best for this placement",
            "both together are not proven",
        )
        return noted(plan, *proofs), fault

"""Where the devices of operators stand: the placement of a plan, and placement and words in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, lcm
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.cost.operators.components import charged
from hypar_opt.costgraph.placement.traffic import TrafficGraph
from hypar_opt.evaluation.links import misplaced
from hypar_opt.evaluation.operators.exchanges import exchanges
from hypar_opt.formulation.registry import load_formulation, require
from hypar_opt.formulation.run import Run
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, HOP_BYTES, PLACED
from hypar_opt.solver.check import noted
from hypar_opt.solver.operator_tasks import OperatorTask
from hypar_opt.solver.problem import Decoded, Start, Task
from hypar_opt.util.errors import InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.operator_problem import OperatorProblem
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask

PLACES: Final = "placement-traffic"
"""The formulation that is asked where devices stand while words are looked for, too."""
GIVE_ONE: Final = "give a placement: --placement identity"
MOST_ROUNDS: Final = 20
"""Of placement and words in turn from one beginning; it mostly ends after two or three."""


def weights_of(problem: OperatorProblem) -> Mapping[str, Fraction]:
    """Return what the objective's parts weigh where the placement is decided.

    Raises
    ------
    Refusal
        If one is no sum over the devices' pairs, or there are bounds.
    """
    found: dict[str, Fraction] = {}
    for name, weight in problem.objective.weights.items():
        for part in charged(name) if weight else ():
            found[part] = found.get(part, Fraction(0)) + weight
    if found.get(COMM_TIME):
        raise Refusal(
            f"the busiest links' time is no sum over pairs of devices, by which they are placed; {GIVE_ONE}, or decide "
            "it by hop-bytes first, and give that"
        )
    if problem.instance.bounds:
        raise Refusal(f"placements are decided without bounds only; {GIVE_ONE}")
    return found


def machine_of(problem: OperatorProblem) -> Machine:
    """Return the graph that devices are to stand on."""
    machine = problem.instance.machine
    assert machine is not None  # a placement is asked for where there is a topology
    return machine


@dataclass(frozen=True, eq=False)
class OperatorPlacementTask(Task):
    """The placement alone, for words that are given.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    strategies
        A plan of it.
    """

    problem: OperatorProblem
    strategies: Mapping[str, str]

    @cached_property
    def plan(self) -> OperatorPlan:
        """What the evaluator understands of the words."""
        return self.problem.plan_of(self.strategies)

    @cached_property
    def graph(self) -> TrafficGraph:
        """What the formulation reads; costs are in units of 1 / unit."""
        flows, costs, unit = self._tables
        return TrafficGraph(
            self.problem.instance.partition,
            flows * (self.unit // unit),
            costs,
            0,
            machine_of(self.problem).accelerators,
        )

    @cached_property
    def _tables(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Return what pairs exchange, what pairs of sites cost, and the unit of their products."""
        weights = {name: one for name, one in weights_of(self.problem).items() if name in (HOP_BYTES, COMM_ENERGY)}
        machine, partition = machine_of(self.problem), self.problem.instance.partition
        charge, routes = charge_of(machine, weights), every_route(machine)
        sites, count = len(machine.accelerators), partition.leaves
        costs = routes.sums(charge.added).reshape(sites, sites).astype(object)
        sent = np.full((count, count), Fraction(0))
        for exchange in exchanges(self.problem.instance.graph, partition, self.plan):
            for way, size in exchange.ways:
                pairs = np.array(list(way.pairs(partition)))
                sent[pairs[:, 0], pairs[:, 1]] += size
        if not np.array_equal(costs, costs.T) and not np.array_equal(sent, sent.T):
            raise Refusal(f"the way there and the way back cost different energies, and so much is sent; {GIVE_ONE}")
        common = lcm(*(one.denominator for one in sent.reshape(-1)))
        flows = np.array([[int(one * common) for one in row] for row in sent], dtype=object)
        # if one of the two is symmetric, the sum over ordered pairs is half of the sums' over unordered ones
        return flows + flows.T, costs + costs.T, 2 * common * charge.common * routes.parts

    @cached_property
    def _constant(self) -> Fraction:
        """What the plan costs wherever devices stand."""
        weights = {name: weight for name, weight in weights_of(self.problem).items() if name not in PLACED}
        found = self.problem.in_order.costs(self.plan) if weights else {}
        return sum((weight * found[name] for name, weight in weights.items()), start=Fraction(0))

    @cached_property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return lcm(self._tables[2], self._constant.denominator)

    @property
    def shift(self) -> int:
        """What every placement costs besides."""
        return int(self._constant * self.unit)

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Devices and accelerators."""
        return [(f"device {device}", self.graph.sites) for device in range(self.graph.leaves)]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the given words and the placement."""
        return dict(self.strategies), tuple(choices)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with."""
        return None if start.placement is None else sites_of(self.problem, start.placement)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether every device has an accelerator of its own."""
        return self.graph.feasible(choices)

    def names(self, choices: Sequence[int]) -> tuple[str, ...]:
        """Return by device its accelerator's name."""
        return tuple(machine_of(self.problem).accelerators[site] for site in choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan with the placement, recounted by walked routes and by what words cost on given sites."""
        fault = misplaced(machine_of(self.problem), tuple(choices), self.problem.instance.partition)
        if fault is not None:
            return plan, fault
        there = self.problem.at(self.names(choices))
        whole = OperatorTask(replace(there, as_tables=False))
        plan, fault = whole.evaluated(there.choices(self.strategies), plan)
        value = Fraction(self.value(choices) + self.shift, self.unit)
        if fault is None and plan.objective != value:
            fault = f"by walked routes it costs {plan.objective}, by the devices' traffic {value}"
        return plan, fault


def sites_of(problem: OperatorProblem, names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of accelerators.

    Raises
    ------
    InputError
        If a name is none, or there is not one for every device.
    """
    position = {name: site for site, name in enumerate(machine_of(problem).accelerators)}
    devices = problem.instance.devices
    if len(names) != devices:
        raise InputError(f"expected {devices} accelerators, one for every device, got {len(names)}", field="placement")
    for device, name in enumerate(names):
        if name not in position:
            raise InputError(f"the array has no accelerator '{name}'", field=f"placement[{device}]")
    return tuple(position[name] for name in names)


class Pair(NamedTuple):
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
class InTurn:
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

    problem: OperatorProblem
    limits: Limits
    solve: Ask

    def found(self, start: Start) -> tuple[Pair, Fraction | None] | Solution:
        """Return the best pair and a bound of all pairs, or that there are no words.

        Begins with the words of least communication, those that are best for devices in order, and the start's.
        """
        weights_of(self.problem)  # which refuses what placements cannot be decided by
        first = self.solve(self.problem.by_communication)
        if first.strategies is None:
            status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
            return Solution(status, native_status=f"no words to place: {first.status} by {first.formulation}")
        best: Pair | None = None
        seen: list[Mapping[str, str]] = []
        for words in self._beginnings(first.strategies, start):
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

    def _settled(self, words: Mapping[str, str], begin: Sequence[str] | None) -> Pair:
        """Place words, look for better ones there, and so on."""
        rounds = 0
        while True:
            rounds += 1
            task = OperatorPlacementTask(self.problem, words)
            placed = self._placed(task, begin)
            begin, proven = task.names(placed.choices or ()), placed.status is Status.OPTIMAL
            value = Fraction(task.value(placed.choices or ()) + task.shift, task.unit)
            if self.limits.over or rounds == MOST_ROUNDS:
                return Pair(words, begin, value, False, proven, rounds)
            better = self.solve(self.problem.at(begin))
            if better.strategies is None or better.objective is None or better.objective >= value:
                settled = better.status is Status.OPTIMAL and better.objective == value
                return Pair(words, begin, value, settled, proven, rounds)
            words = better.strategies

    def _placed(self, task: OperatorPlacementTask, begin: Sequence[str] | None) -> Solution:
        """Return a placement of words; there is one, for the order of devices is."""
        run = Run(PLACES, self.limits, task.encode(Start(placement=begin)))
        chosen = load_formulation(PLACES)
        require(chosen, task.graph, run)
        return chosen.solve(task.graph, run)


def least_anywhere(problem: OperatorProblem, least: Fraction | None) -> Fraction | None:
    """Return what no words cost at any placement: the least bytes, each across the least that two sites cost.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    least
        Bytes that no plan moves less than, as far as that is known.
    """
    weights = weights_of(problem)
    if least is None or set(weights) - {HOP_BYTES, COMM_ENERGY}:
        return None
    machine = machine_of(problem)
    charge, routes = charge_of(machine, weights), every_route(machine)
    costs = routes.sums(charge.added).reshape(len(machine.accelerators), -1)
    nearest = min(int(one) for one in costs[~np.eye(len(costs), dtype=bool)])
    return least * Fraction(nearest, charge.common * routes.parts)


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

    pair: Pair
    least: Fraction | None

    def known_solution(self, run: Run) -> Solution:
        """Return the pair; OPTIMAL only where it costs no more than any can."""
        choices = self.problem.choices(self.pair.strategies)
        value = self.value(choices)
        bound = None if self.least is None else min(value, ceil(self.least * self.unit - self.shift))
        status = Status.OPTIMAL if bound == value else Status.FEASIBLE
        facts = {"rounds": self.pair.rounds}
        return Solution(status, choices, bound, "placement and words in turn", "", facts)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan, of which the note says what is proven."""
        plan, fault = super().evaluated(choices, plan)
        plan = replace(plan, decided="both")
        if plan.status is Status.OPTIMAL:
            return noted(plan, "every byte crosses as few links as any can, and no words move fewer bytes"), fault
        proofs = (
            f"the placement is {'' if self.pair.placement_proven else 'not '}proven best for these words",
            f"the words are {'' if self.pair.words_proven else 'not '}proven best for this placement",
            "both together are not proven",
        )
        return noted(plan, *proofs), fault

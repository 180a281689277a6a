"""Where the devices of operators stand, for words that are given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.cost.operators.components import charged
from hypar_opt.costgraph.placement.traffic import TrafficGraph
from hypar_opt.evaluation.links import misplaced
from hypar_opt.evaluation.operators.exchanges import exchanges
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, HOP_BYTES, PLACED
from hypar_opt.solver.operator_tasks import OperatorTask
from hypar_opt.solver.problem import Decoded, Start, Task
from hypar_opt.solver.sites import sites_named
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.operator_recount import RecountedOperators
    from hypar_opt.solver.operator_standing import StandingOperators
    from hypar_opt.solver.plan import Plan

GIVE_ONE: Final = "give a placement: --placement identity"


def parts_of(problem: RecountedOperators) -> Mapping[str, Fraction]:
    """Return what the objective's parts weigh where the placement is decided.

    Raises
    ------
    Refusal
        If there are bounds.
    """
    found: dict[str, Fraction] = {}
    for name, weight in problem.objective.weights.items():
        for part in charged(name) if weight else ():
            found[part] = found.get(part, Fraction(0)) + weight
    if problem.instance.bounds:
        raise Refusal(f"placements are decided without bounds only; {GIVE_ONE}")
    return found


def weights_of(problem: StandingOperators) -> Mapping[str, Fraction]:
    """Return what the objective's parts weigh where the placement is decided by what pairs of devices exchange.

    Raises
    ------
    Refusal
        If one is no sum over the devices' pairs, or there are bounds.
    """
    found = parts_of(problem)
    if found.get(COMM_TIME):
        raise Refusal(
            "the busiest links' time is no sum over pairs of devices, by which they are placed; try joint-dp, which "
            f"exchanges devices and finds words in turn, or {GIVE_ONE}"
        )
    return found


def machine_of(problem: StandingOperators) -> Machine:
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

    problem: StandingOperators
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
        # as it was found within limits, so it is recounted whatever they say
        there = replace(self.problem.at(self.names(choices)), as_tables=False, limits=None)
        whole = OperatorTask(there)
        plan, fault = whole.evaluated(there.choices(self.strategies), plan)
        value = Fraction(self.value(choices) + self.shift, self.unit)
        if fault is None and plan.objective != value:
            fault = f"by walked routes it costs {plan.objective}, by the devices' traffic {value}"
        return plan, fault


def sites_of(problem: StandingOperators, names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of accelerators.

    Raises
    ------
    InputError
        If a name is none, or there is not one for every device.
    """
    return sites_named(names, machine_of(problem).accelerators, problem.instance.devices, "device")

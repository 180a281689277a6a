"""Where the devices of operators stand, for words that are given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from hypar_opt.cost.operators.components import charged
from hypar_opt.evaluation.links import misplaced
from hypar_opt.evaluation.operators.exchanges import exchanges
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, HOP_BYTES, PLACED
from hypar_opt.solver.operator_tasks import OperatorTask
from hypar_opt.solver.sites import sites_named
from hypar_opt.solver.traffic_task import GIVE_ONE, TrafficTask
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.solver.operator_recount import RecountedOperators
    from hypar_opt.solver.operator_standing import StandingOperators
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Start
    from hypar_opt.util.partition import Partition


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
class OperatorPlacementTask(TrafficTask):
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
    standing: ClassVar[str] = "device"

    @cached_property
    def plan(self) -> OperatorPlan:
        """What the evaluator understands of the words."""
        return self.problem.plan_of(self.strategies)

    @property
    def machine(self) -> Machine:
        """The graph that devices are to stand on."""
        return machine_of(self.problem)

    @property
    def partition(self) -> Partition:
        """The devices' axes."""
        return self.problem.instance.partition

    @property
    def placed_weights(self) -> Mapping[str, Fraction]:
        """What sums over pairs of devices weigh."""
        return {name: one for name, one in weights_of(self.problem).items() if name in (HOP_BYTES, COMM_ENERGY)}

    @property
    def sent(self) -> Array:
        """Bytes of all exchanges, by pair of devices."""
        count = self.partition.leaves
        sent = np.full((count, count), Fraction(0))
        for exchange in exchanges(self.problem.instance.graph, self.partition, self.plan):
            for way, size in exchange.ways:
                pairs = np.array(list(way.pairs(self.partition)))
                sent[pairs[:, 0], pairs[:, 1]] += size
        return sent

    @cached_property
    def constant(self) -> Fraction:
        """What the plan costs wherever devices stand."""
        weights = {name: weight for name, weight in weights_of(self.problem).items() if name not in PLACED}
        found = self.problem.in_order.costs(self.plan) if weights else {}
        return sum((weight * found[name] for name, weight in weights.items()), start=Fraction(0))

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with."""
        return None if start.placement is None else self.sites(start.placement)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan with the placement, recounted by walked routes and by what words cost on given sites."""
        fault = misplaced(self.machine, tuple(choices), self.partition)
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

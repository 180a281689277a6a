"""What formulations decide of a network's problem: strategies, the placement, or both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.legality import unbuildable_text
from hypar_opt.evaluation.links import misplaced
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import PLACED, depends_on
from hypar_opt.solver.check import noted
from hypar_opt.solver.problem import Decoded, Start, Task
from hypar_opt.solver.sites import sites_named
from hypar_opt.solver.sum_task import SumTask

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.costgraph.placement import JointGraph, PlacementGraph
    from hypar_opt.evaluation.communication import Breakdown
    from hypar_opt.evaluation.evaluator import Evaluator
    from hypar_opt.evaluation.legality import Split
    from hypar_opt.solver.network_costs import NetworkCosts
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True)
class NetworkTask(Task):
    """A network's problem in the terms of a formulation, and the way back; its cost forbids nothing.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: NetworkCosts

    @property
    def told(self) -> tuple[str, ...]:
        """The components that are told of a plan beside those of the objective."""
        return ()

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recomputed by boxes and routes, and what is wrong with it."""
        problem, instance = self.problem, self.problem.instance
        strategies, placed = self.decode(choices)
        wrong_place = None if placed is None else misplaced(instance.machine, placed, instance.partition)
        if wrong_place is not None:  # there are no routes to walk
            return plan, wrong_place
        fault = problem.fault_of(strategies)
        if fault is None and not self.feasible(choices):
            fault = "every strategy is allowed and fits, and the compiled costs forbid the plan"
        breakdown = problem.bytes_of(strategies)
        plan = replace(
            plan,
            strategies=strategies,
            communication_bytes=breakdown.total,
            placement=None if placed is None else tuple(instance.machine.accelerators[site] for site in placed),
            costs=known_costs(problem, breakdown, placed, self.told),
        )
        plan, wrong_cost = self.charged(with_splits(problem, plan), choices, breakdown, placed)
        return plan, fault or wrong_cost

    def charged(
        self, plan: Plan, choices: Sequence[int], breakdown: Breakdown, placed: Sequence[int] | None
    ) -> tuple[Plan, str | None]:
        """Return a plan with its objective, and what is wrong with the graph's cost of it, or None."""
        value = self.value(choices)
        recomputed, fault = self.problem.objective_of(breakdown, placed) * self.unit, None
        if recomputed != value:
            code = "boxes give" if placed is None else "boxes and routes give"
            fault = f"the {code} {recomputed}, the cost model {value}"
        return replace(plan, objective=Fraction(value, self.unit)), fault


@dataclass(frozen=True)
class StrategiesTask(NetworkTask, SumTask):
    """Strategies alone: the placement is given, or nothing depends on it."""

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies; the placement is the given one."""
        return self.problem.strategies(choices), self.problem.placed

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the strategies' choices."""
        return None if start.strategies is None else self.problem.choices(start.strategies)


@dataclass(frozen=True)
class FrontTask(StrategiesTask):
    """Strategies whose costs are traded, one component for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """The components."""
        return self.criteria

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone."""
        return tuple(self.problem.weighing({name: Fraction(1)}) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them: all have the same variables, edges and capacities."""
        return self.graphs[0]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the strategies; the placement is the given one, where any component depends on it."""
        strategies, placed = super().decode(choices)
        on_links = any(depends_on(name, PLACED) for name in self.criteria)
        return strategies, self.problem.instance.placement if on_links else placed

    def charged(
        self, plan: Plan, choices: Sequence[int], breakdown: Breakdown, placed: Sequence[int] | None
    ) -> tuple[Plan, str | None]:
        """Return a plan with its objective, if that is known, and where a component's graph charges another cost."""
        for name, graph in zip(self.criteria, self.graphs, strict=True):
            value = Fraction(graph.value(choices), graph.objective.denominator)
            if plan.costs[name] != value:
                return plan, f"it costs {plan.costs[name]} {name}, the cost model says {value}"
        placement = plan.placement if self.problem.instance.is_placed else None  # which the objective depends on
        objective = None if self.problem.is_free else self.problem.combined(plan.costs)
        return replace(plan, placement=placement, objective=objective), None


@dataclass(frozen=True)
class PlacementTask(NetworkTask):
    """The placement alone, for strategies that are given."""

    strategies: Mapping[str, str]

    @cached_property
    def graph(self) -> PlacementGraph:
        """What the formulation reads."""
        joint = self.problem.joint
        return joint.placing(joint.volumes(self.problem.choices(self.strategies)))

    @property
    def unit(self) -> int:
        """Of the placement's costs."""
        return self.graph.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Leaves and accelerators."""
        return _sites(self.graph)

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the given strategies and the placement."""
        return dict(self.strategies), tuple(choices)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the placement to begin with."""
        return None if start.placement is None else sites_of(self.problem, start.placement)


ON_GIVEN_SITES: Final = (
    "strategies and placement together are not proven; "
    "strategies on given sites mostly are at once: --placement identity"
)


@dataclass(frozen=True)
class JointTask(NetworkTask):
    """Strategies and placement together."""

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan; of one that is not proven the note says what would be, with the sites given."""
        plan, fault = super().evaluated(choices, plan)
        return (noted(plan, ON_GIVEN_SITES) if plan.status is Status.FEASIBLE else plan), fault

    @property
    def graph(self) -> JointGraph:
        """What the formulation reads."""
        return self.problem.joint

    @property
    def unit(self) -> int:
        """Of the placement's costs."""
        return self.graph.placement.unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """Layers and words, then leaves and accelerators."""
        words = [(f"'{variable.name}'", variable.size) for variable in self.graph.parallelism.variables]
        return [*words, *_sites(self.graph.placement)]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return both."""
        words, sites = self._halves(choices)
        return self.problem.strategies(words), tuple(sites)

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return both; the placement in order where none is given."""
        if start.strategies is None:
            return None
        leaves = range(self.graph.placement.leaves)
        sites = tuple(leaves) if start.placement is None else sites_of(self.problem, start.placement)
        return (*self.problem.choices(start.strategies), *sites)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost."""
        return self.graph.value(*self._halves(choices))

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether both are allowed."""
        words, sites = self._halves(choices)
        return self.graph.parallelism.feasible(words) and self.graph.placement.feasible(sites)

    def _halves(self, choices: Sequence[int]) -> tuple[Sequence[int], Sequence[int]]:
        count = len(self.graph.parallelism.variables)
        return choices[:count], choices[count:]


def with_splits(problem: Evaluator, plan: Plan) -> Plan:
    """Return a plan with what it splits unevenly, or into more parts than there are, which its note says too.

    The note also says how many accelerators are not used: an array need not have as many as a partition has leaves.
    """
    found = () if plan.strategies is None else problem.uneven_splits(plan.strategies)
    return with_uneven(plan, found, idle_text(problem))


def with_uneven(plan: Plan, found: Sequence[Split], *more: str) -> Plan:
    """Return a plan with what is split unevenly or cannot be, which its note says too; and more that it says."""
    beyond = tuple(str(one) for one in found if not one.is_possible)
    padded = tuple(str(one) for one in found if one.is_possible)
    texts = (text for text in (unbuildable_text(found), *more) if text not in plan.note)
    note = "; ".join(filter(None, [plan.note, *texts]))
    return replace(plan, note=note, unbuildable=beyond, uneven=padded)


def without_splits(problem: Evaluator, plan: Plan) -> str:
    """Return a plan's note without what it says of this plan's splits: that of a bound, whatever plan reaches it."""
    text = "" if plan.strategies is None else unbuildable_text(problem.uneven_splits(plan.strategies))
    return "; ".join(filter(None, (part.strip("; ") for part in plan.note.split(text)))) if text else plan.note


def idle_text(problem: Evaluator) -> str:
    """Return how many accelerators no leaf stands for, or nothing where all are used."""
    instance = problem.instance
    used, there = instance.partition.leaves, instance.accelerators
    if used >= there:
        return ""
    return f"{instance.levels} levels use {used:,} of the array's {there:,} accelerators: {there - used:,} stay idle"


def known_costs(
    problem: Evaluator, breakdown: Breakdown, placed: Sequence[int] | None, names: Collection[str] = ()
) -> dict[str, Fraction]:
    """Return what is known of a plan's cost beside its bytes: on the links, of the accelerators, and asked for."""
    if placed is None and problem.instance.accelerator is None and not problem.tells_parts(names):
        return {}
    return problem.costs(breakdown, problem.sites if placed is None else placed, names)


def sites_of(problem: Evaluator, names: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of accelerators.

    Raises
    ------
    InputError
        If a name is none, or there is not one for every leaf.
    """
    instance = problem.instance
    return sites_named(names, instance.machine.accelerators, instance.partition.leaves, "leaf")


def _sites(graph: PlacementGraph) -> list[tuple[str, int]]:
    return [(f"leaf {leaf}", graph.sites) for leaf in range(graph.leaves)]

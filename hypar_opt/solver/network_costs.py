"""A network's instance compiled: its workload, its CostGraph, and the way between strategies and choices."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import floor, prod
from typing import TYPE_CHECKING, Self

from hypar_opt.cost.compile import compile_workload, words_of
from hypar_opt.cost.computing import Computed, compute_costs, memory_capacity
from hypar_opt.cost.counting import Counter
from hypar_opt.cost.exchanges import in_parts
from hypar_opt.cost.layout import CostModel
from hypar_opt.cost.links import compile_placement, every_route
from hypar_opt.cost.weights import Charges, charges_of, follow_routes
from hypar_opt.costgraph import Capacity, CostGraph, Objective, Weight, differences
from hypar_opt.costgraph.placement import JointGraph, PlacementGraph
from hypar_opt.evaluation.communication import Breakdown
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.instance.objective.components import (
    COMM_TIME,
    COMMUNICATION,
    PLACED,
    depends_on,
    levelled_fault,
    parts_of,
    unknown_needs,
)
from hypar_opt.instance.objective.function import LEXICOGRAPHIC, PRODUCT
from hypar_opt.instance.text import FieldPath, dotted
from hypar_opt.solver.spelt_plan import choices_of_words
from hypar_opt.solver.sum_tables import SumTables, timed_by
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from hypar_opt.cost.crossings import Crossings
    from hypar_opt.costgraph.unary import TableUnary
    from hypar_opt.evaluation.links import Walked
    from hypar_opt.instance import Instance
    from hypar_opt.instance.collective import SendSchedule
    from hypar_opt.instance.network import Workload
    from hypar_opt.instance.objective.function import ObjectiveFunction

MOST_SITES = 1024
"""Accelerators among which a placement is decided."""


@dataclass(frozen=True)
class CompiledNetwork(Evaluator):
    """What is compiled of an instance whatever its objective and placement: once for all problems that differ in those.

    Parameters
    ----------
    instance
        As read.
    """

    @cached_property
    def base(self) -> CostGraph:
        """Strategies and the bytes that they exchange, each weighing 1."""
        return compile_workload(self.work, self.model, Objective({COMMUNICATION: Fraction(1)}))

    @cached_property
    def sums(self) -> SumTables:
        """By which schedules partial sums are exchanged, and what that takes, where the array asks for it."""
        return SumTables(self.instance)

    @cached_property
    def in_parts(self) -> CostGraph:
        """The same with the parts of the communication as components beside it."""
        return in_parts(self.base, self.work, words_of(self.base), self.model)

    @cached_property
    def computed(self) -> Computed | None:
        """What the accelerators compute and spend, where the array says what they can do."""
        counter = self._counter
        return None if counter is None else compute_costs(self.work, words_of(self.base), counter)

    @cached_property
    def memory(self) -> Capacity | None:
        """What has to fit into an accelerator's memory, where the array says how much does."""
        counter = self._counter
        return None if counter is None else memory_capacity(self.work, words_of(self.base), counter)

    @property
    def _counter(self) -> Counter | None:
        instance = self.instance
        if instance.accelerator is None:
            return None
        return Counter(
            instance.accelerator,
            instance.optimiser,
            instance.batch,
            instance.partition,
            instance.bytes_per_element,
            instance.input_error,
        )

    @property
    def model(self) -> CostModel:
        """How the network is charged."""
        instance = self.instance
        return CostModel(
            instance.batch,
            instance.partition,
            instance.accounting,
            instance.choices,
            instance.bytes_per_element,
            instance.splits == "divisible",
            instance.fix,
            instance.input_error,
            instance.microbatches or 1,
        )

    def routes(self, over: Callable[[], bool] = never) -> Crossings:
        """Return the routes from every accelerator to every other, which are followed once."""
        if not self._followed:
            self._followed.append(every_route(self.instance.machine, over))
        return self._followed[0]

    @cached_property
    def _followed(self) -> list[Crossings]:
        return []

    @cached_property
    def level_weights(self) -> dict[tuple[int, ...] | None, dict[str, tuple[Fraction, ...]]]:
        """By placement, what a byte of every level weighs by each component asked for; found by walking all routes."""
        return {}


@dataclass(frozen=True)
class NetworkCosts(Evaluator):
    """An instance's judge, and the costs that formulations read.

    Parameters
    ----------
    instance
        As read.
    """

    # not given, nor taken over by `dataclasses.replace`: they hold for an instance that differs in objective and
    # placement only, as those that are made here do
    shared: CompiledNetwork | None = field(default=None, init=False, repr=False, compare=False)
    given_weights: Mapping[str, Fraction] | None = field(default=None, init=False)

    @cached_property
    def compiled(self) -> CompiledNetwork:
        """What does not depend on objective and placement."""
        return self.shared or CompiledNetwork(self.instance)

    @property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return self.compiled.work

    @property
    def base(self) -> CostGraph:
        """Strategies and the bytes that they exchange, each weighing 1."""
        return self.compiled.base

    @property
    def memory(self) -> Capacity | None:
        """What has to fit into an accelerator's memory, where the array says how much does."""
        return self.compiled.memory

    @property
    def model(self) -> CostModel:
        """How the network is charged."""
        return self.compiled.model

    @property
    def walked(self) -> dict[tuple[int, ...], Walked]:
        """The routes of the given placement, and of others that were to be kept."""
        return self.compiled.walked

    @property
    def is_free(self) -> bool:
        """Whether the objective depends on a placement that is to be decided."""
        return self.instance.is_placed and self.instance.spec.array.placement == "free"

    @cached_property
    def graph(self) -> CostGraph:
        """The problem of the strategies, as every formulation that decides those alone reads it.

        Raises
        ------
        Refusal
            If the placement is to be decided as well.
        """
        if self.is_free:
            raise Refusal(
                "the objective depends on the placement, which is to be decided too; try joint-enumeration or "
                "alternating, or give it: --placement identity"
            )
        if self.objective.kind == PRODUCT:
            raise Refusal("a product is no sum of costs; it is minimised over weighted sums of the two")
        return self._limited(self._charged(self.charges))

    @cached_property
    def weights(self) -> Mapping[str, Fraction]:
        """What every component weighs; those that come later in a lexicographic objective next to nothing."""
        if self.given_weights is not None:
            return self.given_weights
        return weights_in_order(self.objective, self.weighing)

    def weighing(self, weights: Mapping[str, Fraction]) -> CostGraph:
        """Return the problem of the strategies under other weights, compiled from the same costs.

        Parameters
        ----------
        weights
            By component, exact.

        Raises
        ------
        Refusal
            If a component depends on a placement, and that is to be decided.
        InputError
            If the array does not say what a component needs.
        """
        names = [name for name, weight in weights.items() if weight]
        levelled = levelled_fault(self.instance.accounting, names)
        if levelled is not None:
            raise self._lacking(("cost", "accounting"), f"{levelled}; expected another accounting")
        fault = unknown_needs(self.instance.spec.array, names)
        if fault is not None:
            raise self._lacking(*fault)
        asked = (*weights, *self.instance.bounds)
        if self.instance.placement is None and any(depends_on(name, PLACED) for name in asked):
            raise Refusal("a component depends on the placement, which is to be decided; try --placement identity")
        return self._limited(self._charged(charges_of(self.instance, weights, self._level_weights)))

    @cached_property
    def bounds(self) -> tuple[Capacity, ...]:
        """What components may come to at most."""
        found = []
        for name, most in self.instance.bounds.items():
            graph = self._charged(charges_of(self.instance, {name: Fraction(1)}, self._level_weights))
            unit, usages = graph.objective.denominator, dict(enumerate(graph.unary_costs))
            found.append(Capacity(f"bound on {name}", floor(most * unit), usages, unit, graph.edge_costs))
        return tuple(found)

    def _limited(self, graph: CostGraph) -> CostGraph:
        memory = () if self.memory is None else (self.memory,)
        capacities = (*memory, *self.bounds)
        return graph.replace(capacities=capacities) if capacities else graph

    def sum_sends(self, placed: tuple[int, ...], levels: tuple[int, ...]) -> Mapping[str, SendSchedule]:
        """Return the schedules by which a set of levels may exchange partial sums, by algorithm."""
        return self.compiled.sums.schedules(placed).of(levels).sends

    @property
    def _sum_tables(self) -> tuple[tuple[TableUnary, ...], int]:
        placed = self.instance.placement
        assert placed is not None  # given, where exchanges are scheduled
        weights = self._level_weights[COMM_TIME]
        return self.compiled.sums.tables(placed, weights, self.work, words_of(self.base), self.model)

    @property
    def _level_weights(self) -> dict[str, tuple[Fraction, ...]]:
        return self.compiled.level_weights.setdefault(self.instance.placement, {})

    def _lacking(self, path: FieldPath, message: str) -> InputError:
        """Return the error of a field, or of the override that it came from."""
        option = {"array": "array", "cost": "accounting"}.get(str(path[0]))
        if option in self.instance.overrides:
            inside = f" {dotted(path[1:])}" if option == "array" else ""
            return InputError(message, field=f"--{option}{inside}")
        return InputError(message, file=self.instance.source, field=dotted(path))

    def _charged(self, charges: Charges) -> CostGraph:
        objective = Objective({COMMUNICATION: charges.byte}).divided(self.model.parts)
        own_costs = self.compiled.computed
        base = self.compiled.in_parts if charges.exchanged else self.base
        objective = Objective({**objective.weights, **charges.exchanged})
        if charges.summed and charges.between is not None:
            tables, unit = self._sum_tables
            base, objective = timed_by(base, objective, tables, charges.between, charges.summed / unit)
        if not charges.computed or own_costs is None:
            return base.replace(objective=objective)
        units = own_costs.units
        computed = {name: weight / units[name] for name, weight in charges.computed.items()}
        unary = tuple(
            {**moved, **{name: cost for name, cost in own.items() if name in computed}}
            for moved, own in zip(base.unary, own_costs.unary, strict=True)
        )
        return base.replace(unary=unary, objective=Objective({**objective.weights, **computed}))

    def weighed(self, weights: Mapping[str, Fraction]) -> Self:
        """Return the same problem with a weighted sum as its objective, compiled once for both."""
        names = {name: Decimal(1) for name, weight in weights.items() if weight}
        instance = self.instance.changed(self.instance.machine, objective=names)
        return self._alike(instance, dict(weights))

    def _alike(
        self, instance: Instance, weights: Mapping[str, Fraction] | None, compiled: CompiledNetwork | None = None
    ) -> Self:
        """Return the problem of an instance that differs in objective and placement only, compiled once for both."""
        other = replace(self, instance=instance)
        object.__setattr__(other, "shared", compiled or self.compiled)
        object.__setattr__(other, "given_weights", weights)
        return other

    def minimising(self, component: str, bounded: Collection[str]) -> Self:
        """Return the same problem with a component as its objective, and bounds on some of the others."""
        kept = {name: most for name, most in self.instance.spec.subject_to.items() if name in bounded}
        instance = self.instance.changed(self.instance.machine, objective={component: Decimal(1)}, subject_to=kept)
        return self._alike(instance, None)

    @property
    def is_of_bytes(self) -> bool:
        """Whether the objective is a weighted sum of bytes, on the links or not."""
        timed = self.instance.scheduled_sums is not None and COMM_TIME in self.objective.parts
        return self.objective.parts <= {COMMUNICATION, *PLACED} and self.objective.kind == "sum" and not timed

    @cached_property
    def by_communication(self) -> Self:
        """The same network and array with the objective communication, compiled once for both."""
        instance = self.instance.changed(objective={COMMUNICATION: Decimal(1)})
        return self._alike(instance, None)

    def at(self, placement: Sequence[str]) -> Self:
        """Return the same problem with the placement given: an accelerator's name for every leaf."""
        array = self.instance.spec.array.model_copy(update={"placement": tuple(placement)})
        instance = self.instance.changed(self.instance.machine, array=array)
        return self._alike(instance, self.given_weights)

    @cached_property
    def weight(self) -> Weight:
        """What a byte weighs in the objective: one number, or one a level for a given placement."""
        return self.charges.byte

    @cached_property
    def charges(self) -> Charges:
        """What the objective charges a byte, and what the accelerators do."""
        return charges_of(self.instance, self.weights, self._level_weights)

    @cached_property
    def joint(self) -> JointGraph:
        """Strategies and placement together.

        Raises
        ------
        Refusal
            If the placement is given or nothing depends on it, or the array is too large.
        """
        if not self.is_free:
            placed = self.instance.is_placed
            why = "the placement is given" if placed else "nothing depends on the placement"
            other = "--placement free" if placed else "--objective hop-bytes"
            raise Refusal(f"{why}, so that there is none to decide; try joint-dp, or {other}")
        if not self.is_of_bytes:
            raise Refusal("placements are decided for weighted bytes only; give one: --placement identity")
        if self.memory is not None or self.instance.bounds:
            raise Refusal("placements are decided without capacities only; give one: --placement identity")
        return JointGraph(self.base, COMMUNICATION, self._placing((1,) * self.instance.levels))

    def _placing(self, volumes: Sequence[int]) -> PlacementGraph:
        count = self.instance.accelerators
        if count > MOST_SITES:
            raise Refusal(
                f"the array has {count:,} accelerators, and placements are decided on at most {MOST_SITES:,}; "
                "give one: --placement identity"
            )
        machine, partition = self.instance.machine, self.instance.partition
        return compile_placement(machine, self.weights, partition, volumes, self.compiled.routes())

    def follow_routes(self, over: Callable[[], bool], names: Iterable[str] | None = None) -> None:
        """Follow the routes that costs depend on, which can take long, and keep what comes of it.

        Parameters
        ----------
        over
            Asked now and then whether to stop.
        names
            The components that are asked for, beside those that are bounded; None for the objective's.

        Raises
        ------
        Interrupted
            If it has to stop.
        """
        asked = (*(self.objective.components if names is None else names), *self.instance.bounds)
        parts = {part for name in asked for part in parts_of(name)}
        if parts.isdisjoint(PLACED):
            return
        if self.instance.placement is not None:
            follow_routes(self.instance, parts, self._level_weights, over)
            self.walk_routes(self.instance.placement, over)
        elif self.instance.accelerators <= MOST_SITES:
            self.compiled.routes(over)

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return each layer's word."""
        return {
            variable.name: variable.words.word(choice)
            for variable, choice in zip(self.base.variables, choices, strict=True)
            if variable.words is not None
        }

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a word does not fit this instance.
        """
        return choices_of_words({variable.name: variable.words for variable in self.base.variables}, strategies)

    def objective_of(self, breakdown: Breakdown, placed: Sequence[int] | None = None) -> Fraction:
        """Return the objective of a plan, by code that shares nothing with the formulations' problems.

        Parameters
        ----------
        breakdown
            Of the plan.
        placed
            An accelerator's position for every leaf; the given placement, unless told.
        """
        if self.objective.components == (COMMUNICATION,):
            return self.combined({COMMUNICATION: Fraction(breakdown.total)})
        return self.combined(self.costs(breakdown, self.placed if placed is None else placed))

    def combined(self, costs: Mapping[str, Fraction]) -> Fraction:
        """Return the objective of what a plan costs by component."""
        if self.objective.kind == PRODUCT:
            return prod((costs[name] for name in self.objective.components), start=Fraction(1))
        return sum((weight * costs[name] for name, weight in self.weights.items() if weight), start=Fraction(0))


def weights_in_order(
    objective: ObjectiveFunction, weighing: Callable[[Mapping[str, Fraction]], CostGraph]
) -> Mapping[str, Fraction]:
    """Return what every component weighs: of a sum what it says, of a lexicographic objective the first the most.

    It weighs so much that the least by which two plans can differ in it outweighs all by which they can differ in the
    others.

    Parameters
    ----------
    objective
        No product.
    weighing
        Returns the problem under weights.
    """
    if objective.kind != LEXICOGRAPHIC:
        return objective.weights
    found: dict[str, Fraction] = {}
    most = Fraction(0)
    for name in reversed(objective.components):
        graph = weighing({name: Fraction(1)})
        between, unit = differences(graph), graph.objective.denominator
        step = Fraction(between.step or 1, unit)
        found[name] = most / step + 1 / step if found else Fraction(1)
        most += found[name] * Fraction(between.most, unit)
    return {name: found[name] for name in objective.components}

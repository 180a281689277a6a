"""The problem of a network of operators: compiled, decided by words over the operators' own dimensions, recomputed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.domains import KEPT, STORAGE
from hypar_opt.evaluation.operators import costs, faults, operator_plan
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Decides, Solution
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.instance.operators.needs import KNOWN, UNKNOWN, lacking
from hypar_opt.instance.text import dotted, shown
from hypar_opt.solver.check import refuted
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.operators import OperatorInstance
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class OperatorProblem:
    """What `solve` works on where the instance is a network of operators; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    instance: OperatorInstance
    kind: ClassVar[str] = "operators"
    use: ClassVar[Use] = "network"
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ""
    uncertifiable: ClassVar[str] = (
        "certificates know layers with d, m and o, and these are operators on axes of any size"
    )
    refuted: ClassVar[None] = None

    @property
    def objective(self) -> ObjectiveFunction:
        """The objective."""
        return self.instance.objective

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and how many axes there are."""
        return self.instance.accounting, self.instance.batch, self.instance.partition.levels

    @cached_property
    def model(self) -> OperatorModel:
        """How operators may be split."""
        one = self.instance
        return OperatorModel(one.partition, one.choices, one.splits == "divisible", one.storages, fix=one.fix)

    @cached_property
    def components(self) -> CompiledComponents:
        """What plans cost, component by component."""
        return CompiledComponents(self.instance.graph, self.model, self.instance.links, self.instance.device)

    @property
    def compiled(self) -> CompiledOperators:
        """The operators compiled, and what the variables stand for."""
        return self.components.operators

    @cached_property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self.weighing(self.objective.weights)

    def weighing(self, weights: Mapping[str, Fraction], beside: Sequence[str] = ()) -> CostGraph:
        """Return what formulations read under other weights, within the bounds on components.

        Parameters
        ----------
        weights
            By component.
        beside
            Components that weigh nothing there, and whose pairs of variables are there as well.

        Raises
        ------
        InputError
            If a row of the array's measured times is missing.
        """
        bounds = self.instance.bounds
        graph = self.components.costgraph(weights, (*bounds, *beside))
        limits = (self.components.bound(name, most) for name, most in bounds.items())
        return graph.replace(capacities=(*graph.capacities, *limits)) if bounds else graph

    def costs(self, plan: OperatorPlan) -> Mapping[str, Fraction]:
        """Return what a plan costs by component, recounted device by device."""
        one = self.instance
        return costs(one.graph, one.partition, plan, one.links, one.device)

    @property
    def unfixed(self) -> OperatorProblem | None:
        """The same problem without the words that are given; None where none are."""
        return OperatorProblem(self.instance.without_fix()) if self.instance.fix else None

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the problem: operators are not presolved."""
        return self

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Compile, which takes a moment where there are many operators."""
        tell(f"compiling {len(self.instance.graph.operators):,} operators")
        self.graph  # noqa: B018 - kept

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem."""
        return choose(self.use, self.graph, limits, "fewer --choices")

    def proves(self, able: Capabilities) -> bool:
        """Return that no formulation hands over what a certificate of operators is made of."""
        return False

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan's words are.

        Raises
        ------
        InputError
            If a name is missing or unknown, or it cannot have its word.
        """
        domains = self.compiled.domains
        known = {domain.name: domain for domain in domains}
        for name in strategies:
            owner = name.removesuffix(STORAGE)
            if owner not in known:
                hint = did_you_mean(owner, known)
                raise InputError(f"the plan has an operator {shown(name)}, the instance has none{hint}", field="plan")
        found = []
        for domain in domains:
            text, storage = strategies.get(domain.name), strategies.get(domain.name + STORAGE)
            if text is None:
                raise InputError(f"the plan has no strategy for '{domain.name}'", field="plan")
            place = next(
                (
                    place
                    for place, value in enumerate(domain.values)
                    if value.word == tuple(text.split()) and storage in (None, value.storage)
                ),
                None,
            )
            if place is None:
                said = text if storage is None else f"{text} with {storage}"
                raise InputError(f"'{domain.name}' cannot have {shown(said)} here", field=f"plan.{domain.name}")
            found.append(place)
        return tuple(found)

    def plan_of(self, strategies: Mapping[str, str]) -> OperatorPlan:
        """Return the plan that a plan file's entries mean to the evaluator.

        Raises
        ------
        InputError
            If an operator or a tensor is missing or unknown, or its word is none.
        """
        stored = {name.removesuffix(STORAGE): how for name, how in strategies.items() if name.endswith(STORAGE)}
        words = {name: word for name, word in strategies.items() if not name.endswith((STORAGE, KEPT))}
        return operator_plan(self.instance.graph, self.instance.partition, words, stored)

    def check_start(self, start: Start) -> None:
        """Check that strategies are this problem's, and that no placement is given."""
        if start.placement is not None:
            raise InputError("operators are not placed on a graph of links, expected none", field="placement")
        self.choices(start.strategies or {})

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what is to be decided: a word an operator."""
        if decides != "strategies":
            raise Refusal(f"{name} decides a placement, and axes are not placed; try joint-dp or cp-sat")
        return OperatorTask(self), ""

    def front(self, components: Sequence[str]) -> Task:
        """Return the words, charged by each of several components alone.

        Raises
        ------
        InputError
            If operators have no such component, or the array does not say what it needs.
        """
        wrong = next((name for name in components if name in UNKNOWN), None)
        if wrong is not None:
            raise InputError(f"expected {' or '.join(KNOWN)}, for operators have no {wrong}", field="--components")
        fault = lacking(self.instance.spec.array, components)
        if fault is not None:
            raise InputError(fault[1], file=self.instance.source, field=dotted(fault[0]))
        return OperatorFrontTask(self, tuple(components))

    def by_weighted_sums(self, solve: Ask) -> Plan | None:
        """Return nothing: the objective is itself a sum."""
        return None

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Refute that there is no plan where nothing binds: every operator has a word."""
        if self.graph.capacities:
            return plan
        return refuted(plan, "every operator has a word that is allowed")


@dataclass(frozen=True, eq=False)
class OperatorTask(Task):
    """The words of a network's operators in the terms of a formulation, and the way back.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: OperatorProblem

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return self.graph.objective.denominator

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """What is decided, by name, and how many values each has."""
        return [(variable.name, variable.size) for variable in self.graph.variables]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the words, and how parameters are kept where there is a choice."""
        found = {}
        for domain, choice in zip(self.problem.compiled.domains, choices, strict=True):
            value = domain.values[choice]
            found[domain.name] = value.text
            if len({one.storage for one in domain.values}) > 1 or value.storage != "replicated":
                found[domain.name + STORAGE] = value.storage
        return found, None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices of a start."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def value(self, choices: Sequence[int]) -> int:
        """Return the cost in the graph's unit."""
        return self.graph.value(choices)

    def feasible(self, choices: Sequence[int]) -> bool:
        """Return whether choices are allowed."""
        return self.graph.feasible(choices)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, its bytes recounted device by device, and what is wrong with it."""
        instance = self.problem.instance
        strategies, _ = self.decode(choices)
        judged = self.problem.plan_of(strategies)
        divisible = instance.splits == "divisible"
        fault = next(faults(instance.graph, instance.partition, judged, divisible, instance.choices), None)
        plan = replace(plan, strategies=strategies, axes=tuple(axis.name for axis in instance.partition.axes))
        if fault is not None:
            return plan, fault
        recounted = self.problem.costs(judged)
        moved = recounted[COMMUNICATION]
        known = recounted if len(recounted) > 1 else {}
        plan = replace(plan, communication_bytes=moved if moved.denominator > 1 else moved.numerator, costs=known)
        wrong = self.charged_otherwise(choices, recounted) or self._beyond(recounted)
        weights = self.problem.objective.weights
        weighed = sum((weight * recounted[name] for name, weight in weights.items() if weight), start=Fraction(0))
        return replace(plan, objective=weighed), wrong

    def charged_otherwise(self, choices: Sequence[int], recounted: Mapping[str, Fraction]) -> str | None:
        """Return where the compiled cost of choices is another than what was recounted, or None."""
        weights = self.problem.objective.weights
        weighed = sum((weight * recounted[name] for name, weight in weights.items() if weight), start=Fraction(0))
        value = Fraction(self.value(choices), self.unit)
        return None if value == weighed else f"device by device it costs {weighed}, the cost model has {value}"

    def _beyond(self, recounted: Mapping[str, Fraction]) -> str | None:
        """Return which bound is not kept, or None."""
        bounds = self.problem.instance.bounds.items()
        over = next(((name, most) for name, most in bounds if recounted[name] > most), None)
        return None if over is None else f"it costs {recounted[over[0]]} {over[0]}, and may cost {over[1]} at most"


@dataclass(frozen=True, eq=False)
class OperatorFrontTask(OperatorTask):
    """Words whose costs are traded, one component for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone; all have the same variables, edges and capacities."""
        return tuple(self.problem.weighing({name: Fraction(1)}, self.criteria) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them."""
        return self.graphs[0]

    def charged_otherwise(self, choices: Sequence[int], recounted: Mapping[str, Fraction]) -> str | None:
        """Return which component the compiled costs have otherwise, or None."""
        for name, graph in zip(self.criteria, self.graphs, strict=True):
            value = Fraction(graph.value(choices), graph.objective.denominator)
            if recounted[name] != value:
                return f"it costs {recounted[name]} {name}, the cost model says {value}"
        return None

"""The problem of a network of operators: compiled, decided by words over the operators' own dimensions, recomputed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.operators import CompiledOperators, OperatorModel, compile_operators
from hypar_opt.cost.operators.domains import KEPT, STORAGE
from hypar_opt.costgraph import Objective
from hypar_opt.evaluation.operators import faults, movements, operator_plan, total
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Decides, Solution
from hypar_opt.instance.text import shown
from hypar_opt.solver.check import refuted
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

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
    def compiled(self) -> CompiledOperators:
        """The operators compiled, and what the variables stand for."""
        return compile_operators(self.instance.graph, self.model, Objective(self.objective.weights))

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self.compiled.costgraph

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

    def check_words(self, strategies: Mapping[str, str], path: Path) -> None:
        """Check that a plan file's words are a plan of the instance.

        Raises
        ------
        InputError
            If they are not: the file's fault.
        """
        one = self.instance
        try:
            plan = self.plan_of(strategies)
        except InputError as error:
            raise InputError(error.message, file=path, field=f"plan.{error.field}") from None
        fault = next(faults(one.graph, one.partition, plan, one.splits == "divisible", one.choices), None)
        if fault is not None:
            raise InputError(fault, file=path, field="plan")

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
        """Refuse: operators are charged by their bytes alone.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError(
            "operators are charged by their bytes alone, and a front trades two components", field="instance"
        )

    def by_weighted_sums(self, solve: Ask) -> Plan | None:
        """Return nothing: the objective is itself a sum."""
        return None

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Refute that there is no plan: every operator has a word, and nothing else binds."""
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
        moved = total(movements(instance.graph, instance.partition, judged))
        value = Fraction(self.value(choices), self.unit)
        weighed = sum((weight * moved for weight in self.problem.objective.weights.values()), start=Fraction(0))
        plan = replace(plan, communication_bytes=moved if moved.denominator > 1 else moved.numerator, objective=value)
        wrong = (
            None if value == weighed else f"device by device {weighed} bytes are received, the cost model has {value}"
        )
        return plan, wrong

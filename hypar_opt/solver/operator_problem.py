"""The problem of a network of operators: compiled, decided by words over the operators' own dimensions, recomputed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.operators import CompiledOperators, OperatorModel, compile_operators
from hypar_opt.cost.operators.domains import COPY, KEPT, SHARED, STORAGE
from hypar_opt.costgraph import Objective, graph_of
from hypar_opt.costgraph.presolve import NoPlan, Reduction, presolve
from hypar_opt.evaluation.operators import faults, movements, operator_plan, resident, total
from hypar_opt.formulation.registry import choose, defaults, load_formulation
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.text import shown
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.operator_memory import model_of, operator_shortage
from hypar_opt.solver.problem import Ask, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.reduced_task import ReducedTask
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.util.extras import EXTRAS, missing
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.evaluation.operators import OperatorPlan
    from hypar_opt.evaluation.operators.memory import Kept
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
    presolved
        Whether formulations are given reduced tables where the memory may not be enough.
    limits
        When presolve has to end with what it has reduced; None for never.
    """

    instance: OperatorInstance
    presolved: bool = True
    limits: Limits | None = None
    kind: ClassVar[str] = "operators"
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = False
    certified_where: ClassVar[str] = ""
    uncertifiable: ClassVar[str] = (
        "certificates know layers with d, m and o, and these are operators on axes of any size"
    )

    @property
    def use(self) -> Use:
        """Words alone; under a memory that may not be enough, what presolve leaves of their tables."""
        return "strategy-graph" if self.is_tight else "network"

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
        return model_of(self.instance)

    @cached_property
    def compiled(self) -> CompiledOperators:
        """The operators compiled, and what the variables stand for."""
        return compile_operators(self.instance.graph, self.model, Objective(self.objective.weights))

    @cached_property
    def is_tight(self) -> bool:
        """Whether some plan does not fit into the memory, so that tables are reduced, if numba is there to do so."""
        whole = self.compiled.costgraph
        limited = any(capacity.can_be_exceeded for capacity in whole.capacities)
        return limited and whole.dtype is not object and missing(EXTRAS["graphs"].modules) is None

    @cached_property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them.

        Raises
        ------
        NoPlan
            If they allow nothing.
        """
        tables = self.compiled.costgraph.tables
        limits = self.limits
        if not self.presolved:
            return Reduction(tables, tables)
        return presolve(tables, over=lambda: limits is not None and limits.over)

    @cached_property
    def refuted(self) -> str | None:
        """Why nothing is allowed, as far as presolve sees; or None."""
        if not self.is_tight:
            return None
        try:
            self.reduction  # noqa: B018 - kept where it succeeds
        except NoPlan as reason:
            return str(reason)
        return None

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self._left[0]

    @property
    def shift(self) -> int:
        """What a plan costs besides what the graph says."""
        return self._left[1]

    @cached_property
    def _left(self) -> tuple[CostGraph, int]:
        return graph_of(self.reduction.tables) if self.is_tight else (self.compiled.costgraph, 0)

    @property
    def unfixed(self) -> OperatorProblem | None:
        """The same problem without the words that are given; None where none are."""
        return OperatorProblem(self.instance.without_fix()) if self.instance.fix else None

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem, presolved within limits, or not at all."""
        return replace(self, limits=limits, presolved=self.presolved and presolved)

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Compile, which takes a moment where there are many operators."""
        tell(f"compiling {len(self.instance.graph.operators):,} operators")
        self.compiled.costgraph  # noqa: B018 - kept

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem, or what presolve leaves of it."""
        if self.refuted is not None:
            return load_formulation(defaults(self.use)[0])
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
            owner = name.removesuffix(STORAGE).removesuffix(KEPT)
            if owner not in known:
                hint = did_you_mean(owner, known)
                raise InputError(f"the plan has an operator {shown(name)}, the instance has none{hint}", field="plan")
        found = []
        for domain in domains:
            text, storage = strategies.get(domain.name), strategies.get(domain.name + STORAGE)
            kept = strategies.get(domain.name + KEPT, COPY)
            if text is None:
                raise InputError(f"the plan has no strategy for '{domain.name}'", field="plan")
            place = next(
                (
                    place
                    for place, value in enumerate(domain.values)
                    if value.word == tuple(text.split()) and storage in (None, value.storage) and value.kept == kept
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
        stored, kept = (
            {name.removesuffix(end): how for name, how in strategies.items() if name.endswith(end)}
            for end in (STORAGE, KEPT)
        )
        words = {name: word for name, word in strategies.items() if not name.endswith((STORAGE, KEPT))}
        return operator_plan(self.instance.graph, self.instance.partition, words, stored, kept)

    def kept(self, plan: OperatorPlan) -> Mapping[str, Mapping[Kept, Fraction]]:
        """Return what a plan keeps on each device, by operator and kind, recounted."""
        return resident(self.instance.graph, self.instance.partition, plan, self.instance.optimiser)

    def kept_in_all(self, plan: OperatorPlan) -> Fraction:
        """Return the bytes that a plan keeps on each device, recounted."""
        return sum((one for kinds in self.kept(plan).values() for one in kinds.values()), start=Fraction(0))

    def memory_fault(self, plan: OperatorPlan) -> str | None:
        """Return why a plan does not fit into the memory, or None."""
        if self.model.memory is None:
            return None
        kept = self.kept_in_all(plan)
        if kept <= self.model.memory:
            return None
        return f"keeps {in_full(kept)} bytes on each device, which has {in_full(self.model.memory)}"

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
        if self.refuted is not None:
            return Solution(Status.INFEASIBLE, native_status="presolve: nothing fits into the memory"), ""
        return (ReducedOperatorTask if self.is_tight else OperatorTask)(self), ""

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
        """Say what does not fit; where by the smallest of everything a plan does, that there is none is refuted."""
        shortage = operator_shortage(self.instance)
        if shortage is None:
            room = "" if self.model.memory is None else ", and by the smallest of each they fit into the memory"
            return refuted(plan, f"every operator has a word that is allowed{room}")
        return noted(plan, shortage.text)


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
        return self.problem.compiled.costgraph.objective.denominator

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
            if value.kept == SHARED:
                found[domain.name + KEPT] = SHARED
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
        fault = fault or self.problem.memory_fault(judged)
        plan = replace(plan, strategies=strategies, axes=tuple(axis.name for axis in instance.partition.axes))
        if fault is not None:
            return plan, fault
        moved = total(movements(instance.graph, instance.partition, judged))
        value = Fraction(self.value(choices) + self.shift, self.unit)
        weighed = sum((weight * moved for weight in self.problem.objective.weights.values()), start=Fraction(0))
        plan = replace(plan, communication_bytes=moved if moved.denominator > 1 else moved.numerator, objective=value)
        wrong = (
            None if value == weighed else f"device by device {weighed} bytes are received, the cost model has {value}"
        )
        return plan, wrong


@dataclass(frozen=True, eq=False)
class ReducedOperatorTask(OperatorTask, ReducedTask):
    """The words of a network's operators as far as presolve leaves them open, under a memory that may not be enough."""

    problem: OperatorProblem
    components = ReducedTask.components
    ceiling = ReducedTask.ceiling
    shift = ReducedTask.shift
    sizes = ReducedTask.sizes
    encode = ReducedTask.encode
    value = ReducedTask.value
    feasible = ReducedTask.feasible
    allowed = ReducedTask.allowed
    known_solution = ReducedTask.known_solution

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the words of what presolve leaves and of what it has decided."""
        return super().decode(self.problem.reduction.expand(choices).tolist())

"""The problem of a network of operators: compiled, decided by words over the operators' own dimensions, recomputed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

from hypar_opt.cost.operators import CompiledOperators, OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.domains import KEPT, STORAGE
from hypar_opt.costgraph import graph_of
from hypar_opt.costgraph.presolve import NoPlan, Reduction, presolve
from hypar_opt.evaluation.operators import costs, faults, operator_plan, resident
from hypar_opt.formulation.registry import choose, defaults, load_formulation
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.operators.needs import KNOWN, UNKNOWN, lacking
from hypar_opt.instance.text import dotted, shown
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.bounds import beyond_bounds
from hypar_opt.solver.infeasibility.operator_memory import model_of, operator_shortage
from hypar_opt.solver.operator_tasks import OperatorFrontTask, OperatorTask, ReducedOperatorTask
from hypar_opt.solver.problem import Ask, AskWithin, Start, Task, Tell
from hypar_opt.util.errors import InputError, Refusal, did_you_mean
from hypar_opt.util.extras import EXTRAS, missing
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
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
    def components(self) -> CompiledComponents:
        """What plans cost, component by component."""
        return CompiledComponents(self.instance.graph, self.model, self.instance.links, self.instance.device)

    @property
    def compiled(self) -> CompiledOperators:
        """The operators compiled, and what the variables stand for."""
        return self.components.operators

    @cached_property
    def whole(self) -> CostGraph:
        """All that is decided and what it costs, before presolve."""
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

    @cached_property
    def is_tight(self) -> bool:
        """Whether some plan does not fit into the memory, so that tables are reduced, if numba is there.

        Bounds on what pairs of choices cost have no rows in tables.
        """
        whole = self.whole
        if whole.is_coupled or whole.dtype is object or missing(EXTRAS["graphs"].modules) is not None:
            return False
        return any(capacity.can_be_exceeded for capacity in whole.capacities)

    @cached_property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them.

        Raises
        ------
        NoPlan
            If they allow nothing.
        """
        tables = self.whole.tables
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
        return graph_of(self.reduction.tables) if self.is_tight else (self.whole, 0)

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
        self.whole  # noqa: B018 - kept

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
            kept = strategies.get(domain.name + KEPT, "")
            if text is None:
                raise InputError(f"the plan has no strategy for '{domain.name}'", field="plan")
            place = next(
                (
                    place
                    for place, value in enumerate(domain.values)
                    if value.word == tuple(text.split()) and storage in (None, value.storage) and value.is_kept(kept)
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

    def faults(self, plan: OperatorPlan) -> Iterator[str]:
        """Yield what the instance does not allow of a plan, but for its memory and what is given."""
        one = self.instance
        return faults(one.graph, one.partition, plan, one.splits == "divisible", one.choices, one.storages)

    def check_words(self, strategies: Mapping[str, str], path: Path) -> None:
        """Check that a plan file's words are a plan of the instance.

        Raises
        ------
        InputError
            If they are not: the file's fault.
        """
        try:
            plan = self.plan_of(strategies)
        except InputError as error:
            raise InputError(error.message, file=path, field=f"plan.{error.field}") from None
        fault = next(self.faults(plan), None)
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
        """Say what does not fit, or which bounds are too low; where a plan is known, that there is none is refuted."""
        shortage = operator_shortage(self.instance)
        if shortage is not None:
            return noted(plan, shortage.text)
        if self.instance.bounds:
            tell("looking for why there is no plan")
            return beyond_bounds(self, plan, solve, limits, lambda _, found: found.note)
        room = "" if self.memory is None else ", and by the smallest of each they fit into the memory"
        return refuted(plan, f"every operator has a word that is allowed{room}")

    @property
    def memory(self) -> Fraction | None:
        """Bytes of every device; None where that does not matter."""
        return self.model.memory

    def minimising(self, component: str, bounded: Collection[str]) -> OperatorProblem:
        """Return the same problem with a component as its objective, and bounds on some of the others."""
        return OperatorProblem(self.instance.minimising(component, bounded))

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return which bound a plan does not keep, recounted, or None."""
        found = self.costs(self.plan_of(strategies))
        return next((name for name, most in self.instance.bounds.items() if found[name] > most), None)

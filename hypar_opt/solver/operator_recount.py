"""What plans of a network of operators cost, move and keep, recounted by the evaluator."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.domains import BESIDE
from hypar_opt.evaluation.operators import (
    Emitted,
    OperatorStep,
    Walks,
    costs,
    faults,
    movements,
    occupied,
    operator_plan,
    peak_of,
    resident,
    total,
    total_resident,
)
from hypar_opt.instance.operators.conversion_tables import size_text
from hypar_opt.solver.infeasibility.operator_memory import model_of
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.evaluation.operators import MemoryPeak, OperatorPlan
    from hypar_opt.evaluation.operators.memory import Kept
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.operators import OperatorInstance


@dataclass(frozen=True, eq=False)
class RecountedOperators:
    """An instance of operators, whose plans' costs are recounted.

    Parameters
    ----------
    instance
        As read.
    """

    instance: OperatorInstance
    _read: dict[tuple[tuple[str, str], ...], OperatorPlan] = field(default_factory=dict, init=False, repr=False)

    @property
    def objective(self) -> ObjectiveFunction:
        """The objective."""
        return self.instance.objective

    @cached_property
    def model(self) -> OperatorModel:
        """How operators may be split."""
        return model_of(self.instance)

    def costs(self, plan: OperatorPlan) -> Mapping[str, Fraction]:
        """Return what a plan costs by component, recounted device by device."""
        one = self.instance
        if plan.emitted is not None:  # bytes alone are known of
            return costs(one.graph, one.partition, plan)
        return costs(one.graph, one.partition, plan, one.links, one.device, one.optimiser, self.walks)

    def as_counted(self, plan: OperatorPlan) -> str | None:
        """Return whose table a plan is charged by, and what it moves by explicit collectives; None without a table."""
        one, table = self.instance, self.instance.conversions
        if table is None:
            return None
        explicit = total(movements(one.graph, one.partition, replace(plan, emitted=None)))
        return (
            f"conversions as counted of {table.title} on axes {size_text(table.axes)}, a measured table; explicit "
            f"collectives of this plan move {in_full(explicit)} bytes"
        )

    @cached_property
    def walks(self) -> Walks | None:
        """The routes between devices, walked where they are asked for; None where devices do not stand on a graph."""
        standing = self.instance.standing
        return None if standing is None else Walks(standing, self.instance.partition)

    def combined(self, costs: Mapping[str, Fraction]) -> Fraction:
        """Return the objective of what a plan costs by component."""
        weights = self.objective.weights
        return sum((weight * costs[name] for name, weight in weights.items() if weight), start=Fraction(0))

    def fault_of(self, strategies: Mapping[str, str]) -> str | None:
        """Return what keeps words from being an allowed plan, or None: words, memory, and bounds."""
        one, plan = self.instance, self.plan_of(strategies)
        wrong = self.faults(plan)
        excess = self.excess(strategies) if one.bounds else None
        return next(wrong, None) or self.memory_fault(plan) or (excess and f"exceeds the bound on {excess}")

    def plan_of(self, strategies: Mapping[str, str]) -> OperatorPlan:
        """Return the plan that a plan file's entries mean to the evaluator.

        Raises
        ------
        InputError
            If an operator or a tensor is missing or unknown, or its word is none.
        """
        key = tuple(strategies.items())
        if key not in self._read:
            self._read.clear()  # the last one is asked for again and again, others hardly ever
            self._read[key] = self._plan_of(strategies)
        return self._read[key]

    def _plan_of(self, strategies: Mapping[str, str]) -> OperatorPlan:
        words = {name: word for name, word in strategies.items() if not name.endswith(BESIDE)}
        beside = {name: how for name, how in strategies.items() if name not in words}
        stored, kept, again = (
            {name.removesuffix(end): how for name, how in beside.items() if name.endswith(end)} for end in BESIDE
        )
        one = self.instance
        plan = operator_plan(
            one.graph,
            one.partition,
            words,
            stored,
            kept,
            padded=one.splits == "padded",
            recompute=one.recompute,
            again=again,
        )
        table = one.conversions
        return plan if table is None else replace(plan, emitted=Emitted(table.pairs))

    def step(self, strategies: Mapping[str, str]) -> OperatorStep:
        """Return a training step by a plan, each part of which is recounted once, when it is asked for.

        Raises
        ------
        InputError
            If an operator or a tensor is missing or unknown, or its word is none.
        """
        one, plan = self.instance, self.plan_of(strategies)
        if plan.emitted is not None:  # bytes alone are known of
            return OperatorStep(one.graph, one.partition, plan, (), one.optimiser)
        return OperatorStep(one.graph, one.partition, plan, one.links, one.optimiser, one.device, self.walks)

    def kept(self, plan: OperatorPlan) -> Mapping[str, Mapping[Kept, Fraction]]:
        """Return what a plan keeps on each device, by operator and kind, recounted."""
        return resident(self.instance.graph, self.instance.partition, plan, self.instance.optimiser)

    def kept_in_all(self, plan: OperatorPlan) -> Fraction:
        """Return the bytes that a plan keeps on each device, recounted."""
        return total_resident(self.instance.graph, self.instance.partition, plan, self.instance.optimiser)

    def peak(self, plan: OperatorPlan) -> MemoryPeak:
        """Return when most is in a device's memory by a plan, work space included, and what; recounted."""
        return peak_of(self.instance.graph, self.instance.partition, plan, self.instance.optimiser)

    def occupied(self, plan: OperatorPlan) -> tuple[MemoryPeak, ...]:
        """Return what is in a device's memory, moment by moment, recounted."""
        return occupied(self.instance.graph, self.instance.partition, plan, self.instance.optimiser)

    def memory_fault(self, plan: OperatorPlan) -> str | None:
        """Return why a plan does not fit into the memory, or None."""
        if self.model.memory is None:
            return None
        peak = self.peak(plan)
        if peak.bytes <= self.model.memory:
            return None
        had = in_full(self.model.memory)
        return f"takes {in_full(peak.bytes)} bytes on each device {peak.when}, and there are {had}"

    @property
    def memory(self) -> Fraction | None:
        """Bytes of every device; None where that does not matter."""
        return self.model.memory

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return which bound a plan does not keep, recounted, or None."""
        found = self.costs(self.plan_of(strategies))
        return next((name for name, most in self.instance.bounds.items() if found[name] > most), None)

    def faults(self, plan: OperatorPlan) -> Iterator[str]:
        """Yield what the instance does not allow of a plan, but for its memory and what is given."""
        one = self.instance
        return faults(one.graph, one.partition, plan, one.splits == "divisible", one.choices, one.storages)

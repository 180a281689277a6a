"""What formulations decide of a network of operators: their words, and where tensors lie that several read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from hypar_opt.cost.operators.domains import KEPT, NO, STORAGE, YES
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.solver.check import noted
from hypar_opt.solver.problem import Decoded, Start
from hypar_opt.solver.reduced_task import ReducedTask
from hypar_opt.solver.sum_task import SumTask

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run
    from hypar_opt.solver.operator_costs import OperatorCosts
    from hypar_opt.solver.plan import Plan


@dataclass(frozen=True, eq=False)
class OperatorTask(SumTask):
    """The words of a network's operators in the terms of a formulation, and the way back.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: OperatorCosts

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    @property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return self.problem.graph_unit

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """What is decided, by name, and how many values each has."""
        return [(variable.name, variable.size) for variable in self.graph.variables]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the words, and how parameters are kept where there is a choice."""
        found = {}
        decisions = self.problem.compiled.decisions
        known: dict[tuple[int, int], Sequence[tuple[str, str]]] = {}  # equal blocks have equal values
        for domain, choice in zip(self.problem.compiled.domains, choices, strict=True):
            key = id(domain.values), choice
            if key not in known:
                known[key] = tuple(_said(domain, choice))
            (_, word), *beside = known[key]
            found[domain.name] = word
            if decisions and domain.name in decisions:
                found[decisions[domain.name]] = YES if domain.values[choice].again else NO
            for end, said in beside:
                found[domain.name + end] = said
        return found, None

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices of a start."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, its bytes recounted device by device, and what is wrong with it."""
        instance = self.problem.instance
        strategies, _ = self.decode(choices)
        judged = self.problem.plan_of(strategies)
        fault = next(self.problem.faults(judged), None)
        if self.checks_memory:
            fault = fault or self.problem.memory_fault(judged)
        standing = instance.standing if instance.is_placed else None
        names = None if standing is None else standing.names
        axes = tuple(axis.name for axis in instance.partition.axes)
        plan = replace(plan, strategies=strategies, axes=axes, placement=names)
        if fault is not None:
            return plan, fault
        recounted = self.problem.costs(judged)
        moved = recounted[COMMUNICATION]
        known = recounted if len(recounted) > 1 else {}
        plan = replace(plan, communication_bytes=moved if moved.denominator > 1 else moved.numerator, costs=known)
        table = instance.conversions
        if table is not None:
            plan = noted(plan, self.problem.as_counted(judged))
            plan = replace(plan, versions={**plan.versions, "conversions": table.title})
        wrong = self.charged_otherwise(choices, recounted) or self._beyond(recounted)
        return replace(plan, objective=self.problem.combined(recounted)), wrong

    @property
    def checks_memory(self) -> bool:
        """Whether a plan has to fit; of a relaxation it is asked for where the plan is returned."""
        return self.problem.moments is None

    def charged_otherwise(self, choices: Sequence[int], recounted: Mapping[str, Fraction]) -> str | None:
        """Return where the compiled cost of choices is another than what was recounted, or None."""
        weighed = self.problem.combined(recounted)
        value = Fraction(self.value(choices) + self.shift, self.unit)
        return None if value == weighed else f"device by device it costs {weighed}, the cost model has {value}"

    def _beyond(self, recounted: Mapping[str, Fraction]) -> str | None:
        """Return which bound is not kept, or None."""
        bounds = self.problem.instance.bounds.items()
        over = next(((name, most) for name, most in bounds if recounted[name] > most), None)
        return None if over is None else f"it costs {recounted[over[0]]} {over[0]}, and may cost {over[1]} at most"


def _said(domain: Domain, choice: int) -> Iterator[tuple[str, str]]:
    """Yield what plans say of a value, each with the end of its name: the word, how it is stored, and what is kept."""
    value = domain.values[choice]
    yield "", value.text
    if len({one.storage for one in domain.values}) > 1 or value.storage != "replicated":
        yield STORAGE, value.storage
    if value.kept_text:
        yield KEPT, value.kept_text


@dataclass(frozen=True, eq=False)
class WholeOperatorTask(OperatorTask):
    """The words as they are under a memory that may not be enough, for formulations that read what each splits."""

    @property
    def graph(self) -> CostGraph:
        """All that is decided, before presolve."""
        return self.problem.whole


@dataclass(frozen=True, eq=False)
class ReducedOperatorTask(ReducedTask, OperatorTask):
    """The words of a network's operators as far as presolve leaves them open, under a memory that may not be enough."""

    problem: OperatorCosts

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the words of what presolve leaves and of what it has decided."""
        whole = self.problem.reduction.expand(choices).tolist()
        return super().decode(whole[: len(self.problem.compiled.domains)])

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return what presolve leaves of a plan, if it leaves anything."""
        if start.strategies is None:
            return None
        return self._left(self.problem.choices(start.strategies))

    def _left(self, choices: Sequence[int]) -> tuple[int, ...] | None:
        """Return what presolve leaves of a plan, if it leaves that."""
        choices = self.problem.watched.extended(choices)
        left = self.problem.reduction.contract(np.array(choices, dtype=np.int64))
        return None if left is None else tuple(left.tolist())


@dataclass(frozen=True, eq=False)
class BlocksTask(ReducedOperatorTask):
    """The same where it is decided which blocks run once more: how many is found before the search, and a bound.

    Passes over the number of blocks that may run once more are of all moments of the step, whichever are exact here.
    """

    def known_solution(self, run: Run) -> Solution | None:
        """Return the best plan where that is proven by passes over the number of blocks, or presolve decided all."""
        search = self.problem.over_blocks(run.limits)
        if not search.passes:
            search.begin()
        known = super().known_solution(run)
        if known is not None or run.proof is not None:
            return known
        bound = search.bound()
        begin = self._begin()
        if bound is None or begin is None:
            return None
        least = bound - self.shift
        run.incumbent(self.value(begin), begin)
        run.bound(least)
        if self.value(begin) > least:
            return None
        said = f"{search.passes} passes over the numbers of blocks that run once more, the bound is met"
        return Solution(Status.OPTIMAL, begin, least, said)

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the words and decisions, those of the passes where their plan costs as much: few blocks run again."""
        best = self._best
        if best is not None and self.problem.apart.value(best) == self.value(choices) + self.shift:
            return OperatorTask.decode(self, best)
        return super().decode(choices)

    def begun(self, run: Run) -> Run:
        """Return a run that begins with the best plan of the passes, unless one was given."""
        begin = self._begin()
        return run if run.start is not None or begin is None else replace(run, start=begin)

    @property
    def known_bound(self) -> int | None:
        """The bound of the passes."""
        bound = self.problem.passes[0].found if self.problem.passes else None
        return None if bound is None else bound - self.shift

    @property
    def _best(self) -> tuple[int, ...] | None:
        """The best plan of the passes, which fits at all moments."""
        return self.problem.passes[0].best if self.problem.passes else None

    def _begin(self) -> tuple[int, ...] | None:
        """Return what presolve leaves of the best plan of the passes, if it leaves that."""
        return None if self._best is None else self._left(self._best)


@dataclass(frozen=True, eq=False)
class OperatorFrontTask(OperatorTask):
    """Words whose costs are traded, one component for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    def stricter(self, found: Sequence[Sequence[int]]) -> Self | None:
        """Return the same with the memory at the moments at which some choices take more than there is."""
        if not self.problem.can_lack_memory:
            return None
        there = self.problem.moments or ()
        more = {one for choices in found for one in self.problem.exceeded_at(self.decode(choices)[0])}
        if more <= set(there):
            return None
        return replace(self, problem=self.problem.at_moments(tuple(sorted({*there, *more}))))

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone; all have the same variables, edges and capacities."""
        return tuple(self.problem.weighing({name: Fraction(1)}, self.criteria) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them."""
        return self.graphs[0]

    @property
    def checks_memory(self) -> bool:
        """Always: points of fronts are returned as they are."""
        return True

    def charged_otherwise(self, choices: Sequence[int], recounted: Mapping[str, Fraction]) -> str | None:
        """Return which component the compiled costs have otherwise, or None."""
        for name, graph in zip(self.criteria, self.graphs, strict=True):
            value = Fraction(graph.value(choices), graph.objective.denominator)
            if recounted[name] != value:
                return f"it costs {recounted[name]} {name}, the cost model says {value}"
        return None

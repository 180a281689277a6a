"""A network whose layers also choose in how many bits they send: compiled, decided, and taken back to plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from hypar_opt.cost.precision import PrecisionCosts
from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.evaluation.precision import JudgedPrecision
from hypar_opt.formulation.registry import choose
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.objective.components import COMMUNICATION, PLACED, ROUNDING, depends_on, unknown_needs
from hypar_opt.instance.sent_words import SentWord
from hypar_opt.instance.text import dotted, shown
from hypar_opt.solver.check import noted
from hypar_opt.solver.infeasibility.bounds import beyond_bounds
from hypar_opt.solver.infeasibility.indivisible import without_strategy
from hypar_opt.solver.infeasibility.memory import shortage_of
from hypar_opt.solver.network_costs import weights_in_order
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.solver.network_tasks import idle_text, sites_of, with_uneven
from hypar_opt.solver.problem import Decoded
from hypar_opt.solver.sum_task import SumTask
from hypar_opt.solver.uncertified import UncertifiedProblem
from hypar_opt.util.errors import InputError, Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection

    from hypar_opt.costgraph import Capacity, CostGraph
    from hypar_opt.formulation.protocol import Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance import Instance
    from hypar_opt.instance.network import Workload
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Ask, AskWithin, Start, Task, Tell

EXAMPLE: Final = "'dm all:8' or 'dm gradient:8 error:16'"


@dataclass(frozen=True, eq=False)
class PrecisionProblem(UncertifiedProblem):
    """What `solve` works on where bits are chosen beside strategies; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    """

    instance: Instance
    kind: ClassVar[str] = "precision"
    use: ClassVar[Use] = "network"
    is_explained: ClassVar[bool] = False
    uncertifiable: ClassVar[str] = "certificates are of words alone, and here layers choose their bits as well"

    @property
    def setting(self) -> tuple[str, int, int]:
        """Accounting, batch and levels."""
        return self.instance.accounting, self.instance.batch, self.instance.levels

    @property
    def objective(self) -> ObjectiveFunction:
        """What the objective asks for."""
        return self.instance.objective

    @cached_property
    def network(self) -> NetworkProblem:
        """The same network all of which is sent in full, without bounds."""
        plain = {"precision": None, "subject_to": {}, "objective": {COMMUNICATION: Decimal(1)}}
        return NetworkProblem(self.instance.changed(self._built, **plain))

    @property
    def _built(self) -> Any:
        return self.instance.machine if self.instance.is_placed else None

    @cached_property
    def costs(self) -> PrecisionCosts:
        """What choices cost."""
        one = self.network
        precision = self.instance.precision
        assert precision is not None  # or it would be another kind
        return PrecisionCosts(one.work, one.model, precision, one.base, one.memory)

    @property
    def work(self) -> Workload:
        """The decided layers and the boundaries between them."""
        return self.network.work

    @cached_property
    def evaluator(self) -> Evaluator:
        """Judges plans, by code that shares nothing with the search."""
        return Evaluator(self.instance)

    def sites_of(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the positions of accelerators, one for every leaf.

        Raises
        ------
        InputError
            If a name is none, or there is not one for every leaf.
        """
        return sites_of(self.evaluator, names)

    @cached_property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self.weighing(self.weights)

    @property
    def sizing_graph(self) -> CostGraph:
        """The strategies alone."""
        return self.network.base

    @cached_property
    def weights(self) -> Mapping[str, Fraction]:
        """What every component weighs; those that come later in a lexicographic objective next to nothing."""
        return weights_in_order(self.objective, self.weighing)

    def weighing(self, weights: Mapping[str, Fraction]) -> CostGraph:
        """Return the problem under other weights.

        Parameters
        ----------
        weights
            By component, exact.

        Raises
        ------
        InputError
            If the array does not say what a component needs.
        """
        return self.costs.weighed(self._by_words(weights), weights, self.bounds)

    def _by_words(self, weights: Mapping[str, Fraction]) -> CostGraph:
        return self.network.weighing({name: one for name, one in weights.items() if name != ROUNDING})

    @cached_property
    def bounds(self) -> tuple[Capacity, ...]:
        """What components may come to at most."""
        return tuple(
            self.costs.bound(name, most, self._by_words({name: Fraction(1)}))
            for name, most in self.instance.bounds.items()
        )

    def entries_of(self, strategies: Mapping[str, str]) -> dict[str, SentWord]:
        """Return every layer's word and bits.

        Raises
        ------
        InputError
            If a layer is missing or unknown, or a text is none.
        """
        layers = self.instance.network.decision_names
        unknown = next((name for name in strategies if name not in layers), None)
        if unknown is not None:
            hint = did_you_mean(unknown, layers)
            raise InputError(f"the plan has a layer '{unknown}', the instance has none{hint}", field="plan")
        found = {}
        for name in layers:
            if name not in strategies:
                raise InputError(f"the plan has no strategy for layer '{name}'", field="plan")
            entry = SentWord.read(strategies[name])
            if entry is None:
                expected = f"a word and bits as {EXAMPLE}"
                raise InputError(f"expected {expected}, got {shown(strategies[name])}", field=f"plan.{name}")
            found[name] = entry
        return found

    def judged(self, strategies: Mapping[str, str]) -> JudgedPrecision:
        """Return what is true of a plan, by code that shares nothing with the search."""
        return JudgedPrecision(self.evaluator, self.entries_of(strategies))

    def strategies(self, choices: Sequence[int]) -> dict[str, str]:
        """Return every layer's word and bits, as text."""
        found = {}
        for variable, own, choice in zip(self.network.base.variables, self.costs.choices, choices, strict=True):
            word = "" if variable.words is None else variable.words.word(int(own.words[choice]))
            found[variable.name] = str(SentWord(word, own.ways[choice]))
        return found

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the choices that a plan is.

        Raises
        ------
        InputError
            If it is no plan of this network: names the layer.
        """
        entries = self.entries_of(strategies)
        words = self.network.choices({name: entry.word for name, entry in entries.items()})
        found = []
        for name, word, own in zip(entries, words, self.costs.choices, strict=True):
            ways = enumerate(zip(own.words.tolist(), own.ways, strict=True))
            place = next((at for at, one in ways if one == (word, dict(entries[name].bits))), None)
            if place is None:
                raise InputError(f"'{entries[name]}' is no choice of this layer", field=f"plan.{name}")
            found.append(place)
        return tuple(found)

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Follow the routes that costs depend on."""
        asked = (*(self.objective.components if components is None else components), *self.instance.bounds)
        names = [name for name in asked if name != ROUNDING]
        self.network.follow_routes(lambda: limits.over, names)
        if self.instance.is_placed and self.instance.placement is not None:
            self.evaluator.walk_routes(self.instance.placement, lambda: limits.over)

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes the problem."""
        return choose(self.use, self.graph, limits)

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return words and bits as what is to be decided."""
        if decides != "strategies":
            raise Refusal(f"{name} decides {decides}, and here words and bits are; try joint-dp or cp-sat")
        if not self.network.is_feasible:
            return Solution(Status.INFEASIBLE, native_status="a layer has no word, or the least is too much"), ""
        return PrecisionTask(self), ""

    def front(self, components: Sequence[str]) -> PrecisionFront:
        """Return words and bits, charged by each of several components alone."""
        fault = unknown_needs(self.instance.spec.array, [name for name in components if name != ROUNDING])
        if fault is not None:
            raise InputError(fault[1], file=self.instance.source, field=dotted(fault[0]))
        return PrecisionFront(self, tuple(components))

    def minimising(self, component: str, bounded: Collection[str]) -> Self:
        """Return the same problem with a component as its objective, and bounds on some of the others."""
        kept = {name: most for name, most in self.instance.spec.subject_to.items() if name in bounded}
        return type(self)(self.instance.changed(self._built, objective={component: Decimal(1)}, subject_to=kept))

    @property
    def memory(self) -> Capacity | None:
        """What has to fit into an accelerator's memory, where the array says how much does."""
        return self.network.memory

    def excess(self, strategies: Mapping[str, str]) -> str | None:
        """Return which bound a plan does not keep, recounted, or None."""
        return self.judged(strategies).excess

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan."""
        if self.network.is_feasible and self.instance.bounds:
            tell("looking for why there is no plan")
            return beyond_bounds(self, plan, solve, limits, lambda *_: "")
        shortage = shortage_of(self.network)
        return noted(plan, None if shortage is None else shortage.text, without_strategy(self.network))


@dataclass(frozen=True)
class PrecisionTask(SumTask):
    """Every layer's word and bits.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: PrecisionProblem

    @property
    def graph(self) -> CostGraph:
        """What the formulation reads."""
        return self.problem.graph

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the entries as text; the placement is the given one."""
        return self.problem.strategies(choices), self.problem.evaluator.placed

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return the choices that a search can begin with, if any."""
        return None if start.strategies is None else self.problem.choices(start.strategies)

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recounted tensor by tensor, and what is wrong with it."""
        problem, evaluator = self.problem, self.problem.evaluator
        strategies, placed = self.decode(choices)
        judged = problem.judged(strategies)
        names = None if placed is None else tuple(evaluator.instance.machine.accelerators[site] for site in placed)
        plan = replace(
            plan,
            strategies=strategies,
            communication_bytes=judged.breakdown.total,
            placement=names,
            costs=judged.costs,
        )
        plan = with_uneven(plan, evaluator.uneven_splits(judged.words), idle_text(evaluator))
        fault = judged.fault
        if fault is None and not self.feasible(choices):
            fault = "every choice is allowed and fits, and the compiled costs forbid the plan"
        plan, wrong = self.charged(plan, choices, judged)
        return plan, fault or wrong

    def charged(self, plan: Plan, choices: Sequence[int], judged: JudgedPrecision) -> tuple[Plan, str | None]:
        """Return a plan with its objective, and what is wrong with the graph's cost of it, or None."""
        value, found = Fraction(self.graph.value(choices), self.unit), judged.objective(self.problem.weights)
        return replace(plan, objective=value), None if value == found else f"tensors give {found}, the costs {value}"


@dataclass(frozen=True)
class PrecisionFront(PrecisionTask):
    """Words and bits whose costs are traded, one component for another; the objective is only told of each plan.

    Parameters
    ----------
    criteria
        The components.
    """

    criteria: tuple[str, ...]

    @cached_property
    def graphs(self) -> tuple[CostGraph, ...]:
        """One a component, which is charged alone."""
        return tuple(self.problem.weighing({name: Fraction(1)}) for name in self.criteria)

    @property
    def graph(self) -> CostGraph:
        """The first of them: all have the same variables, edges and capacities."""
        return self.graphs[0]

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the entries; the placement is the given one, where any component depends on it."""
        strategies, placed = super().decode(choices)
        on_links = any(depends_on(name, PLACED) for name in self.criteria)
        return strategies, self.problem.instance.placement if on_links else placed

    def charged(self, plan: Plan, choices: Sequence[int], judged: JudgedPrecision) -> tuple[Plan, str | None]:
        """Return a plan with its objective, and where a component's graph charges another cost."""
        for name, graph in zip(self.criteria, self.graphs, strict=True):
            value = Fraction(graph.value(choices), graph.objective.denominator)
            if judged.costs[name] != value:
                return plan, f"it costs {judged.costs[name]} {name}, the costs say {value}"
        placement = plan.placement if self.problem.instance.is_placed else None  # which the objective depends on
        return replace(plan, placement=placement, objective=judged.objective(self.problem.weights)), None

"""A strategy graph compiled: its tables, what presolve leaves of them, and the way between plans and choices."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, ClassVar, Final, Self

from hypar_opt.cost.strategy_graph import compile_graph
from hypar_opt.costgraph import CostGraph, Tables, graph_of
from hypar_opt.costgraph.first_plan import first_plan
from hypar_opt.costgraph.presolve import NoPlan, merged
from hypar_opt.evaluation.strategy_graph import judge, shortage
from hypar_opt.formulation.registry import choose, defaults, load_formulation
from hypar_opt.formulation.solution import Decides, Solution, Status
from hypar_opt.instance.objective.components import TOTAL
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.solver.check import noted, refuted
from hypar_opt.solver.infeasibility.conflict import UNEXPLAINED, OracleAnswer, contradiction
from hypar_opt.solver.problem import Ask, AskSimpler, AskWithin, Decoded, Start, Task, Tell
from hypar_opt.solver.reduced_task import ReducedTask, reduced, why_none
from hypar_opt.util.errors import HyparError, InputError, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph.presolve import Reduction
    from hypar_opt.formulation.protocol import Capabilities, Formulation, Use
    from hypar_opt.formulation.run import Limits
    from hypar_opt.instance.strategy_graph import StrategyGraph
    from hypar_opt.solver.plan import Plan

MOST_DIGITS: Final = 19
"""Of an index, a number of 64 bits."""


@dataclass(frozen=True)
class FirstPlan:
    """A strategy for every node, and what they cost, by the evaluator."""

    choices: tuple[int, ...]
    value: int


@dataclass(frozen=True, eq=False)
class GraphProblem:
    """What `solve` works on where the instance is a strategy graph; a `Problem`.

    Parameters
    ----------
    instance
        As read.
    presolved
        Whether formulations are given the reduced tables.
    limits
        When presolve has to end with what it has reduced; None for never.
    """

    instance: StrategyGraph
    presolved: bool = True
    limits: Limits | None = None
    kind: ClassVar[str] = "strategy-graph"
    use: ClassVar[Use] = "strategy-graph"
    axes_text: ClassVar[None] = None
    setting: ClassVar[tuple[None, None, None]] = (None, None, None)
    is_explained: ClassVar[bool] = False
    presolve_counts: ClassVar[bool] = True
    certified_where: ClassVar[str] = ""
    uncertifiable: ClassVar[None] = None
    unfixed: ClassVar[None] = None

    @property
    def objective(self) -> ObjectiveFunction:
        """The total cost."""
        return ObjectiveFunction("sum", {TOTAL: Fraction(1)})

    @cached_property
    def tables(self) -> Tables:
        """One variable a node."""
        return compile_graph(self.instance)

    @cached_property
    def reduction(self) -> Reduction:
        """The tables, and what presolve leaves of them.

        Raises
        ------
        NoPlan
            If they allow nothing.
        """
        return reduced(self.tables, self.over, presolved=self.presolved, begun=self._merged)

    @cached_property
    def _merged(self) -> Reduction | None:
        return merged(self.tables, self.over) if self.presolved else None

    @cached_property
    def first(self) -> FirstPlan | None:
        """A plan that is found before presolve has ended, if one is and there is to be any."""
        try:
            begun = self._merged
        except NoPlan:  # which `reduction` raises again, and who needs that says why
            return None
        found = None if begun is None or self.over() else first_plan(begun.tables, self.over)
        if begun is None or found is None:
            return None
        choices = begun.expand(found)
        judged = judge(self.instance, choices.tolist())
        return None if judged.fault is not None else FirstPlan(tuple(choices.tolist()), judged.total)

    def over(self) -> bool:
        """Return whether presolve has to end."""
        return self.limits is not None and self.limits.over

    @cached_property
    def refuted(self) -> str | None:
        """Why nothing is allowed, as far as presolve sees; or None."""
        return why_none(self)

    @property
    def graph(self) -> CostGraph:
        """What formulations read."""
        return self._compiled[0]

    @property
    def sizing_graph(self) -> CostGraph:
        """What formulations read."""
        return self.graph

    @property
    def shift(self) -> int:
        """What a plan costs besides what the graph says."""
        return self._compiled[1]

    @cached_property
    def _compiled(self) -> tuple[CostGraph, int]:
        return graph_of(self.reduction.tables)

    def choices(self, strategies: Mapping[str, str]) -> tuple[int, ...]:
        """Return the strategy of every node.

        Raises
        ------
        InputError
            If a node is missing or unknown, or has no such strategy.
        """
        nodes = self.instance.nodes
        for name in strategies:
            if not _is_index(name, nodes) or str(int(name)) != name:
                raise InputError(f"the plan has a node '{name}', the graph has 0 to {nodes - 1}", field="plan")
        found = []
        for node, size in enumerate(self.instance.sizes.tolist()):
            text = strategies.get(str(node))
            if text is None:
                raise InputError(f"the plan has no strategy for node {node}", field="plan")
            if not _is_index(text, size):
                raise InputError(f"expected a strategy from 0 to {size - 1}, got {text}", field=f"plan.{node}")
            found.append(int(text))
        return tuple(found)

    def check_start(self, start: Start) -> None:
        """Check that strategies are this graph's."""
        self.choices(start.strategies or {})

    def within(self, limits: Limits, *, presolved: bool = True) -> Self:
        """Return the same problem, presolved within limits, or not at all."""
        return replace(self, limits=limits, presolved=self.presolved and presolved)

    def prepare(self, limits: Limits, tell: Tell, components: Sequence[str] | None = None) -> None:
        """Say that presolve begins, and tell of a first plan; what presolve leaves, whoever asks for it waits for."""
        tell("presolve")
        if self.first is not None:
            tell("the first plan", Fraction(self.first.value))

    def default(self, limits: Limits) -> Formulation:
        """Return the first default that takes what presolve leaves."""
        if self.refuted is not None:
            return load_formulation(defaults(self.use)[0])
        return choose(self.use, self.graph, limits)

    def proves(self, able: Capabilities) -> bool:
        """Return whether a formulation hands over prices."""
        return able.prices

    def task(self, name: str, decides: Decides, start: Start, solve: Ask) -> tuple[Task | Solution, str]:
        """Return what presolve leaves to be decided, or that it has found that there is no plan."""
        if decides != "strategies":
            raise Refusal(f"{name} decides a placement, and a strategy graph has none; try portfolio or cp-sat")
        if self.refuted is not None:
            return Solution(Status.INFEASIBLE, native_status=f"presolve: {self.refuted}"), ""
        return GraphTask(self), ""

    def front(self, components: Sequence[str]) -> Task:
        """Refuse: a strategy graph's cost is one number.

        Raises
        ------
        InputError
            Always.
        """
        raise InputError("expected the instance of a network, got a strategy graph", field="instance")

    def by_simpler(self, solve: AskSimpler, limits: Limits) -> None:
        """Return nothing: the objective is a sum."""

    def explained(self, plan: Plan, solve: AskWithin, limits: Limits, tell: Tell) -> Plan:
        """Say why there is no plan: a time at which all nodes are too large, or a small part that has none."""
        tell("looking for why there is no plan")
        oracle = _PlanOracle(solve, limits)
        found = shortage(self.instance) or contradiction(self.instance, oracle)
        if not isinstance(found, tuple):
            return noted(plan, UNEXPLAINED if found is None else found.text, *oracle.notes)
        return refuted(plan, f"there is a plan that costs {judge(self.instance, found).total:,}")


@dataclass(frozen=True)
class GraphTask(ReducedTask):
    """The strategies of a strategy graph's nodes, as far as presolve leaves them open.

    Parameters
    ----------
    problem
        Whose.
    """

    problem: GraphProblem

    @property
    def unit(self) -> int:
        """Costs are whole."""
        return 1

    def encode(self, start: Start) -> tuple[int, ...] | None:
        """Return what presolve leaves of the better one of a plan and the first that was found, as far as allowed."""
        given, first = super().encode(start), self.problem.first
        kept = None if first is None else self.problem.reduction.contract(first.choices)
        if kept is None:
            return given
        left = tuple(kept.tolist())
        better = given is not None and self.feasible(given) and self.value(given) <= self.value(left)
        return given if better else left

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return every node's strategy, by its index; both as text."""
        nodes = self.problem.reduction.expand(choices).tolist()
        return {str(node): str(choice) for node, choice in enumerate(nodes)}, None

    def evaluated(self, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
        """Return the plan that choices are, recomputed from the strategy graph itself, and what is wrong with it."""
        strategies, _ = self.decode(choices)
        judged = judge(self.problem.instance, [int(text) for text in strategies.values()])
        total = Fraction(judged.total)
        peak = {"memory_peak": judged.peak, "memory_peak_time": judged.peak_time}
        statistics = {**plan.statistics, **{name: one for name, one in peak.items() if one is not None}}
        plan = replace(plan, strategies=strategies, objective=total, costs={TOTAL: total}, statistics=statistics)
        value = self.value(choices) + self.shift
        if judged.fault is not None:
            return plan, judged.fault
        if not self.feasible(choices):
            return plan, "the plan breaks a limit of the reduced problem"
        return plan, None if value == total else f"the graph's own costs give {total}, the compiled ones {value}"


@dataclass
class _PlanOracle:
    """What a solver says of parts of a strategy graph, within limits; its notes on what it proves are kept."""

    solve: AskWithin
    limits: Limits
    notes: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether they are."""
        return self.limits.over

    def __call__(self, graph: StrategyGraph) -> OracleAnswer:
        """Return what it says; nothing where it declines, or what it says does not hold."""
        if self.over:
            return OracleAnswer()
        try:
            plan = self.solve(GraphProblem(graph, limits=self.limits), self.limits)
        except HyparError:
            return OracleAnswer()
        if plan.status is Status.ERROR:
            return OracleAnswer()
        choices = None if plan.strategies is None else tuple(map(int, plan.strategies.values()))
        bound, nothing = None if plan.bound is None else ceil(plan.bound), plan.status is Status.INFEASIBLE
        if nothing or bound:
            self.notes.append(plan.note)
        return OracleAnswer(choices, bound, nothing)


def _is_index(text: str, count: int) -> bool:
    """Return whether a text spells a number from 0 to below a count; one of thousands of digits is not read at all."""
    return text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS and int(text) < count

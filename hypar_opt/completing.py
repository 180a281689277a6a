"""From choices to a whole plan: decoded, its cost recomputed by code that shares nothing with the search."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.boxes import impossible, letters_of, unbuildable_text
from hypar_opt.components import TOTAL
from hypar_opt.errors import HyparError
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.plan import Status
from hypar_opt.shortage import shortage_of
from hypar_opt.strategy_graph.conflict import Unexplained
from hypar_opt.strategy_graph.contradiction import Answer, contradiction
from hypar_opt.strategy_graph.judging import judge, shortage
from hypar_opt.tasks import GraphTask
from hypar_opt.traffic import misplaced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.boxes import Breakdown
    from hypar_opt.plan import Plan, Solution
    from hypar_opt.problem import Problem
    from hypar_opt.run import Limits
    from hypar_opt.strategy_graph import StrategyGraph
    from hypar_opt.strategy_graph.conflict import Why
    from hypar_opt.tasks import NetworkTask, Subject, Task


def completed(task: Task, solution: Solution, plan: Plan) -> Plan:
    """Return a plan with what a solution's choices stand for; a claim that fails recomputation becomes ERROR."""
    if solution.choices is None:
        return plan
    if isinstance(task, GraphTask):
        plan, fault = _of_graph(task, solution.choices, plan)
    else:
        plan, fault = _of_network(task, solution.choices, plan)
    if fault is None:
        fault = _wrong_bound(solution, task.value(solution.choices))
    return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)


Solve: TypeAlias = "Callable[[GraphProblem, Limits], Plan]"


def explained(problem: Subject, plan: Plan, solve: Solve, limits: Limits) -> Plan:
    """Say why there is no plan; where there is one after all, the proof that there is none becomes ERROR.

    Whether a network has one is recounted layer by layer.

    Parameters
    ----------
    plan
        Says that there is none.
    solve
        Finds plans of parts of a strategy graph.
    limits
        Of all that together.
    """
    if not isinstance(problem, GraphProblem):
        if problem.is_feasible:
            room = "" if problem.capacity is None else ", and by the smallest of each they fit into the memory"
            return _refuted(plan, f"every layer has a strategy that is allowed{room}")
        return _noted(plan, shortage_of(problem), *_without_words(problem))
    graph = problem.instance
    asked = _Asked(solve, limits)
    found = shortage(graph) or contradiction(graph, asked)
    if not isinstance(found, tuple):
        return _noted(plan, found or Unexplained(), *asked.notes)
    return _refuted(plan, f"there is a plan that costs {judge(graph, found).total:,}")


def _refuted(plan: Plan, fact: str) -> Plan:
    """Return what is left of a proof that there is no plan."""
    said = f"says INFEASIBLE ({plan.native_status}), and {fact}"
    return replace(plan, status=Status.ERROR, native_status=f"{plan.formulation} {said}")


def _without_words(problem: Problem) -> list[str]:
    """Return a sentence where a layer may have no strategy at all, as where it would have to be split too often."""
    name = impossible(problem.work, problem.rules)
    if name is None:
        return []
    layer = next(layer for layer in problem.work.layers if layer.name == name)
    letters = letters_of(layer, problem.instance.choices)
    kind = f"which has {layer.groups:,} groups" if layer.groups > 1 else f"a layer of kind {layer.kind}"
    even = "; splits: divisible has every part as large as the next" if problem.rules.divisible else ""
    return [f"no strategy of {problem.instance.levels} letters of '{letters}' is allowed for '{name}', {kind}{even}"]


def _noted(plan: Plan, why: Why | None, *besides: str) -> Plan:
    """Say why, and on what that rests; everything once."""
    said = dict.fromkeys([plan.note, "" if why is None else why.text, *besides])
    return replace(plan, note="; ".join(filter(None, said)))


@dataclass
class _Asked:
    """What a solver says of parts of a strategy graph, within limits; its notes on what it proves are kept."""

    solve: Solve
    limits: Limits
    notes: list[str] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether they are."""
        return self.limits.over

    def __call__(self, graph: StrategyGraph) -> Answer:
        """Return what it says; nothing where it declines, or what it says does not hold."""
        if self.over:
            return Answer()
        try:
            plan = self.solve(GraphProblem(graph, limits=self.limits), self.limits)
        except HyparError:
            return Answer()
        if plan.status is Status.ERROR:
            return Answer()
        choices = None if plan.strategies is None else tuple(map(int, plan.strategies.values()))
        bound, nothing = None if plan.bound is None else ceil(plan.bound), plan.status is Status.INFEASIBLE
        if nothing or bound:
            self.notes.append(plan.note)
        return Answer(choices, bound, nothing)


def _of_graph(task: GraphTask, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
    strategies, _ = task.decode(choices)
    judged = judge(task.problem.instance, [int(text) for text in strategies.values()])
    total = Fraction(judged.total)
    peak: dict[str, int] = {"memory_peak": judged.peak}
    if judged.peak_time is not None:
        peak["memory_peak_time"] = judged.peak_time
    statistics = {**plan.statistics, **peak}
    plan = replace(plan, strategies=strategies, objective=total, costs={TOTAL: total}, statistics=statistics)
    value = task.value(choices) + task.shift
    if judged.fault is not None:
        return plan, judged.fault
    if not task.feasible(choices):
        return plan, "the plan breaks a limit of the reduced problem"
    return plan, None if value == total else f"the graph's own costs give {total}, the compiled ones {value}"


def _of_network(task: NetworkTask, choices: Sequence[int], plan: Plan) -> tuple[Plan, str | None]:
    problem = task.problem
    strategies, placed = task.decode(choices)
    wrong_place = None if placed is None else misplaced(problem.instance.machine, placed)
    if wrong_place is not None:  # there are no routes to walk
        return plan, wrong_place
    fault = problem.fault_of(strategies)
    if fault is None and not task.feasible(choices):
        fault = "every strategy is allowed and fits, and the compiled costs forbid the plan"
    breakdown, value = problem.bytes_of(strategies), task.value(choices)
    plan = replace(
        plan,
        strategies=strategies,
        communication_bytes=breakdown.total,
        objective=Fraction(value, task.unit),
        placement=None if placed is None else tuple(problem.instance.machine.accelerators[site] for site in placed),
        costs=known_costs(problem, breakdown, placed),
    )
    plan = with_splits(problem, plan)
    recomputed = problem.objective_of(breakdown, placed) * task.unit
    if fault is None and recomputed != value:
        code = "boxes give" if placed is None else "boxes and routes give"
        fault = f"the {code} {recomputed}, the cost model {value}"
    return plan, fault


def with_splits(problem: Problem, plan: Plan) -> Plan:
    """Return a plan with what it splits unevenly, or into more parts than there are, which its note says too."""
    found = () if plan.strategies is None else problem.uneven_splits(plan.strategies)
    beyond = tuple(str(one) for one in found if not one.is_possible)
    padded = tuple(str(one) for one in found if one.is_possible)
    text = unbuildable_text(found)
    note = plan.note if text in plan.note else "; ".join(filter(None, [plan.note, text]))
    return replace(plan, note=note, unbuildable=beyond, uneven=padded)


def known_costs(problem: Problem, breakdown: Breakdown, placed: Sequence[int] | None) -> dict[str, Fraction]:
    """Return what is known of a plan's cost beside its bytes: on the links, and of the accelerators."""
    if placed is None and problem.instance.accelerator is None:
        return {}
    return problem.costs(breakdown, problem.sites if placed is None else placed)


def _wrong_bound(solution: Solution, value: int) -> str | None:
    """Return what is wrong with a solution's bound, or None."""
    if solution.bound is not None and solution.bound > value:
        return f"the bound {solution.bound} is above the plan's cost {value}"
    if solution.status is Status.OPTIMAL and solution.bound != value:
        return f"claims OPTIMAL with cost {value} and bound {solution.bound}"
    return None

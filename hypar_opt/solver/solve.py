"""The one entry point: an instance and a formulation's name in, a checked plan out."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from hypar_opt.aim import PRODUCT
from hypar_opt.answers import well_formed, without_forbidden
from hypar_opt.apart import solve_apart
from hypar_opt.completing import completed, explained, known_costs
from hypar_opt.costgraph import CostGraph, Duals
from hypar_opt.errors import HyparError, InputError, Refusal
from hypar_opt.formulation import load_formulation, refusal, require
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.instance.wording import shown
from hypar_opt.interrupting import Interrupted
from hypar_opt.plan import Plan, Solution, Status
from hypar_opt.problem import Problem
from hypar_opt.products import least_product
from hypar_opt.run import Event, Limits, Listener, Proof, Run, limits_of
from hypar_opt.tasks import GraphTask, JointTask, PlacementTask, Start, StrategiesTask, Subject, problem_of
from hypar_opt.waiting import GRACE_S, started, wait_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.formulation import Formulation, Graph
    from hypar_opt.instance import Instance
    from hypar_opt.strategy_graph import StrategyGraph
    from hypar_opt.tasks import Task

DEFAULT_FORMULATION = "joint-dp"
FORMULATIONS = (DEFAULT_FORMULATION, "cp-sat")
"""The default, and what is taken where it declines."""
GRAPH_FORMULATIONS = ("portfolio", "cp-sat")
"""The same for strategy graphs."""
FREE_FORMULATIONS = ("joint-enumeration", "alternating")
"""The same where the placement is to be decided too."""
EXPLANATION_S: Final = 10.0
"""How long it is looked for why a strategy graph has no plan, at most; no longer than the limits allow."""


def solve(
    instance: Instance | StrategyGraph | Subject | Path | str,
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    start: Mapping[str, str] | Start | None = None,
    listener: Listener | None = None,
    proof: Proof | None = None,
) -> Plan:
    """Find a plan.

    Parameters
    ----------
    instance
        An instance as read, a network's or a strategy graph; the name of a shipped one, or a path; or a problem
        compiled before.
    formulation
        A name of the entry-point group; None for joint-dp where its tables fit, else cp-sat; where the placement is
        to be decided too, for joint-enumeration where it fits, else alternating; for portfolio on strategy graphs.
    limits
        Deadline, seed, workers, memory, and a flag that stops the run; events tell the time since these began.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.
    start
        Strategies to begin with, by layer, where the formulation can use them; a formulation that decides the
        placement alone places these, else those of least communication.
    listener
        Called with incumbents, bounds and phases as they come.
    proof
        Called with the potentials of a proof of optimality, or the prices of the best bound, for a certificate.

    Returns
    -------
    The plan; its cost was recomputed (by boxes and routes, or from the strategy graph itself) and agrees, or its status
    is ERROR.

    Raises
    ------
    InputError
        If there is no such instance, or the formulation or the start does not fit.
    TypeError
        If an argument is of another kind.
    Refusal
        If the formulation declines, or certifies nothing and a proof is wanted; the message names an
        alternative.
    """
    limits = limits_of(limits, time_limit, seed, workers).counting()
    problem = _problem(instance, limits)
    start = start if isinstance(start, Start) else Start(start)
    plan = _solved(problem, formulation, limits, start, listener, proof)
    if plan.status is not Status.INFEASIBLE:
        return plan
    if isinstance(problem, GraphProblem):
        _tell(listener, problem, limits, "looking for why there is no plan")
    return explained(problem, plan, partial(_of_part, plan.formulation), limits.within(EXPLANATION_S))


def _of_part(name: str, part: GraphProblem, limits: Limits) -> Plan:
    """Solve what an explanation asks by who found that there is no plan, or by the default where that is not exact."""
    exact = name if load_formulation(name).capabilities.exact else GRAPH_FORMULATIONS[0]
    return _solved(part, exact, limits, Start(), None, None)


def _solved(
    problem: Subject,
    formulation: str | None,
    limits: Limits,
    start: Start,
    listener: Listener | None,
    proof: Proof | None,
) -> Plan:
    """Find a plan; where there is none, don't say why."""
    if isinstance(problem, Problem) and problem.aim.kind == PRODUCT and proof is None:
        phases = _phases_only(listener)
        asked = time.perf_counter()
        least = least_product(problem, lambda weighed: _solved(weighed, formulation, limits, start, phases, None))
        return _of_product(problem, replace(least, runtime_s=time.perf_counter() - asked))
    if proof is not None and problem.uncertifiable is not None:
        raise Refusal(problem.uncertifiable)
    asked = time.perf_counter()
    if isinstance(problem, GraphProblem):
        _tell(listener, problem, limits, "presolve")
    else:
        try:
            problem.follow_routes(lambda: limits.over)
        except Interrupted as stop:
            default = FREE_FORMULATIONS if problem.is_free else FORMULATIONS
            nothing = Solution(Status.NO_SOLUTION, native_status=str(stop))
            named = load_formulation(formulation or default[0])
            return _plan(problem, named, nothing, limits.seed, time.perf_counter() - asked)
    chosen = pick(problem, formulation, limits)
    able = chosen.capabilities.prices if isinstance(problem, GraphProblem) else chosen.capabilities.certifies
    if proof is not None and not able:
        raise Refusal(f"{chosen.name} writes no certificates; {_writers(problem)}")
    task, given = _task(problem, chosen, start, limits, listener)
    if isinstance(task, Solution):
        return _plan(problem, chosen, task, limits.seed, time.perf_counter() - asked)
    begin = task.encode(start)
    best = _Best(listener, task, limits, begin)
    run = Run(chosen.name, limits, begin, best.hear, proof)
    require(chosen, task.graph, run)
    compiled = not given and isinstance(problem, Problem)  # once for all formulations: none of their time
    began = time.perf_counter() if compiled else asked
    solution = _searched(chosen, task, run)
    solution = best.instead_of(solution)
    if given:
        solution = replace(solution, note="; ".join(filter(None, [f"the strategies are {given}", solution.note])))
    plan = _plan(problem, chosen, solution, limits.seed, time.perf_counter() - began, task)
    return completed(task, solution, plan)


def _of_product(problem: Problem, plan: Plan) -> Plan:
    """Return a weighted sum's plan as one of the product: placed and costed as that asks, and recomputed."""
    if plan.strategies is None or plan.status is Status.ERROR:
        return plan
    breakdown, placed = problem.bytes_of(plan.strategies), problem.placed
    names = None if placed is None else tuple(problem.instance.machine.accelerators[site] for site in placed)
    plan = replace(plan, placement=names, costs=known_costs(problem, breakdown, placed))
    recomputed = problem.objective_of(breakdown, placed)
    if recomputed == plan.objective:
        return plan
    fault = f"boxes and routes give the product {recomputed}, the search {plan.objective}"
    return replace(plan, status=Status.ERROR, native_status=fault, bound=None)


def _phases_only(listener: Listener | None) -> Listener | None:
    """Leave out the values of weighted sums, which say nothing of their product."""
    return None if listener is None else lambda event: listener(event) if event.kind == "phase" else None


def _problem(instance: Instance | StrategyGraph | Subject | Path | str, limits: Limits) -> Subject:
    """Return the problem of an instance, with presolve under the same limits; what was compiled before has its own."""
    problem = problem_of(instance)
    if isinstance(problem, GraphProblem) and problem is not instance:
        return replace(problem, limits=limits)
    return problem


def pick(problem: Subject, name: str | None, limits: Limits) -> Formulation:
    """Return the formulation of a name, or the default one for a problem.

    Raises
    ------
    InputError
        If no formulation has the name.
    Refusal
        If neither default takes the problem.
    """
    if name is not None and not isinstance(name, str):
        raise TypeError(f"formulation: expected a name or None, got {shown(name)}")
    if name is not None:
        return load_formulation(name)
    if isinstance(problem, GraphProblem):
        nothing = problem.refuted is not None
        return load_formulation(GRAPH_FORMULATIONS[0]) if nothing else _pick(problem.graph, GRAPH_FORMULATIONS, limits)
    if problem.is_free:
        return _pick(problem.joint, FREE_FORMULATIONS, limits, "give a placement: --placement identity")
    return _pick(problem.graph, FORMULATIONS, limits)


def _pick(
    graph: Graph, names: Sequence[str], limits: Limits, advice: str = "a higher --memory-limit, or hypar-dp"
) -> Formulation:
    """Return the first of several that takes a graph."""
    reasons = []
    for one in names:
        formulation = load_formulation(one)
        if not formulation.capabilities.capacities and isinstance(graph, CostGraph) and graph.capacities:
            continue
        reason = refusal(formulation, graph, Run(one, limits))
        if reason is None:
            return formulation
        reasons.append(f"{one}: {_without_advice(reason)}")
    raise Refusal(f"both defaults decline. {'; '.join(reasons)}. Try fewer levels, or {advice}")


def _without_advice(reason: str) -> str:
    """Leave out what a formulation would try instead: the other one was."""
    return reason.split("; try ")[0]


def _task(
    problem: Subject, chosen: Formulation, start: Start, limits: Limits, listener: Listener | None
) -> tuple[Task | Solution, str]:
    """Return what a formulation has to decide, and where given strategies come from; or that there are none."""
    if isinstance(problem, GraphProblem):
        if chosen.capabilities.decides != "strategies":
            raise Refusal(f"{chosen.name} decides a placement, and a strategy graph has none; try portfolio or cp-sat")
        if problem.refuted is not None:
            return Solution(Status.INFEASIBLE, native_status=f"presolve: {problem.refuted}"), ""
        return GraphTask(problem), ""
    decides = chosen.capabilities.decides
    if decides == "strategies":
        return StrategiesTask(problem), ""
    problem.joint  # noqa: B018 - which refuses where there is no placement to decide
    if decides == "both":
        return JointTask(problem), ""
    if start.strategies is not None:
        return PlacementTask(problem, _allowed(problem, start.strategies)), "those of the start"
    first = _least_communication(problem, limits, listener)
    if first.status is Status.ERROR:
        return Solution(Status.ERROR, native_status=f"no strategies to place: {first.native_status}"), ""
    if first.strategies is None:
        status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
        said = f"no strategies to place: {first.status} by {first.formulation}"
        return Solution(status, native_status=said), ""
    proven = "proven" if first.status is Status.OPTIMAL else "not proven"
    return PlacementTask(problem, first.strategies), f"those of least communication ({first.formulation}, {proven})"


def _allowed(problem: Problem, strategies: Mapping[str, str]) -> Mapping[str, str]:
    """Return strategies that are given and stay as they are, which have to be a plan of the instance."""
    problem.choices(strategies)  # which names a word that none can be, and what it should be
    fault = problem.fault_of(strategies)
    if fault is not None:
        raise InputError(f"only a plan that is allowed can be placed: {fault}", field="start")
    return strategies


def _least_communication(problem: Problem, limits: Limits, listener: Listener | None) -> Plan:
    """Decide the strategies first, by the bytes alone."""
    return solve(problem.by_communication, limits=limits, listener=listener)


class _Best:
    """The best plan so far: the start, if it is allowed, then every better incumbent on its way to the listener."""

    def __init__(self, listener: Listener | None, task: Task, limits: Limits, start: tuple[int, ...] | None) -> None:
        self._listener = listener
        self._task, self._limits = task, limits
        allowed = start is not None and task.feasible(start)
        self.choices = start if allowed else None
        self.value: int | Fraction | None = task.value(start) if start is not None and allowed else None

    def hear(self, event: Event) -> None:
        ceiling = _ceiling(self._task)
        if event.kind == "incumbent" and event.value is not None:
            if ceiling is not None and event.value >= ceiling:
                return
            if self.value is None or event.value < self.value:
                self.value, self.choices = event.value, event.choices
        task, problem = self._task, self._task.problem
        value = None if event.value is None else Fraction(event.value + task.shift, task.unit)
        told = replace(event, value=value, instance=problem.instance.name, aim=problem.aim)
        self._listener = _heard(self._listener, replace(told, time_s=self._limits.elapsed_s()))

    def instead_of(self, solution: Solution) -> Solution:
        """Return the best plan so far where a run ended without one; that there is none is then not true."""
        if solution.status is Status.INFEASIBLE and self.choices is not None:
            said = f"says INFEASIBLE ({solution.native_status}), and a plan is known"
            return Solution(Status.ERROR, native_status=said)
        if solution.status is not Status.NO_SOLUTION or self.choices is None:
            return solution
        return replace(solution, status=Status.FEASIBLE, choices=self.choices)


def _searched(formulation: Formulation, task: Task, run: Run) -> Solution:
    """Return what a formulation finds; a strategy graph may be decided by then, or the time over."""
    if isinstance(task, GraphTask):
        if not task.sizes:
            return _decided(task, run)
        if run.limits.over:
            return Solution(Status.NO_SOLUTION, native_status="stopped before the search began")
    return without_forbidden(_in_thread(formulation, task, run), task.graph)


def _decided(task: Task, run: Run) -> Solution:
    """Return the one plan of a strategy graph that presolve has decided; what it left out costs as much or more."""
    if run.proof is not None and isinstance(task, GraphTask):
        run.proof(Duals.zero(task.graph.tables))
    run.incumbent(0, ())
    run.bound(0)
    return Solution(Status.OPTIMAL, (), 0, "presolve leaves nothing to choose")


def _ceiling(task: Task) -> int | None:
    """Return what no allowed choices cost, where others do."""
    return task.graph.ceiling if isinstance(task.graph, CostGraph) else None


def _writers(problem: Subject) -> str:
    """Return who does."""
    of_graphs = isinstance(problem, GraphProblem)
    return "portfolio, milp-highs and lagrangian do" if of_graphs else "joint-dp does, where its tables fit"


def _tell(listener: Listener | None, problem: Subject, limits: Limits, text: str) -> None:
    """Say what is done before a formulation runs, or after."""
    name, aim = problem.instance.name, problem.aim
    _heard(listener, Event("phase", limits.elapsed_s(), "solve", text=text, instance=name, aim=aim))


def _heard(listener: Listener | None, event: Event) -> Listener | None:
    """Tell a listener; return it, unless it failed: a search is worth more than whoever watches it."""
    if listener is not None:
        try:
            listener(event)
        except Exception as error:  # noqa: BLE001 - whatever it may be
            warnings.warn(f"the listener failed and hears no more: {type(error).__name__}: {error}", stacklevel=3)
            return None
    return listener


def _in_thread(formulation: Formulation, task: Task, run: Run) -> Solution:
    """Solve beside the main thread, which stays free for signals while a solver is in native code."""
    future = started(lambda: solve_apart(formulation, task, run), formulation.name)
    try:
        wait_for(future, run.limits)
        if not future.done():
            return Solution(Status.NO_SOLUTION, native_status=f"did not stop within {GRACE_S:.0f} s")
        return well_formed(future.result(), task.sizes)
    except HyparError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's formulation may raise anything
        return Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")


def _plan(
    problem: Subject,
    formulation: Formulation,
    solution: Solution,
    seed: int,
    runtime_s: float,
    task: Task | None = None,
) -> Plan:
    """Return what is known of a plan before its choices are decoded."""
    instance = problem.instance
    shift, unit = (0, 1) if task is None else (task.shift, task.unit)
    return Plan(
        instance=instance.name,
        instance_sha256=instance.sha256,
        formulation=formulation.name,
        status=solution.status,
        native_status=solution.native_status,
        strategies=None,
        communication_bytes=None,
        objective=None,
        bound=None if solution.bound is None else Fraction(solution.bound + shift, unit),
        runtime_s=runtime_s,
        seed=seed,
        note=solution.note,
        versions=versions(formulation),
        overrides=instance.overrides,
        statistics=solution.statistics,
        decided=formulation.capabilities.decides,
    )


def versions(formulation: Formulation) -> dict[str, str]:
    """Return the versions that a result depends on."""
    packages = ("hypar-opt", "numpy", *formulation.capabilities.packages)
    return {"python": ".".join(map(str, sys.version_info[:3]))} | {name: _version(name) for name in packages}


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"

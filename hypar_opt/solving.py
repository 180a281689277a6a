"""The one entry point: an instance and a formulation's name in, a checked plan out."""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from hypar_opt.aim import PRODUCT
from hypar_opt.completing import completed, explained, known_costs
from hypar_opt.costgraph import CostGraph, Duals
from hypar_opt.errors import HyparError, Refusal
from hypar_opt.formulation import load_formulation, refusal, require
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.plan import Plan, Solution, Status
from hypar_opt.problem import Problem
from hypar_opt.products import least_product
from hypar_opt.run import Event, Limits, Listener, Proof, Run
from hypar_opt.tasks import GraphTask, JointTask, PlacementTask, Start, StrategiesTask, Subject, problem_of
from hypar_opt.waiting import GRACE_S, started, wait_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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


def solve(
    instance: Instance | StrategyGraph | Subject,
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    start: Mapping[str, str] | Start | None = None,
    listener: Listener | None = None,
    proof: Proof | None = None,
) -> Plan:
    """Find a plan.

    Parameters
    ----------
    instance
        An instance as read, a network's or a strategy graph; or a problem compiled before.
    formulation
        A name of the entry-point group; None for joint-dp where its tables fit, else cp-sat; where the placement is
        to be decided too, for joint-enumeration where it fits, else alternating; for portfolio on strategy graphs.
    limits
        Deadline, seed, workers, memory, and a flag that stops the run.
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
        If the formulation or the start does not fit.
    Refusal
        If the formulation declines, or certifies nothing and a proof is wanted; the message names an
        alternative.
    """
    problem = problem_of(instance)
    limits = limits or Limits()
    start = start if isinstance(start, Start) else Start(start)
    if isinstance(problem, Problem) and problem.aim.kind == PRODUCT and proof is None:
        phases = _phases_only(listener)
        began = time.perf_counter()
        least = least_product(
            problem, lambda weighed: solve(weighed, formulation, limits=limits, start=start, listener=phases)
        )
        return _of_product(problem, replace(least, runtime_s=time.perf_counter() - began))
    if proof is not None and problem.uncertifiable is not None:
        raise Refusal(problem.uncertifiable)
    began = time.perf_counter()
    if isinstance(problem, GraphProblem):
        _tell(listener, problem, "presolve")
    chosen = pick(problem, formulation, limits)
    able = chosen.capabilities.prices if isinstance(problem, GraphProblem) else chosen.capabilities.certifies
    if proof is not None and not able:
        raise Refusal(f"{chosen.name} writes no certificates; {_writers(problem)}")
    began = began if isinstance(problem, GraphProblem) else time.perf_counter()
    task, given = _task(problem, chosen, start, limits, listener)
    if isinstance(task, Solution):
        plan = _plan(problem, chosen, task, limits.seed, time.perf_counter() - began)
        return explained(problem, plan)
    begin = task.encode(start)
    best = _Best(listener, task, begin)
    run = Run(chosen.name, limits, begin, best.hear, proof)
    require(chosen, task.graph, run)
    began = began if given or isinstance(problem, GraphProblem) else time.perf_counter()
    decided = isinstance(task, GraphTask) and not task.sizes
    solution = _decided(task, run) if decided else _without_forbidden(_in_thread(chosen, task, run), task)
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


def pick(problem: Subject, name: str | None, limits: Limits) -> Formulation:
    """Return the formulation of a name, or the default one for a problem.

    Raises
    ------
    InputError
        If no formulation has the name.
    Refusal
        If neither default takes the problem.
    """
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
        return PlacementTask(problem, start.strategies), "those of the start"
    first = _least_communication(problem, limits, listener)
    if first.strategies is None:
        status = Status.INFEASIBLE if first.status is Status.INFEASIBLE else Status.NO_SOLUTION
        said = f"no strategies to place: {first.status} by {first.formulation}"
        return Solution(status, native_status=said), ""
    proven = "proven" if first.status is Status.OPTIMAL else "not proven"
    return PlacementTask(problem, first.strategies), f"those of least communication ({first.formulation}, {proven})"


def _least_communication(problem: Problem, limits: Limits, listener: Listener | None) -> Plan:
    """Decide the strategies first, by the bytes alone."""
    return solve(problem.by_communication, limits=limits, listener=listener)


class _Best:
    """The best plan so far: the start, if it is allowed, then every better incumbent on its way to the listener."""

    def __init__(self, listener: Listener | None, task: Task, start: tuple[int, ...] | None) -> None:
        self._listener = listener
        self._task = task
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
        if self._listener is None:
            return
        task, problem = self._task, self._task.problem
        value = None if event.value is None else Fraction(event.value + task.shift, task.unit)
        try:
            self._listener(replace(event, value=value, instance=problem.instance.name, aim=problem.aim))
        except Exception as error:  # noqa: BLE001 - a search is worth more than whoever watches it
            self._listener = None
            warnings.warn(f"the listener failed and hears no more: {type(error).__name__}: {error}", stacklevel=2)

    def instead_of(self, solution: Solution) -> Solution:
        """Return the best plan so far where a run ended without one."""
        if solution.status is not Status.NO_SOLUTION or self.choices is None:
            return solution
        return replace(solution, status=Status.FEASIBLE, choices=self.choices)


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


def _without_forbidden(solution: Solution, task: Task) -> Solution:
    """Take back choices that are forbidden by costing too much: where those are the best, there are no others."""
    ceiling = _ceiling(task)
    if ceiling is None or solution.choices is None or task.value(solution.choices) < ceiling:
        return solution
    status = Status.INFEASIBLE if solution.status is Status.OPTIMAL else Status.NO_SOLUTION
    bound = None if status is Status.INFEASIBLE else solution.bound
    native = (
        f"{solution.native_status}: every plan has something forbidden" if bound is None else solution.native_status
    )
    return replace(solution, status=status, choices=None, bound=bound, native_status=native)


def _writers(problem: Subject) -> str:
    """Return who does."""
    of_graphs = isinstance(problem, GraphProblem)
    return "portfolio, milp-highs and lagrangian do" if of_graphs else "joint-dp does, where its tables fit"


def _tell(listener: Listener | None, problem: Subject, text: str) -> None:
    """Say what is done before a formulation runs."""
    if listener is not None:
        listener(Event("phase", 0.0, "solve", text=text, instance=problem.instance.name, aim=problem.aim))


def _in_thread(formulation: Formulation, task: Task, run: Run) -> Solution:
    """Solve beside the main thread, which stays free for signals while a solver is in native code."""
    future = started(lambda: formulation.solve(task.graph, run), formulation.name)
    try:
        wait_for(future, run.limits)
        if not future.done():
            return Solution(Status.NO_SOLUTION, native_status=f"did not stop within {GRACE_S:.0f} s")
        return _well_formed(future.result(), task.sizes)
    except HyparError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's formulation may raise anything
        return Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")


def _well_formed(answer: object, sizes: Sequence[tuple[str, int]]) -> Solution:
    """Return a formulation's answer if it is a solution with a value for everything that is decided."""
    if not isinstance(answer, Solution):
        raise TypeError(f"expected a Solution, got {type(answer).__name__}")
    if answer.choices is not None:
        if len(answer.choices) != len(sizes):
            raise ValueError(f"{len(answer.choices)} choices for {len(sizes)} variables")
        for (name, size), choice in zip(sizes, answer.choices, strict=True):
            if not 0 <= choice < size:
                raise ValueError(f"{name} has {size} values, {choice} is none of them")
    return answer


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

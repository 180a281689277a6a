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
from hypar_opt.costgraph import CostGraph
from hypar_opt.errors import HyparError, Refusal
from hypar_opt.formulation import load_formulation, refusal, require
from hypar_opt.plan import Plan, Solution, Status
from hypar_opt.problem import Problem
from hypar_opt.products import least_product
from hypar_opt.run import Event, Limits, Listener, Run
from hypar_opt.shortage import shortage_of
from hypar_opt.tasks import JointTask, PlacementTask, Start, StrategiesTask
from hypar_opt.waiting import GRACE_S, started, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.boxes import Breakdown
    from hypar_opt.formulation import Formulation, Graph
    from hypar_opt.instance import Instance
    from hypar_opt.potentials import Potentials
    from hypar_opt.tasks import Task

DEFAULT_FORMULATION = "joint-dp"
FORMULATIONS = (DEFAULT_FORMULATION, "cp-sat")
"""The default, and what is taken where it declines."""
FREE_FORMULATIONS = ("joint-enumeration", "alternating")
"""The same where the placement is to be decided too."""


def solve(
    instance: Instance | Problem,
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    start: Mapping[str, str] | Start | None = None,
    listener: Listener | None = None,
    proof: Callable[[Potentials], None] | None = None,
) -> Plan:
    """Find a plan.

    Parameters
    ----------
    instance
        An instance as read, or a problem compiled before.
    formulation
        A name of the entry-point group; None for joint-dp where its tables fit, else cp-sat; where the placement is
        to be decided too, for joint-enumeration where it fits, else alternating.
    limits
        Deadline, seed, workers, memory, and a flag that stops the run.
    start
        Strategies to begin with, by layer, where the formulation can use them; a formulation that decides the
        placement alone places these, else those of least communication.
    listener
        Called with incumbents, bounds and phases as they come.
    proof
        Called with the potentials of a proof of optimality, for a certificate.

    Returns
    -------
    The plan; its cost was recomputed by boxes (and routes) and agrees, or its status is ERROR.

    Raises
    ------
    InputError
        If the formulation or the start does not fit.
    Refusal
        If the formulation declines, or certifies nothing and a proof is wanted; the message names an
        alternative.
    """
    problem = instance if isinstance(instance, Problem) else Problem(instance)
    limits = limits or Limits()
    start = start if isinstance(start, Start) else Start(start)
    if problem.aim.kind == PRODUCT and proof is None:
        phases = _phases_only(listener)
        began = time.perf_counter()
        least = least_product(
            problem, lambda weighed: solve(weighed, formulation, limits=limits, start=start, listener=phases)
        )
        return _of_product(problem, replace(least, runtime_s=time.perf_counter() - began))
    if proof is not None and problem.uncertifiable is not None:
        raise Refusal(problem.uncertifiable)
    chosen = pick(problem, formulation, limits)
    if proof is not None and not chosen.capabilities.certifies:
        raise Refusal(f"{chosen.name} writes no certificates; joint-dp does, where its tables fit")
    began = time.perf_counter()
    task, given = _task(problem, chosen, start, limits, listener)
    if isinstance(task, Solution):
        return _plan(problem, chosen, task, limits.seed, time.perf_counter() - began, 1)
    begin = task.encode(start)
    best = _Best(listener, task, begin)
    run = Run(chosen.name, limits, begin, best.hear, proof)
    require(chosen, task.graph, run)
    began = began if given else time.perf_counter()
    solution = best.instead_of(_in_thread(chosen, task, run))
    if given:
        solution = replace(solution, note="; ".join(filter(None, [f"the strategies are {given}", solution.note])))
    return checked_plan(task, chosen, solution, limits.seed, time.perf_counter() - began)


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


def pick(problem: Problem, name: str | None, limits: Limits) -> Formulation:
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
    graph: Graph = problem.joint if problem.is_free else problem.graph
    names = FREE_FORMULATIONS if problem.is_free else FORMULATIONS
    reasons = []
    for one in names:
        formulation = load_formulation(one)
        if not formulation.capabilities.capacities and isinstance(graph, CostGraph) and graph.capacities:
            continue
        reason = refusal(formulation, graph, Run(one, limits))
        if reason is None:
            return formulation
        reasons.append(f"{one}: {_without_advice(reason)}")
    advice = "give a placement: --placement identity" if problem.is_free else "a higher --memory-limit, or hypar-dp"
    raise Refusal(f"both defaults decline. {'; '.join(reasons)}. Try fewer levels, or {advice}")


def _without_advice(reason: str) -> str:
    """Leave out what a formulation would try instead: the other one was."""
    return reason.split("; try ")[0]


def _task(
    problem: Problem, chosen: Formulation, start: Start, limits: Limits, listener: Listener | None
) -> tuple[Task | Solution, str]:
    """Return what a formulation has to decide, and where given strategies come from; or that there are none."""
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
        self._problem, self._unit = task.problem, task.unit
        allowed = start is not None and task.feasible(start)
        self.choices = start if allowed else None
        self.value: int | Fraction | None = task.value(start) if start is not None and allowed else None

    def hear(self, event: Event) -> None:
        if event.kind == "incumbent" and event.value is not None and (self.value is None or event.value < self.value):
            self.value, self.choices = event.value, event.choices
        if self._listener is None:
            return
        value = None if event.value is None else Fraction(event.value, self._unit)
        problem = self._problem
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


def checked_plan(task: Task, formulation: Formulation, solution: Solution, seed: int, runtime_s: float) -> Plan:
    """Turn a solution into a plan, its cost recomputed by boxes and routes; a claim that fails becomes ERROR."""
    problem = task.problem
    plan = _plan(problem, formulation, solution, seed, runtime_s, task.unit)
    if solution.choices is None:
        short = shortage_of(problem) if solution.status is Status.INFEASIBLE else None
        return plan if short is None else replace(plan, note="; ".join(filter(None, [plan.note, short.text])))
    strategies, placed = task.decode(solution.choices)
    fault = None if task.feasible(solution.choices) else "the plan breaks a split, a given strategy or a capacity"
    if fault is not None and placed is not None and len(set(placed)) < len(placed):
        fault = "two leaves stand on one accelerator"
        return replace(plan, status=Status.ERROR, native_status=fault, bound=None)
    breakdown, value = problem.bytes_of(strategies), task.value(solution.choices)
    plan = replace(
        plan,
        strategies=strategies,
        communication_bytes=breakdown.total,
        objective=Fraction(value, task.unit),
        placement=None if placed is None else tuple(problem.instance.machine.accelerators[site] for site in placed),
        costs=known_costs(problem, breakdown, placed),
    )
    recomputed = problem.objective_of(breakdown, placed) * task.unit
    if recomputed != value:
        code = "boxes give" if placed is None else "boxes and routes give"
        fault = f"the {code} {recomputed}, the cost model {value}"
    fault = fault or _fault(solution, value)
    return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)


def known_costs(problem: Problem, breakdown: Breakdown, placed: Sequence[int] | None) -> dict[str, Fraction]:
    """Return what is known of a plan's cost beside its bytes: on the links, and of the accelerators."""
    if placed is None and problem.instance.accelerator is None:
        return {}
    return problem.costs(breakdown, problem.sites if placed is None else placed)


def _plan(
    problem: Problem, formulation: Formulation, solution: Solution, seed: int, runtime_s: float, unit: int
) -> Plan:
    """Return what is known of a plan before its choices are decoded."""
    instance = problem.instance
    return Plan(
        instance=instance.name,
        instance_sha256=instance.sha256,
        formulation=formulation.name,
        status=solution.status,
        native_status=solution.native_status,
        strategies=None,
        communication_bytes=None,
        objective=None,
        bound=None if solution.bound is None else Fraction(solution.bound, unit),
        runtime_s=runtime_s,
        seed=seed,
        note=solution.note,
        versions=versions(formulation),
        overrides=instance.overrides,
        statistics=solution.statistics,
        decided=formulation.capabilities.decides,
    )


def _fault(solution: Solution, value: int) -> str | None:
    """Return what is wrong with a solution's bound, or None."""
    if solution.bound is not None and solution.bound > value:
        return f"the bound {solution.bound} is above the plan's cost {value}"
    if solution.status is Status.OPTIMAL and solution.bound != value:
        return f"claims OPTIMAL with cost {value} and bound {solution.bound}"
    return None


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

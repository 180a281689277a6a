"""The one entry point: an instance and a formulation's name in, a checked plan out."""

from __future__ import annotations

import sys
import time
import warnings
from concurrent.futures import Future, wait
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from threading import Thread
from typing import TYPE_CHECKING

from hypar_opt.errors import HyparError, Refusal
from hypar_opt.formulation import load_formulation, refusal, require
from hypar_opt.plan import Plan, Solution, Status
from hypar_opt.problem import Problem
from hypar_opt.run import Event, Limits, Listener, Run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.boxes import Bytes
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation import Formulation
    from hypar_opt.instance import Instance
    from hypar_opt.potentials import Potentials

DEFAULT_FORMULATION = "joint-dp"
FALLBACK_FORMULATION = "cp-sat"
GRACE_S = 10.0
"""How long a formulation that was told to stop may take before its best incumbent is used instead."""


def solve(
    instance: Instance | Problem,
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    start: Mapping[str, str] | None = None,
    listener: Listener | None = None,
    proof: Callable[[Potentials], None] | None = None,
) -> Plan:
    """Find a plan.

    Parameters
    ----------
    instance
        An instance as read, or a problem compiled before.
    formulation
        A name of the entry-point group; None for joint-dp where its tables fit, else cp-sat.
    limits
        Deadline, seed, workers, memory, and a flag that stops the run.
    start
        Strategies to begin with, by layer, where the formulation can use them.
    listener
        Called with incumbents, bounds and phases as they come.
    proof
        Called with the potentials of a proof of optimality, for a certificate.

    Returns
    -------
    The plan; its cost was recomputed by boxes and agrees, or its status is ERROR.

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
    chosen = pick(problem.graph, formulation, limits)
    if proof is not None and not chosen.capabilities.certifies:
        raise Refusal(f"{chosen.name} writes no certificates; joint-dp does, where its tables fit")
    begin = None if start is None else problem.choices(start)
    best = _Best(listener, problem.graph, begin)
    run = Run(chosen.name, limits, begin, best.hear, proof)
    require(chosen, problem.graph, run)
    began = time.perf_counter()
    solution = best.instead_of(_in_thread(chosen, problem.graph, run))
    return checked_plan(problem, chosen, solution, limits.seed, time.perf_counter() - began)


def pick(graph: CostGraph, name: str | None, limits: Limits) -> Formulation:
    """Return the formulation of a name, or the default one for a graph.

    Raises
    ------
    InputError
        If no formulation has the name.
    Refusal
        If neither default takes the graph.
    """
    if name is not None:
        return load_formulation(name)
    first = load_formulation(DEFAULT_FORMULATION)
    if graph.capacities:
        return load_formulation(FALLBACK_FORMULATION)
    reason = refusal(first, graph, Run(first.name, limits))
    if reason is None:
        return first
    second = load_formulation(FALLBACK_FORMULATION)
    other = refusal(second, graph, Run(second.name, limits))
    if other is not None:
        reasons = f"{first.name}: {_without_advice(reason)}; {second.name}: {_without_advice(other)}"
        raise Refusal(f"both defaults decline. {reasons}. Try fewer levels, a higher --memory-limit, or hypar-dp")
    return second


def _without_advice(reason: str) -> str:
    """Leave out what a formulation would try instead: the other one was."""
    return reason.split("; try ")[0]


class _Best:
    """The best plan so far: the start, if it is allowed, then every better incumbent on its way to the listener."""

    def __init__(self, listener: Listener | None, graph: CostGraph, start: tuple[int, ...] | None) -> None:
        self._listener = listener
        self._unit = graph.objective.denominator
        allowed = start is not None and graph.feasible(start)
        self.choices = start if allowed else None
        self.value: int | Fraction | None = graph.value(start) if start is not None and allowed else None

    def hear(self, event: Event) -> None:
        if event.kind == "incumbent" and event.value is not None and (self.value is None or event.value < self.value):
            self.value, self.choices = event.value, event.choices
        if self._listener is None:
            return
        try:
            self._listener(event if event.value is None else replace(event, value=Fraction(event.value, self._unit)))
        except Exception as error:  # noqa: BLE001 - a search is worth more than whoever watches it
            self._listener = None
            warnings.warn(f"the listener failed and hears no more: {type(error).__name__}: {error}", stacklevel=2)

    def instead_of(self, solution: Solution) -> Solution:
        """Return the best plan so far where a run ended without one."""
        if solution.status is not Status.NO_SOLUTION or self.choices is None:
            return solution
        return replace(solution, status=Status.FEASIBLE, choices=self.choices)


def _in_thread(formulation: Formulation, graph: CostGraph, run: Run) -> Solution:
    """Solve beside the main thread, which stays free for signals while a solver is in native code."""
    future: Future[Solution] = Future()

    def work() -> None:
        try:
            future.set_result(formulation.solve(graph, run))
        except BaseException as error:  # noqa: BLE001 - handed to the waiting thread, which judges it
            future.set_exception(error)

    Thread(target=work, name=formulation.name, daemon=True).start()
    try:
        _wait(future, run.limits)
        if not future.done():
            return Solution(Status.NO_SOLUTION, native_status=f"did not stop within {GRACE_S:.0f} s")
        return _well_formed(future.result(), graph)
    except HyparError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's formulation may raise anything
        return Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")


def _well_formed(answer: object, graph: CostGraph) -> Solution:
    """Return a formulation's answer if it is a solution with a value for every variable."""
    if not isinstance(answer, Solution):
        raise TypeError(f"expected a Solution, got {type(answer).__name__}")
    if answer.choices is not None:
        if len(answer.choices) != len(graph.variables):
            raise ValueError(f"{len(answer.choices)} choices for {len(graph.variables)} variables")
        for variable, choice in zip(graph.variables, answer.choices, strict=True):
            if not 0 <= choice < variable.size:
                raise ValueError(f"'{variable.name}' has {variable.size} values, {choice} is none of them")
    return answer


def _wait(future: Future[Solution], limits: Limits) -> None:
    """Wait for the end, or for the grace after a stop; being interrupted stops the run too."""
    try:
        while not limits.over and not wait([future], timeout=0.1).done:
            continue
    except BaseException:
        limits.stop.set()
        raise
    finally:
        wait([future], timeout=GRACE_S if limits.over else None)


def checked_plan(problem: Problem, formulation: Formulation, solution: Solution, seed: int, runtime_s: float) -> Plan:
    """Turn a solution into a plan, its cost recomputed by boxes; a claim that fails becomes ERROR."""
    instance, unit = problem.instance, problem.graph.objective.denominator
    plan = Plan(
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
    )
    if solution.choices is None:
        return plan
    strategies = problem.strategies(solution.choices)
    total, value = problem.bytes_of(strategies).total, problem.graph.value(solution.choices)
    plan = replace(
        plan,
        strategies=strategies,
        communication_bytes=total,
        objective=Fraction(value, unit),
    )
    fault = _fault(problem, solution, total, value)
    return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)


def _fault(problem: Problem, solution: Solution, total_bytes: Bytes, value: int) -> str | None:
    """Return what is wrong with a solution's claims, or None."""
    graph, choices = problem.graph, solution.choices or ()
    weighed = problem.objective_of(total_bytes) * graph.objective.denominator
    if weighed != value:
        return f"the boxes give {weighed}, the cost model {value}"
    if not graph.feasible(choices):
        return "the plan breaks a split, a given strategy or a capacity"
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

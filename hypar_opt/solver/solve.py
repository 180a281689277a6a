"""The one entry point: an instance and a formulation's name in, a checked plan out."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, cast

from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.registry import defaults, formulations, load_formulation, require
from hypar_opt.formulation.run import Event, Limits, Listener, Proof, Run, limits_of
from hypar_opt.formulation.solution import Solution, Status
from hypar_opt.instance.text import shown
from hypar_opt.solver.check import completed, undecoded, well_formed, without_forbidden
from hypar_opt.solver.components import solve_apart
from hypar_opt.solver.improvements import Improvements
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.problem import Problem, Start, Task
from hypar_opt.solver.threads import heard, in_thread, until_it_fails
from hypar_opt.util.errors import HyparError, Refusal
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hypar_opt.formulation.incumbent import Valued
    from hypar_opt.formulation.protocol import Formulation
    from hypar_opt.instance.read import AnyInput

EXPLANATION_S: Final = 10.0
"""How long it is looked for why a strategy graph has no plan, at most; no longer than the limits allow."""


def solve(
    instance: AnyInput | Problem | Path | str,
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    start: Mapping[str, str] | Start | Plan | None = None,
    callback: Listener | None = None,
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
        A plan or strategies by layer to begin with, where the formulation can use them; a formulation that decides the
        placement alone places these, else those of least communication.
    callback
        Called with every `Event`: phases, incumbents, bounds, progress. What it raises ends the run and is raised here.
    listener
        The same, but its failures are warnings: it hears no more, and the run goes on.
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
    if isinstance(start, Plan):
        start = Start(start.strategies, start.placement)
    start = start if isinstance(start, Start) else Start(start)
    with heard(callback, listener, limits) as (hearing, limits):
        safely = told_safely(hearing)
        problem = problem_of(instance)
        if problem is not instance:  # what was compiled before has limits of its own
            problem = problem.within(limits)
        improvements = Improvements(problem.objective)

        def tell(event: Event) -> None:
            improvements.hear(event)
            safely(event)

        plan = explained(_solved(problem, formulation, limits, start, tell, proof), problem, limits, safely)
        cost = None if plan.status is Status.ERROR else plan.objective
        return replace(plan, improvements=improvements.until(cost, plan.bound, limits.elapsed_s()))


def explained(plan: Plan, problem: Problem, limits: Limits, listener: Listener) -> Plan:
    """Return a plan with why there is none, if that is what it says; a claim that does not hold becomes ERROR."""
    if plan.status is not Status.INFEASIBLE:
        return plan
    tell = partial(_tell, listener, problem, limits)
    return problem.explained(plan, partial(_of_part, plan.formulation), limits.within(EXPLANATION_S), tell)


def _of_part(name: str, part: Problem, limits: Limits) -> Plan:
    """Solve what an explanation asks by who found that there is no plan, or by a default where that is not exact.

    What is asked may be another kind of objective, which that one declines.
    """
    exact = name if load_formulation(name).capabilities.exact else defaults(part.use)[0]
    try:
        return _solved(part, exact, limits, Start(), told_safely(None), None)
    except Refusal:
        return _solved(part, part.default(limits).name, limits, Start(), told_safely(None), None)


def _solved(
    problem: Problem,
    formulation: str | None,
    limits: Limits,
    start: Start,
    listener: Listener,
    proof: Proof | None,
) -> Plan:
    """Find a plan; where there is none, don't say why."""
    if proof is None:
        heard = _phases_only(listener)
        whole = problem.by_simpler(
            lambda simpler, within, begin: _solved(simpler, formulation, within, begin or start, heard, None), limits
        )
        if whole is not None:
            return whole
    elif problem.uncertifiable is not None:
        raise Refusal(problem.uncertifiable)
    asked = time.perf_counter()
    try:
        problem.prepare(limits, partial(_tell, listener, problem, limits))
    except Interrupted as stop:
        nothing = Solution(Status.NO_SOLUTION, native_status=str(stop))
        named = load_formulation(formulation or defaults(problem.use)[0])
        return undecoded(problem, named, nothing, limits.seed, time.perf_counter() - asked)
    chosen = pick(problem, formulation, limits)
    if proof is not None and not problem.proves(chosen.capabilities):
        raise Refusal(f"{chosen.name} writes no certificates; {_writers(problem)}")
    _check_decides(problem, chosen)
    task, given = problem.task(
        chosen.name, chosen.capabilities.decides, start, lambda other: solve(other, limits=limits, listener=listener)
    )
    if isinstance(task, Solution):
        return undecoded(problem, chosen, task, limits.seed, time.perf_counter() - asked)
    begin = task.encode(start)
    best: list[Event] = []
    run = Run(chosen.name, limits, begin, partial(_hear, best, listener, problem, task, limits), proof)
    require(chosen, task.graph, run)
    began = asked if given or problem.presolve_counts else time.perf_counter()
    known = task.known_solution(run)
    if known is None:
        solution = _raised(_searched(chosen, task, task.begun(run), best), task)
    else:
        solution = _not_worse(known, task, run, best)
    if given:
        solution = replace(solution, note="; ".join(filter(None, [f"the strategies are {given}", solution.note])))
    plan = undecoded(problem, chosen, solution, limits.seed, time.perf_counter() - began, task)
    return completed(task, solution, plan)


def _check_decides(problem: Problem, chosen: Formulation) -> None:
    """Refuse a formulation of pipelines where there is none."""
    decides = chosen.capabilities.decides
    if decides in ("stages", "schedule") and problem.kind != "pipeline":
        instead = defaults(problem.use)[0]
        raise Refusal(f"{chosen.name} decides {decides} of pipelines, and this is none; try {instead}")
    if decides == "sends" and problem.use != "collective":
        instead = defaults(problem.use)[0]
        raise Refusal(f"{chosen.name} decides the sends of a collective, and this is none; try {instead}")
    if decides == "begins" and problem.use != "task-graph":
        instead = defaults(problem.use)[0]
        raise Refusal(f"{chosen.name} decides when the tasks of a task graph begin, and this is none; try {instead}")
    if decides == "submeshes" and problem.kind != "staged":
        instead = defaults(problem.use)[0]
        raise Refusal(
            f"{chosen.name} puts the layers of a network into stages, which is not asked for; try {instead}, or "
            "--microbatches of a network"
        )


def _raised(solution: Solution, task: Task) -> Solution:
    """Return a solution with what is known beside the search of how little plans cost at least."""
    least = task.known_bound
    if least is None or solution.choices is None or solution.status is not Status.FEASIBLE:
        return solution
    met = task.value(solution.choices) <= least
    bound = least if solution.bound is None else max(least, solution.bound)
    return replace(solution, bound=bound, status=Status.OPTIMAL if met else solution.status)


def _phases_only(listener: Listener) -> Listener:
    """Leave out values of simpler problems: plans of weighted sums, or such as may not fit, and their bounds."""
    return lambda event: listener(event) if event.kind == "phase" else None


def pick(problem: Problem, name: str | None, limits: Limits) -> Formulation:
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
    return problem.default(limits) if name is None else load_formulation(name)


def _hear(best: list[Event], listener: Listener, problem: Problem, task: Task, limits: Limits, event: Event) -> None:
    """Keep the best incumbent only, and pass an event on in the objective's unit."""
    if event.kind == "incumbent" and event.value is not None:
        if task.ceiling is not None and event.value >= task.ceiling:
            return
        if event.choices is not None and all(event.value < (one.value or 0) for one in best):
            best[:] = [event]
    value = None if event.value is None else Fraction(event.value + task.shift, task.unit)
    told = replace(event, value=value, instance=problem.instance.name, weights=problem.objective.linear)
    listener(replace(told, time_s=limits.elapsed_s()))


def _not_worse(solution: Solution, task: Task, run: Run, incumbents: Sequence[Event]) -> Solution:
    """Return the best plan so far where a run ended without one; that there is none is then not true."""
    if solution.status not in (Status.INFEASIBLE, Status.NO_SOLUTION):
        return solution
    # an incumbent compares values, whole numbers or fractions
    best = Incumbent.of(cast("Valued", task), replace(run, listener=None))
    for event in incumbents:
        if best.offer(well_formed(Solution(Status.FEASIBLE, event.choices), task.sizes).choices or ()) is None:
            raise ValueError("the plan that it told of last is not allowed")
    if best.choices is None:
        return solution
    if solution.status is Status.INFEASIBLE:
        said = f"says INFEASIBLE ({solution.native_status}), and a plan is known"
        return Solution(Status.ERROR, native_status=said)
    return replace(solution, status=Status.FEASIBLE, choices=best.choices)


def _writers(problem: Problem) -> str:
    """Return who writes certificates of such problems."""
    known = {name: able for name, able in formulations().items() if problem.proves(able)}
    names = sorted(known, key=lambda name: problem.use not in known[name].default_for)  # the default first
    if not names:
        return "no formulation does"
    *most, last = names
    return (f"{', '.join(most)} and {last} do" if most else f"{last} does") + problem.certified_where


def _tell(listener: Listener, problem: Problem, limits: Limits, text: str, value: Fraction | None = None) -> None:
    """Say what is done before a formulation runs, or after; or what a plan costs that is found then."""
    name, weights = problem.instance.name, problem.objective.linear
    kind: Literal["phase", "incumbent"] = "phase" if value is None else "incumbent"
    said = text if value is None else ""
    listener(Event(kind, limits.elapsed_s(), "solve", value, text=said, instance=name, weights=weights))


def told_safely(listener: Listener | None) -> Listener:
    """Return what tells a listener, if there is one, until it fails: a search is worth more than whoever watches it."""
    return until_it_fails(listener or (lambda _: None), Exception, _warn)


def _warn(error: Exception) -> None:
    warnings.warn(f"the listener failed and hears no more: {type(error).__name__}: {error}", stacklevel=4)


def _searched(formulation: Formulation, task: Task, run: Run, incumbents: Sequence[Event]) -> Solution:
    """Solve beside the main thread, which stays free for signals while a solver is in native code."""
    try:
        answer = in_thread(
            lambda heard_run: solve_apart(formulation, task, heard_run),
            run,
            lambda why: Solution(Status.NO_SOLUTION, native_status=why),
        )
        found = without_forbidden(well_formed(answer, task.sizes), task.allowed)
        return _not_worse(found, task, run, incumbents)
    except HyparError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a third party's formulation may raise anything
        return Solution(Status.ERROR, native_status=f"{type(error).__name__}: {error}")

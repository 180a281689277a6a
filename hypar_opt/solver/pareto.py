"""The Pareto front of an instance: every trade-off between two or three components, each with a plan."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.protocol import Formulation, Fronts
from hypar_opt.formulation.registry import defaults, load_formulation
from hypar_opt.formulation.run import Event, Limits, Listener, Run, limits_of
from hypar_opt.formulation.solution import FrontSolution, Solution, Status
from hypar_opt.instance.objective.components import check_known
from hypar_opt.solver.check import undecoded
from hypar_opt.solver.front import ParetoFront, TradeOff
from hypar_opt.solver.front_file import COMPONENT_COUNTS
from hypar_opt.solver.kinds import problem_of
from hypar_opt.solver.plan import Plan
from hypar_opt.solver.solve import explained, told_safely
from hypar_opt.solver.threads import heard, in_thread
from hypar_opt.util.errors import InputError, RecomputationError, Refusal, readable
from hypar_opt.util.interrupt import Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from pathlib import Path

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.executor import Workers
    from hypar_opt.formulation.run import Spread
    from hypar_opt.formulation.solution import FrontPoint
    from hypar_opt.instance import Instance
    from hypar_opt.solver.problem import Problem, Task

P = TypeVar("P")
R = TypeVar("R")


def pareto_front(
    instance: Instance | Problem | Path | str,
    components: Sequence[str] = ("time", "energy"),
    formulation: str | None = None,
    *,
    limits: Limits | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    workers: int | None = None,
    callback: Listener | None = None,
    listener: Listener | None = None,
    on: Workers | None = None,
) -> ParetoFront:
    """Enumerate the Pareto front.

    Parameters
    ----------
    instance
        An instance as read, the name of a shipped one, or a path; or a problem compiled before, of any kind whose
        costs have components.
    components
        Two or three.
    formulation
        A name of the entry-point group; None for joint-dp's labels, where it declines cp-sat's epsilon-constraints.
    limits
        Deadline, seed, workers, memory, and a flag that stops the run; a front cut short is not complete.
    time_limit, seed, workers
        Instead of those of `limits`; the time in seconds.
    callback
        Called with every `Event`: phases, and how many points, or layers, are done. What it raises ends the run and is
        raised here.
    listener
        The same, but its failures are warnings: it hears no more, and the run goes on.
    on
        Who runs the searches of a formulation that hands them out, as cp-sat does; None for this process. The front is
        the same. A formulation that hands out nothing runs here.

    Returns
    -------
    The front; that every point's plan is one, and what it costs, was recomputed by code that shares nothing with the
    search.

    Raises
    ------
    InputError
        If a component is none, or the array does not say what it needs.
    Refusal
        If the formulation declines; the message names an alternative.
    RecomputationError
        If a plan is not allowed or a recomputed cost is not what the search says, or there are plans and no points.
    """
    limits = limits_of(limits, time_limit, seed, workers)
    with heard(callback, listener, limits) as (hearing, limits):
        return _enumerated(problem_of(instance), _checked(components), formulation, limits, told_safely(hearing), on)


def _enumerated(
    problem: Problem,
    names: tuple[str, ...],
    formulation: str | None,
    limits: Limits,
    listener: Listener,
    on: Workers | None,
) -> ParetoFront:
    """Enumerate the front of a problem, recompute its points, and say why there are none."""
    one = problem.instance
    task = problem.front(names)
    front = partial(ParetoFront, one.name, one.sha256, one.overrides, names)
    try:
        problem.prepare(limits, lambda *_: None, names)
    except Interrupted as stop:  # before the search began
        return front((), False, formulation or defaults("front")[0], str(stop), note="", runtime_s=0.0)
    began = time.perf_counter()
    while True:
        chosen = _pick(task.graphs, formulation, limits)
        run = Run(chosen.name, limits, None, lambda event: listener(replace(event, instance=one.name)))
        found = _front_of(chosen, task, run if on is None else replace(run, spread=spread_by(on)))
        stricter = task.stricter([point.choices for point in found.points])
        if stricter is None:
            break
        task = stricter
    header = undecoded(problem, chosen, Solution(Status.NO_SOLUTION), limits.seed, time.perf_counter() - began)
    header = replace(header, native_status=found.native_status)
    count = len(found.points)
    points = tuple(
        _trade_off(task, names, point, replace(header, note=_note_of(number, count, names)))
        for number, point in enumerate(found.points, start=1)
    )
    nothing = found.complete and not points
    told = explained(replace(header, status=Status.INFEASIBLE), problem, limits, _silent) if nothing else header
    if told.status is Status.ERROR:
        raise RecomputationError("the front is said to be complete and empty, and the instance has plans")
    note = "; ".join(filter(None, [found.note, told.note]))
    return front(
        points, found.complete, chosen.name, found.native_status, note, header.runtime_s, found.statistics,
        header.seed, header.versions, found.excess,
    )  # fmt: skip


def spread_by(on: Workers) -> Spread:
    """Return what has workers run pieces of a search, one by one, as some take far longer than others."""

    def spread(
        function: Callable[[P, Limits], R], pieces: Iterable[P], limits: Limits
    ) -> Generator[tuple[P, R | None, str], None, None]:
        for one in run_pieces(on, function, pieces, limits, most=1):
            yield one.piece, one.result, one.killed

    return spread


def _front_of(chosen: Formulation, task: Task, run: Run) -> FrontSolution:
    """Enumerate the front of a task beside the main thread."""
    assert isinstance(chosen, Fronts)
    return in_thread(
        lambda heard_run: chosen.front(task.graphs, heard_run),
        run,
        lambda why: FrontSolution((), complete=False, native_status=why),
    )


def _silent(event: Event) -> None:
    """Tell nobody: what comes before a front and after it is not told."""


def _checked(components: Sequence[str]) -> tuple[str, ...]:
    if isinstance(components, str):
        raise TypeError(
            f"components: expected a list of names, such as ('time', 'energy'), got {readable(repr(components))}"
        )
    check_known(components, "components")
    if len(components) not in COMPONENT_COUNTS or len(set(components)) < len(components):
        raise InputError(f"expected two or three different components, got {', '.join(components)}", field="components")
    return tuple(components)


def enumerating(name: str) -> Formulation:
    """Return the formulation of a name, which enumerates fronts.

    Raises
    ------
    InputError
        If there is none of that name.
    Refusal
        If it enumerates none.
    """
    formulation = load_formulation(name)
    if not isinstance(formulation, Fronts):
        others = " or ".join(defaults("front"))
        raise Refusal(f"{name} enumerates no fronts; try {others}")
    return formulation


def _pick(graphs: Sequence[CostGraph], name: str | None, limits: Limits) -> Formulation:
    reasons = []
    asked = defaults("front") if name is None else (name,)
    for one in asked:
        formulation = enumerating(one)
        assert isinstance(formulation, Fronts)
        reason = formulation.accepts_front(graphs, Run(one, limits))
        if reason is None:
            return formulation
        reasons.append(f"{one} declines: {_without(reason, asked)}")
    raise Refusal("; ".join(reasons))


def _without(reason: str, asked: Sequence[str]) -> str:
    """Return why a formulation declines, without the advice to try one that declines as well."""
    said, _, advice = reason.partition("; try ")
    left = [one for one in re.split(r", or |, | or ", advice) if one and one not in asked]
    return f"{said}; try {' or '.join(left)}" if left else said


def _trade_off(task: Task, names: Sequence[str], point: FrontPoint, header: Plan) -> TradeOff:
    """Decode a point, and recompute whether it is a plan and what it costs, by code that shares nothing with either."""
    plan, fault = task.evaluated(point.choices, replace(header, status=Status.FEASIBLE))
    if fault is not None:
        raise RecomputationError(f"a plan of the front is none: {fault}")
    units = (graph.objective.denominator for graph in task.graphs)
    claimed = tuple(Fraction(value, unit) for value, unit in zip(point.values, units, strict=True))
    for name, value in zip(names, claimed, strict=True):
        if plan.costs[name] != value:
            raise RecomputationError(
                f"a plan of the front costs {plan.costs[name]} {name}, and the search says {value}"
            )
    return TradeOff(claimed, plan, tuple(names))


def _note_of(number: int, count: int, components: Sequence[str]) -> str:
    """Return what is said of a point's plan beside what it claims; points are counted from 1."""
    return (
        f"point {number:,} of {count:,} of a front of {' and '.join(components)}; this plan's costs are claimed, not "
        "that none dominates it"
    )

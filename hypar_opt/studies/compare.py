"""Many instances, many formulations, one table."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hypar_opt.components import COMMUNICATION
from hypar_opt.errors import Refusal
from hypar_opt.graph_problem import GraphProblem
from hypar_opt.instance.wording import shown
from hypar_opt.plan import Plan, Status
from hypar_opt.run import Limits, Listener, limits_of
from hypar_opt.solving import solve
from hypar_opt.tasks import problem_of
from hypar_opt.tracking import Tracker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hypar_opt.instance import Instance
    from hypar_opt.strategy_graph import StrategyGraph
    from hypar_opt.tasks import Subject


SOURCE: Final = "compare"
"""Of its progress."""


@dataclass(frozen=True)
class Cell:
    """One formulation's result on one instance.

    Parameters
    ----------
    instance, accounting, batch, levels
        Which problem; the last three are None of a strategy graph, which has none.
    formulation
        Who.
    plan
        The checked plan, or None where the formulation declined.
    refusal
        Why it declined, or nothing.
    row
        The instance's position among those compared.
    objective
        What is optimised, as the command line takes it.
    """

    instance: str
    accounting: str | None
    batch: int | None
    levels: int | None
    formulation: str
    plan: Plan | None
    refusal: str = ""
    row: int = 0
    objective: str = COMMUNICATION


def compare(
    instances: Sequence[Instance | StrategyGraph | Subject | Path | str],
    formulations: Sequence[str],
    *,
    limits: Limits | None = None,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[Cell], None] | None = None,
) -> list[Cell]:
    """Solve every instance with every formulation.

    Parameters
    ----------
    instances
        As read, names of shipped ones, paths, or problems compiled before.
    formulations
        Names.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many solves are done.
    on_cell
        Called with every result as it comes.

    Returns
    -------
    A cell for every pair that was reached before a stop.
    """
    for name, given in (("instances", instances), ("formulations", formulations)):
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise TypeError(f"{name}: expected a list, got {shown(given)}")
    limits = limits_of(limits)
    tracker = Tracker(listener, SOURCE, "solves", kinds=[*formulations] * len(instances), each_s=time_limit_s)
    cells = []
    for cell in _cells(instances, formulations, limits, time_limit_s, listener):
        cells.append(cell)
        tracker.add()
        if on_cell is not None:
            on_cell(cell)
    return cells


def _cells(
    instances: Sequence[Instance | StrategyGraph | Subject | Path | str],
    formulations: Sequence[str],
    limits: Limits,
    time_limit_s: float | None,
    listener: Listener | None,
) -> Iterator[Cell]:
    for row, instance in enumerate(instances):
        problem = _ready(instance, limits)
        for name in formulations:
            if limits.stop.is_set():
                return
            own = limits if time_limit_s is None else replace(limits, deadline=time.monotonic() + time_limit_s)
            yield _cell(row, problem, name, own, listener)


def _ready(instance: Instance | StrategyGraph | Subject | Path | str, limits: Limits) -> Subject:
    """Return what is solved; presolve of a strategy graph is for all formulations, and none of their time."""
    problem = problem_of(instance)
    if isinstance(problem, GraphProblem):
        problem = replace(problem, limits=limits)
        problem.refuted  # noqa: B018 - which presolves, and keeps what is left
    return problem


def _cell(row: int, problem: Subject, name: str, limits: Limits, listener: Listener | None) -> Cell:
    cell = Cell(problem.instance.name, *_setting(problem), name, None, row=row, objective=problem.aim.spelt)
    try:
        return replace(cell, plan=solve(problem, name, limits=limits, listener=listener))
    except Refusal as refusal:
        return replace(cell, refusal=str(refusal))


def _setting(problem: Subject) -> tuple[str | None, int | None, int | None]:
    """Return a network's accounting, batch and levels."""
    if isinstance(problem, GraphProblem):
        return None, None, None
    return problem.instance.accounting, problem.instance.batch, problem.instance.levels


def contradictions(cells: Sequence[Cell]) -> list[str]:
    """Return a sentence for every two results that cannot both be true."""
    found = []
    for one in (cell for cell in cells if cell.plan is not None and cell.plan.proven):
        for other in (cell for cell in cells if cell.plan is not None and _same_problem(cell, one)):
            if _contradict(one.plan, other.plan):
                found.append(f"{one.instance}: {_claim(one)}, but {_claim(other)}")
    return found


def failures(cells: Sequence[Cell]) -> list[str]:
    """Return a sentence for every solver that failed, or whose answer did not stand up to recomputation."""
    return [
        f"{cell.instance}, {cell.formulation}: {cell.plan.native_status}"
        for cell in cells
        if cell.plan is not None and cell.plan.status is Status.ERROR
    ]


def _same_problem(one: Cell, other: Cell) -> bool:
    def key(cell: Cell) -> tuple[object, ...]:
        sha256, overrides = ("", {}) if cell.plan is None else (cell.plan.instance_sha256, cell.plan.overrides)
        replaced = {name: value for name, value in overrides.items() if name not in ("accounting", "batch", "levels")}
        return sha256, cell.accounting, cell.batch, cell.levels, replaced

    return one is not other and key(one) == key(other)


def _contradict(proven: Plan | None, other: Plan | None) -> bool:
    """Whether another plan is cheaper than a proven optimum, or exists where none was proven to."""
    if proven is None or other is None or other.objective is None or other.status is Status.ERROR:
        return False
    if proven.decided == "placement" and (other.decided, other.strategies) != ("placement", proven.strategies):
        return False  # it is proven for its own strategies only
    return proven.objective is None or other.objective < proven.objective


def _claim(cell: Cell) -> str:
    plan = cell.plan
    value = "" if plan is None or plan.objective is None else f" {plan.objective}"
    return f"{cell.formulation} says {plan.status if plan else '-'}{value}"

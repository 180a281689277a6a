"""The loop of every study: a cell of its table after the other is solved, within limits of its own."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.solver.mixed.problem import MixedProblem
from hypar_opt.solver.solve import solve
from hypar_opt.studies.mixed.baselines import BASELINES, priced
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from _typeshed import DataclassInstance

    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.solver.plan import Plan
    from hypar_opt.solver.problem import Problem


C = TypeVar("C", bound="DataclassInstance")
"""A cell of a study's table: a frozen dataclass with what came of one solve, and empty before it.

Its `plan` is the checked plan, or None where the formulation declined; its `refusal` why it declined, or nothing.
"""


def solve_cells(
    source: str,
    kinds: Sequence[str],
    cells: Iterable[tuple[C, Problem, str | None]],
    limits: Limits,
    *,
    time_limit_s: float | None = None,
    listener: Listener | None = None,
    on_cell: Callable[[C], None] | None = None,
) -> list[C]:
    """Solve one cell after the other, until all are done or the run is stopped.

    Parameters
    ----------
    source
        Of the progress that the listener hears of.
    kinds
        One a cell: cells of a kind take about as long.
    cells
        Empty ones, each with its problem and a formulation's name, or None for the default.
    limits
        Of all: seed, workers, memory, the flag that stops the run.
    time_limit_s
        Of each solve.
    listener
        Called with the events of every solve, and with how many solves are done.
    on_cell
        Called with every cell as it comes.
    """
    found: list[C] = []
    tracker = Tracker(listener, source, "solves", kinds=kinds, each_s=time_limit_s)
    for cell, problem, name in cells:
        if limits.stop.is_set():
            break
        plan, refusal = attempt(problem, name, each(limits, time_limit_s), listener)
        found.append(replace(cell, plan=plan, refusal=refusal))
        tracker.add()
        if on_cell is not None:
            on_cell(found[-1])
    return found


def each(limits: Limits, time_limit_s: float | None) -> Limits:
    """Return the limits of one solve that begins now."""
    return limits if time_limit_s is None else replace(limits, deadline=time.monotonic() + time_limit_s)


def attempt(problem: Problem, name: str | None, limits: Limits, listener: Listener | None) -> tuple[Plan | None, str]:
    """Return a plan, or why the formulation declines; on several kinds of accelerators a rule may be named as well."""
    try:
        if name is not None and name in BASELINES and isinstance(problem, MixedProblem):
            return priced(BASELINES[name], problem, limits), ""
        return solve(problem, name, limits=limits, listener=listener), ""
    except Refusal as refusal:
        return None, str(refusal)

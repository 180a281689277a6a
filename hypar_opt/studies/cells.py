"""The loop of every study: the cells of its table are solved, each within limits of its own, here or by workers."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from hypar_opt.executor import run_pieces
from hypar_opt.formulation.progress.tracker import Tracker
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.plan import Plan
from hypar_opt.studies.cell_pieces import DamagedAnswer, SolvePiece, attempt, packed, solve_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from _typeshed import DataclassInstance

    from hypar_opt.executor import PieceResult, Workers
    from hypar_opt.formulation.run import Limits, Listener
    from hypar_opt.solver.problem import Problem
    from hypar_opt.studies.cell_pieces import Answer, SealedAnswer

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
    workers: Workers | None = None,
) -> list[C]:
    """Solve cells until all are done or the run is stopped.

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
    workers
        Who solves them; None for this process, one after the other. With workers the limits' deadline ends the run, and
        the listener hears of no solve's own events.

    Returns
    -------
    Those that are solved, in the order of the cells.
    """
    tracker = Tracker(listener, source, "solves", kinds=kinds, each_s=time_limit_s, warming=workers is not None)
    if workers is not None:
        return _by_workers(workers, cells, limits, time_limit_s, tracker, on_cell)
    found: list[C] = []
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


def _by_workers(
    workers: Workers,
    cells: Iterable[tuple[C, Problem, str | None]],
    limits: Limits,
    time_limit_s: float | None,
    tracker: Tracker,
    on_cell: Callable[[C], None] | None,
) -> list[C]:
    """Solve cells by workers, one by one: a solve may take far longer than the one before."""
    given: dict[int, tuple[C, Problem]] = {}
    found: dict[int, C] = {}

    def pieces() -> Iterator[SolvePiece]:
        last, sent = None, b""
        for index, (cell, problem, name) in enumerate(cells):
            given[index] = cell, problem
            if problem is not last:
                last, sent = problem, packed(problem)
            yield SolvePiece(sent, name, time_limit_s)

    for one in run_pieces(workers, solve_piece, pieces(), limits, tracker, most=1):
        cell, problem = given.pop(one.index)
        plan, refusal = _answer(one, problem, limits.seed)
        found[one.index] = replace(cell, plan=plan, refusal=refusal)
        if on_cell is not None:
            on_cell(found[one.index])
    return [found[index] for index in sorted(found)]


def _answer(one: PieceResult[SolvePiece, SealedAnswer], problem: Problem, seed: int) -> Answer:
    """Return what came of a piece; an ERROR where that is no answer, whatever it says."""
    name = one.piece.formulation
    if one.result is None:
        return failed(problem, name, set_aside(problem, one.killed), seed), ""
    try:
        answer: Answer = one.result.opened(one.piece)
    except DamagedAnswer as error:
        return failed(problem, name, str(error), seed), ""
    return answer


def set_aside(problem: Problem, killed: str) -> str:
    """Return why nothing came of a piece that killed its workers, and which instance it was of."""
    instance = problem.instance
    source = getattr(instance, "source", None)
    said = "" if source is None else f"; the instance is {source}"
    changed = ", ".join(f"{name} {value}" for name, value in instance.overrides.items())
    return f"set aside: {killed}{said}{changed and f', with {changed}'}"


def failed(problem: Problem, formulation: str | None, why: str, seed: int) -> Plan:
    """Return what stands for the plan of a solve that has none because something went wrong outside of it."""
    instance = problem.instance
    return Plan(
        instance.name, instance.sha256, formulation or "the default", Status.ERROR, why,
        None, None, None, None, 0.0, seed, overrides=instance.overrides,
    )  # fmt: skip

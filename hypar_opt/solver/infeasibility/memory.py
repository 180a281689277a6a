"""Why no plan fits into the accelerators' memory, and what would help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.accountings import ACCOUNTINGS
from hypar_opt.instance.limits import MOST_LEVELS
from hypar_opt.solver.infeasibility.levers import feasible_with, sized_by_levels
from hypar_opt.solver.infeasibility.shortage import MemoryShortage
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.evaluation.evaluator import Evaluator

MOST_MORE_LEVELS = 6
"""So many levels more are tried."""


def shortage_of(problem: Evaluator) -> MemoryShortage | None:
    """Return why nothing fits, or None where some plan does or everything fits."""
    short = problem.short_of
    return None if short is None else MemoryShortage(*short, problem.least_resident or {}, tuple(_levers(problem)))


def _levers(problem: Evaluator) -> Iterator[str]:
    """Yield what would make room, one change at a time."""
    spec = problem.instance.spec
    batch = _batch_that_fits(problem)
    if batch is not None:
        yield f"a batch of {'at most ' if spec.cost.splits == 'any' else ''}{batch}"
    levels = _fewest_levels(problem)
    if levels is not None:
        yield f"{levels} levels, {halves(levels).leaves} accelerators"
    if spec.cost.splits == "divisible" and feasible_with(problem, cost=spec.cost.model_copy(update={"splits": "any"})):
        yield "splits of what does not divide"
    if spec.cost.optimiser != "sgd" and feasible_with(problem, cost=spec.cost.model_copy(update={"optimiser": "sgd"})):
        yield "the optimiser sgd, which keeps nothing"
    every = ACCOUNTINGS[spec.cost.accounting].choices
    if spec.cost.choices != every and feasible_with(problem, cost=spec.cost.model_copy(update={"choices": every})):
        yield f"the choices {', '.join(every)}"
    if spec.fix and feasible_with(problem, fix={}):
        yield "no given strategies"


def _batch_that_fits(problem: Evaluator) -> int | None:
    """Return the largest smaller batch with which some plan fits; where parts have to divide, the largest of few."""
    now = problem.instance.batch
    if problem.instance.splits == "divisible":
        tried = sorted({size >> times for size in (now, 1 << now.bit_length()) for times in range(now.bit_length())})
        return next((one for one in reversed(tried) if 0 < one < now and feasible_with(problem, batch=one)), None)
    low, high = 0, now
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if feasible_with(problem, batch=middle) else (low, middle)
    return low or None


def _fewest_levels(problem: Evaluator) -> int | None:
    array = problem.instance.spec.array
    if not sized_by_levels(problem.instance.spec):
        return None
    for levels in range(array.levels + 1, min(array.levels + MOST_MORE_LEVELS, MOST_LEVELS) + 1):
        if feasible_with(problem, array=array.model_copy(update={"levels": levels})):
            return levels
    return None

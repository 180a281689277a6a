"""The least cost under capacities, where the graph has no cycles."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from formulations.label_setting.enumeration import Enumeration
from formulations.label_setting.forest import Forest
from formulations.label_setting.prices import CapacityPrices
from formulations.label_setting.table import Full
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Run

Facts: TypeAlias = dict[str, int | float | str]


def cheapest(graph: CostGraph, run: Run) -> Solution:
    """Minimise under capacities, by labels of costs and usages.

    Labels above a guess of the optimum are dropped, by a Lagrangian bound; a guess that leaves no plan is a proof that
    the optimum lies above it, and the next one is bolder.

    Parameters
    ----------
    graph
        Some assignment of it is allowed, if the capacities are left out.
    run
        Its limits are kept.

    Returns
    -------
    OPTIMAL or INFEASIBLE, or what is known where a limit is hit.
    """
    forest = Forest.of([graph])
    if forest.overfull:
        return Solution(Status.INFEASIBLE, native_status="the least usages exceed a capacity")
    best, facts = Incumbent.of(graph, run), Facts(labels_made=0, labels_of_a_layer=0)
    prices = CapacityPrices(forest, best, run)
    try:
        run.phase("pricing the capacities")
        prices.search()
        run.phase(f"labels of {len(forest.order)} layers")
        _enumerate(prices, best, run, facts)
    except Stopped as stopped:
        return _unfinished(prices, best, isinstance(stopped, Full), facts)
    if best.choices is None:
        return Solution(Status.INFEASIBLE, native_status="no label is within the capacities", statistics=facts)
    return Solution(Status.OPTIMAL, best.choices, best.value, "all labels seen", statistics=facts)


def _enumerate(prices: CapacityPrices, best: Incumbent, run: Run, facts: Facts) -> None:
    """Offer the best plan, unless there is none."""
    for most in _guesses(prices.bound, best.value, prices.forest.graphs[0].upper):
        enumeration = Enumeration.of(prices.forest, prices.cut(most), run)
        try:
            points = enumeration.run()
        finally:
            facts["labels_made"] = int(facts["labels_made"]) + enumeration.room.made
            facts["labels_of_a_layer"] = max(int(facts["labels_of_a_layer"]), enumeration.room.most)
        if points:
            best.offer(points[0][1])
        # a plan above the guess may be found, for the bound looks at what it leaves of the capacities too
        if best.value is not None and best.value <= most:
            return
        prices.raise_to(most + 1)


def _guesses(bound: int, value: int | None, upper: int) -> Iterator[int]:
    """Yield numbers, rising fast, the last of which no optimum exceeds."""
    top = upper if value is None else value
    step = (bound // 256 if value is None else (value - bound) // 64) + 1
    while bound + step < top:
        yield bound + step
        step *= 4
    yield top


def _unfinished(prices: CapacityPrices, best: Incumbent, full: bool, facts: Facts) -> Solution:
    """Return what is known at a limit."""
    said = "the labels exceed the memory limit" if full else "stopped before the last layer"
    bound = prices.bound if prices.found is not None else None
    if bound is not None and bound == best.value:
        return Solution(Status.OPTIMAL, best.choices, bound, "a plan at the Lagrangian bound", statistics=facts)
    status = Status.NO_SOLUTION if best.choices is None else Status.FEASIBLE
    return Solution(status, best.choices, bound, said, statistics=facts)

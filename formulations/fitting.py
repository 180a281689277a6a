"""A cheap assignment that keeps to capacities, by a price on what is used: for rules, which prove nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import Edge, Objective, TableEdge, TableUnary
from hypar_opt.util.numbers import in_full

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.formulation.run import Run

COMPONENT: Final = "cost"
"""What the graph that a rule leaves is charged."""
USE: Final = "use"
EXPONENTS: Final = (-24, 24)
"""Of two, the prices between which it is looked for."""


def cheapest_fitting(
    graph: CostGraph,
    left: CostGraph,
    kept: Sequence[Array],
    cheapest: Callable[[CostGraph], tuple[int, ...] | None],
    run: Run,
) -> tuple[int, ...] | str:
    """Return the choices under the least price at which they fit, or why there are none.

    Parameters
    ----------
    graph
        All that is decided.
    left
        What a rule leaves of it, charged by `COMPONENT` alone, without capacities.
    kept
        By variable, the values that it leaves.
    cheapest
        Returns the best choices of what is left under some objective, as choices of the graph.
    run
        Whose limit ends the search with the best that is known.
    """
    if any(
        one.pairs and not one.name.startswith("memory") for one in graph.capacities
    ):  # bounds have units of their own
        exceeded = cheapest(left) or ()
        return f"the rule's plan exceeds the {' and the '.join(graph.exceeded(exceeded))}"
    priced = _with_use(graph, left, kept)

    def at(price: Fraction) -> tuple[int, ...] | None:
        return cheapest(priced.replace(objective=Objective({COMPONENT: Fraction(1), USE: price})))

    low, high = EXPONENTS
    best = cheapest(priced.replace(objective=Objective({COMPONENT: Fraction(0), USE: Fraction(1)})))
    if best is None:
        return "stopped by the limit"
    if not graph.feasible(best):
        return _lacking(graph, best)
    while high - low > 1 and not run.limits.over:
        middle = (low + high) // 2
        found = at(Fraction(2) ** middle)
        if found is not None and graph.feasible(found):
            high, best = middle, found if graph.value(found) <= graph.value(best) else best
        else:
            low = middle
    return best


def _with_use(graph: CostGraph, left: CostGraph, kept: Sequence[Array]) -> CostGraph:
    """Return what is left, charged by what its values use of the capacities, too."""
    used = [np.zeros(len(values), dtype=object) for values in kept]
    for capacity in graph.capacities:
        for place, usage in capacity.usages.items():
            used[place] = used[place] + np.array([usage.value(int(value)) for value in kept[place]], dtype=object)
    unary = ({**own, USE: TableUnary(use)} for own, use in zip(left.unary, used, strict=True))
    pairs = (
        Edge(first, second, {USE: TableEdge(usage.dense(object)[np.ix_(kept[first], kept[second])])})
        for capacity in graph.capacities
        for (first, second), usage in capacity.pairs.items()
    )
    return left.replace(unary=tuple(unary), edges=(*left.edges, *pairs))


def _lacking(graph: CostGraph, choices: Sequence[int]) -> str:
    """Return what the choices that use least use, and what there is."""
    over = [one for one in graph.capacities if one.used(choices) > one.limit]
    said = [
        f"at least {in_full(Fraction(one.used(choices), one.unit))} of the {one.name}, "
        f"which has {in_full(Fraction(one.limit, one.unit))}"
        for one in over
    ]
    return f"the rule's plans use {' and '.join(said)}"

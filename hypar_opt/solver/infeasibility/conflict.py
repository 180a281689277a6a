"""What contradicts itself in a strategy graph without a plan, in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from hypar_opt.evaluation.strategy_graph import judge
from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST, StrategyGraph

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from hypar_opt.instance.strategy_graph.graph import Integers


MOST_LISTED: Final = 8
"""So many times are listed, and more are counted; nodes are listed if they are no more."""


UNEXPLAINED: Final = "why there is no plan was not found within the limits of the search for it"
"""What is said where it was not found."""


@dataclass(frozen=True)
class Conflict:
    """Times at all of which no plan without forbidden costs keeps to the limit; where there are none, no plan at all.

    Parameters
    ----------
    times
        In order.
    available
        The limit.
    needed
        The least that any plan uses at the first of the times, of those that keep to the limit at the others, or a
        bound of it; None where none above the limit is known.
    enough
        Whether some such plan uses no more than that.
    nodes
        Where there are no times: nodes of which nothing is allowed together.
    """

    times: tuple[int, ...]
    available: int
    needed: int | None = None
    enough: bool = False
    nodes: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """In a sentence."""
        return self._of_memory() if self.times else self._of_costs()

    def _of_costs(self) -> str:
        of = f" of {_listed('node', self.nodes)}" if len(self.nodes) <= MOST_LISTED else ""
        return f"the forbidden costs{of} leave no plan, however much memory there is"

    def _of_memory(self) -> str:
        if self.needed is None:
            return f"memory: there is no plan {self._that(self.times)}, which is {self.available:,}"
        first, others = self.times[0], self.times[1:]
        uses = f"uses at least {self.needed:,}, and there are {self.available:,}"
        more = f"; {self.needed - self.available:,} more would be enough for {'these times' if others else 'that time'}"
        return f"memory: at time {first} any plan {self._that(others)} {uses}{more if self.enough else ''}"

    def _that(self, times: Sequence[int]) -> str:
        """Return which plans are meant."""
        keeps = f" and keeps to the limit at {_listed('time', times)}" if times else ""
        return f"that has nothing forbidden{keeps}"


def _listed(what: str, numbers: Sequence[int]) -> str:
    """Return 'time 3', 'times 3, 5 and 8', or the first of many and how many more there are."""
    if len(numbers) == 1:
        return f"{what} {numbers[0]}"
    left = len(numbers) - MOST_LISTED
    shown, last = (numbers[:MOST_LISTED], f"{left:,} more") if left > 1 else (numbers[:-1], str(numbers[-1]))
    return f"{what}s {', '.join(map(str, shown))} and {last}"


@dataclass(frozen=True)
class OracleAnswer:
    """What is known of the best plan of a strategy graph: nothing, as it stands here.

    Parameters
    ----------
    choices
        Those of a plan that is allowed, the best known.
    bound
        No plan costs less.
    nothing
        Whether there is proven to be no plan.
    """

    choices: tuple[int, ...] | None = None
    bound: int | None = None
    nothing: bool = False


class Oracle(Protocol):
    """Whoever answers."""

    @property
    def over(self) -> bool:
        """Whether it is of no use to ask any more."""

    def __call__(self, graph: StrategyGraph) -> OracleAnswer:
        """Return what is known of a graph, which may be nothing."""


def contradiction(graph: StrategyGraph, ask: Oracle) -> Conflict | tuple[int, ...] | None:
    """Return why there is no plan; a plan, if there is one after all; or None where the answers do not tell.

    Parameters
    ----------
    ask
        Called with graphs of the same nodes or some of them.
    """
    ruled = _bare(graph)
    found = _gathered(graph, ruled, ask)
    if not isinstance(found, list):
        return found
    if not found:
        nodes = _needed(range(graph.nodes), lambda some: _at_times(_among(ruled, some), ()), ask)
        return Conflict((), graph.usage_limit, nodes=tuple(nodes))
    times = _needed(found, partial(_at_times, ruled), ask)
    return _measured(graph, ruled, Conflict(tuple(times), graph.usage_limit), ask)


def _gathered(graph: StrategyGraph, ruled: StrategyGraph, ask: Oracle) -> list[int] | tuple[int, ...] | None:
    """Return times at all of which no plan keeps to the limit, in order; or a plan that always does, or None."""
    times: list[int] = []
    while True:
        answer = ask(_at_times(ruled, times))
        if answer.nothing:
            return times
        if answer.choices is None:
            return None
        over = {one.time for one in judge(graph, answer.choices).violations}
        if not over:
            return answer.choices
        if over <= set(times):  # it was to keep to the limit there
            return None
        times = sorted({*times, *over})


def _needed(items: Sequence[int], part: Callable[[Sequence[int]], StrategyGraph], ask: Oracle) -> Sequence[int]:
    """Return some of the items whose part has no plan, and has one without any of them; many at once are tried first.

    Where the answers do not tell, or there are no more of them, items stay.

    Parameters
    ----------
    part
        Of all items it has no plan, and of some of them no fewer than of more.
    """
    length = max(1, len(items) // 2)
    while True:
        place = 0
        while place < len(items) and not ask.over:
            without = [*items[:place], *items[place + length :]]
            items, place = (without, place) if ask(part(without)).nothing else (items, place + length)
        if length == 1:
            return items
        length = max(1, min(length, len(items)) // 2)


def _measured(graph: StrategyGraph, ruled: StrategyGraph, conflict: Conflict, ask: Oracle) -> Conflict:
    """Say how much is needed at the first of the times by plans that keep to the limit at the others."""
    first, others = conflict.times[0], conflict.times[1:]
    asked = _using(_at_times(ruled, others), graph, first)
    if asked is None:
        return conflict
    answer = ask(asked)
    if answer.bound is None or answer.bound <= graph.usage_limit:
        return conflict
    enough = answer.choices is not None and judge(asked, answer.choices).total == answer.bound
    return replace(conflict, needed=answer.bound, enough=enough)


def _bare(graph: StrategyGraph) -> StrategyGraph:
    """Return it with no costs but forbidden ones, and no edges without any."""
    free = replace(graph, costs=_ban(graph.costs), edge_costs=_ban(graph.edge_costs))
    if not graph.edges:
        return free
    return _with_edges(free, np.maximum.reduceat(free.edge_costs, graph.edge_starts[:-1]) >= FORBIDDEN_COST)


def _at_times(graph: StrategyGraph, times: Sequence[int]) -> StrategyGraph:
    """Return it with usages at some times alone.

    Parameters
    ----------
    times
        In order; the new graph counts them from 0.
    """
    return replace(graph, intervals=np.searchsorted(np.array(times, dtype=np.int64), graph.intervals))


def _using(part: StrategyGraph, graph: StrategyGraph, time: int) -> StrategyGraph | None:
    """Return a part where a strategy costs what it uses in the graph at a time; None if those are too large for costs.

    Parameters
    ----------
    part
        Of the same nodes; its forbidden costs stay.
    """
    live = (graph.intervals[:, 0] <= time) & (time < graph.intervals[:, 1])
    used = np.where(np.repeat(live, graph.sizes), graph.usages, 0)
    if sum(np.maximum.reduceat(used, graph.starts[:-1]).tolist()) >= FORBIDDEN_COST:
        return None
    return replace(part, costs=np.where(part.costs >= FORBIDDEN_COST, part.costs, used))


def _among(graph: StrategyGraph, nodes: Sequence[int]) -> StrategyGraph:
    """Return it with some nodes and the edges between them.

    Parameters
    ----------
    nodes
        In order; the new graph counts them from 0.
    """
    stays = np.zeros(graph.nodes, dtype=bool)
    stays[np.array(nodes, dtype=np.int64)] = True
    left = _with_edges(graph, stays[graph.ends[:, 0]] & (stays[graph.ends[:, 1]] | (graph.ends[:, 1] < 0)))
    values, number = np.repeat(stays, graph.sizes), np.cumsum(stays) - 1
    return replace(
        left,
        intervals=graph.intervals[stays],
        sizes=graph.sizes[stays],
        costs=graph.costs[values],
        usages=graph.usages[values],
        ends=np.where(left.ends < 0, -1, number[left.ends]),
    )


def _ban(costs: Integers) -> Integers:
    banned: Integers = np.where(costs >= FORBIDDEN_COST, FORBIDDEN_COST, 0)
    return banned


def _with_edges(graph: StrategyGraph, stays: NDArray[np.bool_]) -> StrategyGraph:
    lengths = np.diff(graph.edge_starts)
    return replace(graph, ends=graph.ends[stays], edge_costs=graph.edge_costs[np.repeat(stays, lengths)])

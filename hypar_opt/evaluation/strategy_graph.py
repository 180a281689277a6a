"""What is true of a plan of a strategy graph: recomputed from the graph as read, in exact integers."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST, StrategyGraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.instance.strategy_graph.graph import Integers


MOST_NAMED: Final = 3
"""So many faults of a kind are named; the rest are counted."""


@dataclass(frozen=True)
class Forbidden:
    """A forbidden cost that a plan uses: of an edge, or of a node where `edge` is None."""

    nodes: tuple[int, ...]
    strategies: tuple[int, ...]
    edge: int | None = None

    def __str__(self) -> str:
        if self.edge is None:
            return f"strategy {self.strategies[0]} of node {self.nodes[0]} is forbidden"
        pairs = " and ".join(f"{s} of node {n}" for n, s in zip(self.nodes, self.strategies, strict=True))
        return f"edge {self.edge} forbids {pairs}"


@dataclass(frozen=True)
class Violation:
    """Times [start, end) at all of which more memory is in use than there is; `used` is the most of them, at `time`."""

    start: int
    end: int
    time: int
    used: int


@dataclass(frozen=True)
class Judged:
    """What a plan costs and uses.

    Parameters
    ----------
    total
        The sum of its costs, forbidden ones included as they stand in the file.
    forbidden
        Those of its costs that are forbidden.
    violations
        When it uses more than there is.
    peak, peak_time
        The most that is in use at a time, and the first such time; 0 and None where nothing is in use ever.
    limit
        What there is.
    """

    total: int
    forbidden: tuple[Forbidden, ...]
    violations: tuple[Violation, ...]
    peak: int
    peak_time: int | None
    limit: int

    @property
    def fault(self) -> str | None:
        """What is wrong with the plan, in a sentence, or None."""
        found = [str(one) for one in self.forbidden[:MOST_NAMED]]
        if len(self.forbidden) > MOST_NAMED:
            more = len(self.forbidden) - MOST_NAMED
            found.append(f"{more:,} more forbidden {'cost is' if more == 1 else 'costs are'} used")
        if self.violations:
            found.append(self._overuse(self.violations))
        return "; ".join(found) or None

    def _overuse(self, violations: Sequence[Violation]) -> str:
        worst, first = max(violations, key=lambda one: one.used), violations[0]
        others = f" and {len(violations) - 1:,} times later" if len(violations) > 1 else ""
        return (
            f"memory: at time {worst.time} it uses {worst.used:,} of {self.limit:,}; "
            f"it uses more than there is from {first.start} to {first.end}{others}"
        )


@dataclass(frozen=True)
class MemoryExcess:
    """A time at which even the least usages are more than there is."""

    time: int
    needed: int
    available: int

    @property
    def text(self) -> str:
        """In a sentence."""
        return (
            f"memory: at time {self.time} any plan uses at least {self.needed:,}, and there are {self.available:,}; "
            f"{self.needed - self.available:,} more would be enough for that time"
        )


def judge(graph: StrategyGraph, choices: Sequence[int]) -> Judged:
    """Recompute what a plan costs and uses: the sum of its nodes' and edges' costs, and memory at every time.

    Parameters
    ----------
    choices
        By node, the index of its strategy.

    Raises
    ------
    ValueError
        If there is not one for every node, or a node has no such strategy.
    """
    chosen = np.asarray(choices, dtype=np.int64)
    if chosen.shape != graph.sizes.shape or ((chosen < 0) | (chosen >= graph.sizes)).any():
        raise ValueError("expected for every node the index of one of its strategies")
    own = graph.costs[graph.starts[:-1] + chosen]
    pairs = graph.edge_costs[graph.edge_starts[:-1] + _entries(graph, chosen)]
    times, used = _profile(graph, graph.usages[graph.starts[:-1] + chosen])
    peak_time, peak = _peak(times, used)
    return Judged(
        _exact_sum(own) + _exact_sum(pairs),
        (*_forbidden_nodes(own, chosen), *_forbidden_edges(graph, pairs, chosen)),
        tuple(_violations(times, used, graph.usage_limit)),
        peak,
        peak_time,
        graph.usage_limit,
    )


def shortage(graph: StrategyGraph) -> MemoryExcess | None:
    """Return the time at which the least usages sum to most, if that is more than there is; or None."""
    time, needed = least_use(graph)
    return MemoryExcess(time, needed, graph.usage_limit) if time is not None and needed > graph.usage_limit else None


def least_use(graph: StrategyGraph) -> tuple[int | None, int]:
    """Return the first time at which the least usages of all nodes sum to most, and that sum; None and 0 for never."""
    if not graph.nodes:
        return None, 0
    return _peak(*_profile(graph, np.minimum.reduceat(graph.usages, graph.starts[:-1])))


def _peak(times: list[int], used: list[int]) -> tuple[int | None, int]:
    """Return the first time at which most is in use, and how much; None and 0 where nothing is in use ever."""
    most = max(used, default=0)
    return times[used.index(most)] if most else None, most


def _entries(graph: StrategyGraph, chosen: Integers) -> Integers:
    """Return by edge where in its costs those of the chosen strategies stand: row by row, the first node's rows."""
    first, second = graph.ends[:, 0], graph.ends[:, 1]
    alone = second < 0
    entries: Integers = np.where(alone, chosen[first], chosen[first] * graph.sizes[second] + chosen[second])
    return entries


def _exact_sum(values: Integers) -> int:
    """Return a sum that may exceed 64 bits: of the values' upper and lower halves."""
    return (int((values >> 32).sum()) << 32) + int((values & (2**32 - 1)).sum())


def _profile(graph: StrategyGraph, usages: Integers) -> tuple[list[int], list[int]]:
    """Return the times at which what is in use may change, in order, and by each what is in use from then on.

    A node's usage counts at the times t with start <= t < end.
    """
    changes: defaultdict[int, int] = defaultdict(int)
    for (start, end), usage in zip(graph.intervals.tolist(), usages.tolist(), strict=True):
        if start < end:
            changes[start] += usage
            changes[end] -= usage
    times = sorted(changes)
    return times, list(accumulate(changes[time] for time in times))


def _violations(times: list[int], used: list[int], limit: int) -> Iterator[Violation]:
    """Yield the longest intervals at all of whose times more is in use than there is."""
    for is_over, parts in groupby(zip(times, times[1:], used, strict=False), key=lambda part: part[2] > limit):
        if is_over:
            within = list(parts)
            time, _, most = max(within, key=lambda part: part[2])
            yield Violation(within[0][0], within[-1][1], time, most)


def _forbidden_nodes(costs: Integers, chosen: Integers) -> list[Forbidden]:
    return [Forbidden((node,), (int(chosen[node]),)) for node in np.flatnonzero(costs >= FORBIDDEN_COST).tolist()]


def _forbidden_edges(graph: StrategyGraph, costs: Integers, chosen: Integers) -> list[Forbidden]:
    found = []
    for edge in np.flatnonzero(costs >= FORBIDDEN_COST).tolist():
        nodes = tuple(node for node in graph.ends[edge].tolist() if node >= 0)
        found.append(Forbidden(nodes, tuple(int(chosen[node]) for node in nodes), edge))
    return found

"""All-reduces as they are, as a mixed-integer programme: who holds whose contribution after each synchronous step.

A second opinion on `sums`, whose code it does not have. x[c, r, t] says whether chunk c takes route r in step t,
h[c, n, s, t] whether n holds the contribution of s to it before the step, a[c, r, s, t] = x h whether it comes with the
chunk, and p[c, n, t] whether what comes takes the place of what is there. Then

    h[t + 1] >= h[t], a;  h[t + 1] <= h[t] + sum a;  h[t] + sum a <= 1 + p M;  sum x <= 1 + (1 - p) M,

and with p what is there is part of what comes: h[n, s] <= h[n(r), s] + 2 - x - p.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph.collective import Move
from hypar_opt.costgraph.collective.bounds import lower_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.collective import CollectiveGraph
    from hypar_opt.formulation.run import Run

Route = tuple[int, ...]
MOST_ARRIVALS: Final = 4_000
"""Chunks times routes times contributions times steps."""
_STATUSES: Final = {0: "optimal", 1: "time limit", 2: "infeasible"}


def arrivals_of(graph: CollectiveGraph, steps: int, ways: Sequence[Route]) -> int:
    """Return how many arrivals of contributions the programme has."""
    return steps * len(ways) * sum(len(one.sources) for one in graph.demands)


def not_summed(graph: CollectiveGraph, ways: Sequence[Route] | None) -> str | None:
    """Return why an all-reduce is not searched, or None."""
    if graph.goal != "steps":
        return "of all-reduces it counts synchronous steps; try collective-cp-sat"
    if ways is None or arrivals_of(graph, lower_bound(graph).value, ways) > MOST_ARRIVALS:
        return f"contributions would have more than {MOST_ARRIVALS:,} arrivals; try collective-cp-sat"
    return None


class _Programme:
    """Columns by what they stand for, and rows with their bounds."""

    def __init__(self) -> None:
        self.column: dict[tuple[object, ...], int] = {}
        self.upper: list[float] = []
        self.lower: list[float] = []
        self.at: list[tuple[int, int, float]] = []
        self.low: list[float] = []
        self.high: list[float] = []

    def add_columns(self, kind: str, keys: product[tuple[object, ...]], low: float = 0.0) -> None:
        for key in keys:
            self.column[kind, *key] = len(self.column)
            self.lower.append(low)
            self.upper.append(1.0)

    def fix(self, key: tuple[object, ...], value: float) -> None:
        self.lower[self.column[key]] = self.upper[self.column[key]] = value

    def add(self, entries: Sequence[tuple[tuple[object, ...], float]], low: float, high: float) -> None:
        self.at += [(len(self.low), self.column[key], value) for key, value in entries]
        self.low.append(low)
        self.high.append(high)


def summed_within(graph: CollectiveGraph, steps: int, ways: Sequence[Route], run: Run) -> tuple[str, list[Move] | None]:
    """Return what HiGHS says of an all-reduce's schedules of so many steps, and the sends of one if there is any."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    whole = _programme(graph, steps, ways)
    rows, columns, values = zip(*whole.at, strict=True)
    matrix = csr_array((values, (rows, columns)), shape=(len(whole.low), len(whole.column)))
    remaining = run.limits.remaining_s()
    found = milp(
        np.zeros(len(whole.column)),
        integrality=np.array([int(key[0] != "a") for key in whole.column]),
        bounds=Bounds(np.array(whole.lower), np.array(whole.upper)),
        constraints=LinearConstraint(matrix, whole.low, whole.high),
        options={} if remaining is None else {"time_limit": max(remaining, 1e-3)},
    )
    name = _STATUSES.get(found.status, str(found.message))
    if found.x is None:
        return name, None

    def taken(*key: object) -> bool:
        return bool(found.x[whole.column[key]] > 0.5)

    return name, [
        Move(step, step + 1, chunk, route, not taken("p", chunk, route[-1], step))
        for chunk, route, step in product(range(len(graph.demands)), ways, range(steps))
        if taken("x", chunk, route, step)
    ]


def _programme(graph: CollectiveGraph, steps: int, ways: Sequence[Route]) -> _Programme:
    whole, nodes, times = _Programme(), range(graph.accelerators), range(steps)
    for chunk, demand in enumerate(graph.demands):
        one = (chunk,)
        whole.add_columns("x", product(one, ways, times))
        whole.add_columns("p", product(one, nodes, times))
        whole.add_columns("h", product(one, nodes, demand.sources, range(steps + 1)))
        whole.add_columns("a", product(one, ways, demand.sources, times))
        for node, source in product(nodes, demand.sources):
            whole.fix(("h", chunk, node, source, 0), float(node == source))
            if node in demand.targets:
                whole.fix(("h", chunk, node, source, steps), 1.0)
        for node, step in product(nodes, times):
            _arrive(whole, graph, chunk, [route for route in ways if route[-1] == node], node, step)
    across: dict[tuple[int, int], list[Route]] = {}
    for route in ways:
        for hop in pairwise(route):
            across.setdefault(hop, []).append(route)
    for (hop, own), step in product(across.items(), times):
        chunks = range(len(graph.demands))
        entries = [(("x", chunk, route, step), 1.0) for chunk in chunks for route in own]
        whole.add(entries, -np.inf, float(graph.link_of[hop].messages))
    return whole


def _arrive(whole: _Programme, graph: CollectiveGraph, chunk: int, into: Sequence[Route], node: int, step: int) -> None:
    """Say what an accelerator holds of a chunk after a step."""
    most, sources = float(len(into)), graph.demands[chunk].sources
    place = ("p", chunk, node, step)
    sends = [(("x", chunk, route, step), 1.0) for route in into]
    whole.add([*sends, (place, most)], -np.inf, 1.0 + most)
    for route in into:
        x = ("x", chunk, route, step)
        held = [(("h", chunk, route[0], source, step), -1.0) for source in sources]
        whole.add([(x, 1.0), *held], -np.inf, 0.0)
    for source in sources:
        before, after = ("h", chunk, node, source, step), ("h", chunk, node, source, step + 1)
        comes = [("a", chunk, route, source, step) for route in into]
        whole.add([(after, 1.0), (before, -1.0)], 0.0, np.inf)
        whole.add([(after, 1.0), (before, -1.0), *((one, -1.0) for one in comes)], -np.inf, 0.0)
        whole.add([(before, 1.0), *((one, 1.0) for one in comes), (place, -most)], -np.inf, 1.0)
        for route, arrives in zip(into, comes, strict=True):
            x, theirs = ("x", chunk, route, step), ("h", chunk, route[0], source, step)
            whole.add([(after, 1.0), (arrives, -1.0)], 0.0, np.inf)
            whole.add([(arrives, 1.0), (x, -1.0)], -np.inf, 0.0)
            whole.add([(arrives, 1.0), (theirs, -1.0)], -np.inf, 0.0)
            whole.add([(arrives, -1.0), (x, 1.0), (theirs, 1.0)], -np.inf, 1.0)
            whole.add([(before, 1.0), (theirs, -1.0), (x, 1.0), (place, 1.0)], -np.inf, 2.0)

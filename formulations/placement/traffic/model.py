"""A quadratic assignment in CP-SAT's terms: of each two sites, which amount their devices exchange.

Pairs of devices that exchange the same are of one class c. x[p, u]: device p stands on site u. y[c, u, v]: the devices
on sites u and v are a pair of class c, which x determines. Minimised is the sum of amount[c] x cost[u, v] y[c, u, v].
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from formulations.cp_sat.model import linear
from formulations.cp_sat.search import CpSatModel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ortools.sat.python.cp_model import IntVar

    from hypar_opt.costgraph.placement.traffic import TrafficGraph

MAX_SUM = 2**62
"""CP-SAT sums all costs of an objective in an int64."""
MOST_CLAUSES = 200_000
"""Of what `follows` adds."""


@dataclass(frozen=True, eq=False)
class TrafficProgramme:
    """The numbers of the model.

    Parameters
    ----------
    graph
        What is placed.
    values
        By device: the sites that it may stand on. Where turning all devices changes no flow, the first has the first.
    classes
        By amount above 0, which devices each device exchanges it with.
    unit, constant
        A placement costs constant + unit x its scaled cost.
    """

    graph: TrafficGraph
    values: tuple[tuple[int, ...], ...]
    classes: Mapping[int, Sequence[Sequence[int]]]
    unit: int
    constant: int

    @staticmethod
    def of(graph: TrafficGraph) -> TrafficProgramme:
        """Draw up a graph's programme."""
        amounts = sorted({int(one) for one in np.unique(graph.flows)} - {0})
        classes = {one: [np.flatnonzero(row == one).tolist() for row in graph.flows] for one in amounts}
        every = tuple(range(graph.sites))
        settled = graph.is_turned and graph.sites == graph.leaves
        values = ((0,) if settled else every, *[every] * (graph.leaves - 1))
        if graph.allowed is not None:
            values = tuple(tuple(np.flatnonzero(own).tolist()) for own in graph.allowed)
        common = gcd(*amounts) * gcd(*(int(one) for one in np.unique(graph.costs)))
        return TrafficProgramme(graph, values, classes, common or 1, graph.base)

    @property
    def clauses(self) -> int:
        """How many the model has of `follows`."""
        return len(self.classes) * self.graph.leaves * self.graph.sites * (self.graph.sites - 1)

    def choices(self, positions: Iterable[int], /) -> tuple[int, ...]:
        """Return the sites at one position of every device."""
        return tuple(values[i] for values, i in zip(self.values, positions, strict=True))

    def kept(self, placed: Sequence[int]) -> tuple[int, ...]:
        """Return a placement of equal cost that the model has: all devices turned, so that the first has the first."""
        if len(self.values[0]) > 1:
            return tuple(placed)
        sizes = [axis.size for axis in self.graph.partition.axes]
        numbers = np.arange(self.graph.leaves).reshape(sizes)
        back = np.unravel_index(list(placed).index(0), sizes)
        turned = np.roll(numbers, [-int(one) for one in back], range(len(sizes))).reshape(-1)
        return tuple(placed[leaf] for leaf in turned.tolist())


def build(programme: TrafficProgramme, least: int) -> CpSatModel:
    """Create the variables, the constraints and the objective.

    Parameters
    ----------
    least
        A scaled cost that no placement falls below.
    """
    from ortools.sat.python.cp_model import CpModel

    model, graph, every = CpModel(), programme.graph, range(programme.graph.sites)
    x = [{u: model.new_bool_var(f"x_{p}_{u}") for u in values} for p, values in enumerate(programme.values)]
    pairs = list(combinations(every, 2))
    y = {c: {pair: model.new_bool_var(f"y_{c}_{pair[0]}_{pair[1]}") for pair in pairs} for c in programme.classes}
    for own in x:
        model.add_exactly_one(own.values())
    for u in every:
        model.add_at_most_one(own[u] for own in x if u in own)
    for pair in pairs:  # at most one class
        model.add_at_most_one(own[pair] for own in y.values())
    for c, others in programme.classes.items():
        for u in every:  # as many pairs of a class as the device there has
            ends = [(one, 1) for pair, one in y[c].items() if u in pair]
            model.add(linear(ends) == linear((own[u], len(others[p])) for p, own in enumerate(x) if u in own))
            _follows(model, x, y[c], others, u)
    terms = [
        (own[u, v], amount * int(graph.costs[u, v]) // programme.unit) for amount, own in y.items() for u, v in pairs
    ]
    model.add(linear(terms) >= least)
    model.minimize(linear(terms))
    return CpSatModel(model, [list(own.values()) for own in x])


def _follows(
    model: object,
    x: Sequence[Mapping[int, IntVar]],
    y: Mapping[tuple[int, int], IntVar],
    others: Sequence[Sequence[int]],
    u: int,
) -> None:
    """x[p, u] + y[c, u, v] <= 1 + sum of x[q, v] over the devices q that p exchanges the amount c with."""
    for p, own in enumerate(x):
        if u not in own:
            continue
        for pair, one in y.items():
            if u in pair:
                (v,) = set(pair) - {u}
                beside = [x[q][v] for q in others[p] if v in x[q]]
                model.add_bool_or([~own[u], ~one, *beside])  # type: ignore[attr-defined]

"""The polytope of several criteria: one network an edge, a cost by each criterion an arc."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import gcd
from typing import TYPE_CHECKING

from formulations.labels.weighing import weighted
from formulations.polytope import Network, Polytope
from formulations.polytope.network import network_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import CostGraph

Pair = tuple[int, int]


@dataclass(frozen=True)
class Coefficients:
    """A criterion over the polytope: it costs constant + unit x the sum of the chosen coefficients.

    Parameters
    ----------
    own
        By variable and position among its allowed values.
    arcs
        By pair of variables and arc.
    unit, constant
        The common divisor, and the variables' least costs.
    """

    own: tuple[tuple[int, ...], ...]
    arcs: Mapping[Pair, tuple[int, ...]]
    unit: int
    constant: int

    @property
    def most(self) -> int:
        """A number that no assignment's sum exceeds."""
        parts = [*self.own, *self.arcs.values()]
        return sum(sum(part) for part in parts)


def packed(graphs: Sequence[CostGraph]) -> tuple[Polytope, tuple[Coefficients, ...]]:
    """Return the polytope, without costs, and every criterion's coefficients.

    The criteria are summed with weights so far apart that the sum's digits, in that base, are the criteria's costs: the
    network of the sum is a network of each of them.
    """
    bits = 1 + max((cost.upper.bit_length() for graph in graphs for cost in graph.edge_costs.values()), default=0)
    total = weighted(graphs, [1 << bits * j for j in range(len(graphs))])
    bare = Polytope.of(graphs[0].replace(edges=()))
    networks = {
        (first, second): network_of(cost, bare.values[first], bare.values[second])
        for (first, second), cost in total.edge_costs.items()
    }
    free = {pair: _with_costs(network, [0] * len(network.arcs)) for pair, network in networks.items()}
    nothing = tuple((0,) * len(values) for values in bare.values)
    polytope = replace(bare, own=nothing, networks=free, unit=1, constant=0)
    return polytope, tuple(_criterion(graph, bare, networks, bits * j, bits) for j, graph in enumerate(graphs))


def _criterion(
    graph: CostGraph, polytope: Polytope, networks: Mapping[Pair, Network], shift: int, bits: int
) -> Coefficients:
    own, constant = [], 0
    for cost, values in zip(graph.unary_costs, polytope.values, strict=True):
        dense = cost.dense(object)
        least = min((int(dense[i]) for i in values), default=0)
        own.append(tuple(int(dense[i]) - least for i in values))
        constant += least
    mask = (1 << bits) - 1
    arcs = {pair: tuple(cost >> shift & mask for _, _, cost in network.arcs) for pair, network in networks.items()}
    unit = gcd(*(cost for costs in (*own, *arcs.values()) for cost in costs)) or 1
    return Coefficients(
        tuple(tuple(cost // unit for cost in costs) for costs in own),
        {pair: tuple(cost // unit for cost in costs) for pair, costs in arcs.items()},
        unit,
        constant,
    )


def _with_costs(network: Network, costs: Sequence[int]) -> Network:
    arcs = ((tail, head, cost) for (tail, head, _), cost in zip(network.arcs, costs, strict=True))
    return replace(network, arcs=tuple(arcs))

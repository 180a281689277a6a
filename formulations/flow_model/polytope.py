"""The numbers of the programme: allowed values, scaled costs, networks and capacity rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from math import gcd
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from formulations.flow_model.covers import CapacityRow, Pair, PairUsages
from formulations.flow_model.network import FlowNetwork, common_network
from hypar_opt.costgraph import Capacity, CostGraph, EdgeCost, WordEdge
from hypar_opt.costgraph.objective import times

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


Value: TypeAlias = tuple[int, int]
"""A variable, and the position of one of its allowed values."""
V = TypeVar("V")


@dataclass(frozen=True)
class Coefficients:
    """Costs over the programme's variables: constant + unit x the sum of the chosen coefficients.

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
    def numbers(self) -> Iterator[int]:
        """All coefficients; no assignment's sum exceeds theirs."""
        return chain.from_iterable((*self.own, *self.arcs.values()))

    def terms(self, x: Sequence[Sequence[V]], flows: Mapping[Pair, Sequence[V]]) -> list[tuple[V, int]]:
        """Return a solver's variables, each with its coefficient, as far as that is not 0."""
        pairs = [pair for own in zip(x, self.own, strict=True) for pair in zip(*own, strict=True)]
        for edge, costs in self.arcs.items():
            pairs += zip(flows[edge], costs, strict=True)
        return [pair for pair in pairs if pair[1]]


@dataclass(frozen=True)
class Polytope:
    """The programme of the package's docstring.

    Parameters
    ----------
    values
        By variable: its allowed values.
    own
        By variable: the scaled costs of its allowed values, the least of them 0.
    networks
        By pair of variables: its coupling, with scaled costs.
    rows
        The capacities.
    unit, constant
        An assignment costs constant + unit x its scaled cost.
    allowed
        What none costs more than that bars nothing; None where nothing is barred.
    """

    values: tuple[tuple[int, ...], ...]
    own: tuple[tuple[int, ...], ...]
    networks: Mapping[tuple[int, int], FlowNetwork]
    rows: tuple[CapacityRow, ...]
    unit: int
    constant: int
    allowed: int | None = None

    @staticmethod
    def of(graph: CostGraph) -> Polytope:
        """Draw up a graph's programme."""
        _, own, constant = own_costs(graph)
        bare, (costs, *_) = Polytope.bare([graph])
        networks = {}
        for pair, cost in graph.edge_costs.items():
            least = 0 if isinstance(cost, WordEdge) else min(costs[pair], default=0)
            constant += least
            networks[pair] = bare.networks[pair].costing([one - least for one in costs[pair]])
        arcs = (cost for network in networks.values() for _, _, cost in network.arcs)
        unit = gcd(*chain.from_iterable(own), *arcs) or 1
        return replace(
            bare,
            own=tuple(tuple(cost // unit for cost in costs) for costs in own),
            networks={
                pair: network.costing([cost // unit for _, _, cost in network.arcs])
                for pair, network in networks.items()
            },
            unit=unit,
            constant=constant,
            allowed=graph.upper if graph.barred else None,
        )

    @staticmethod
    def bare(graphs: Sequence[CostGraph]) -> tuple[Polytope, tuple[Mapping[Pair, tuple[int, ...]], ...]]:
        """Return the programme of graphs that differ in their objectives, without costs; by graph, what its arcs cost.

        A pair's arcs are those of all graphs at once, and of the capacities that pairs of values use.
        """
        values, own, _ = own_costs(graphs[0])
        coupled = [capacity for capacity in graphs[0].capacities if capacity.pairs] if graphs[0].is_coupled else []
        networks, columns = {}, {}
        for pair in graphs[0].edge_costs:
            costs = [graph.edge_costs[pair] for graph in graphs]
            costs += [one.pairs.get(pair) or times(costs[0], 0) for one in coupled]
            network, columns[pair] = common_network(costs, *(values[end] for end in pair))
            networks[pair] = network.costing([0] * len(network.arcs))
        by_cost = [{pair: column[j] for pair, column in columns.items()} for j in range(len(graphs) + len(coupled))]
        arcs = dict(zip(map(id, coupled), by_cost[len(graphs) :], strict=True))
        rows = tuple(_row(capacity, values, arcs.get(id(capacity), {})) for capacity in graphs[0].capacities)
        nothing = tuple((0,) * len(costs) for costs in own)
        return Polytope(values, nothing, networks, rows, 1, 0), tuple(by_cost[: len(graphs)])

    def coarse(self, size: int, most: int, more: Iterable[CapacityRow]) -> Polytope:
        """Return a relaxation in small numbers: costs rounded down to multiples of `size`, rows relaxed as well.

        Parameters
        ----------
        size
            In scaled cost, of the new unit.
        most
            Costs of more than so many new units count as one more.
        more
            Rows besides.
        """

        def rounded(cost: int) -> int:
            return min(cost // size, most + 1)

        return replace(
            self,
            own=tuple(tuple(map(rounded, costs)) for costs in self.own),
            networks={
                pair: replace(network, arcs=tuple((t, h, rounded(cost)) for t, h, cost in network.arcs))
                for pair, network in self.networks.items()
            },
            rows=(*(row.relaxed() for row in self.rows), *more),
            unit=self.unit * size,
        )

    @property
    def costs(self) -> Coefficients:
        """The costs alone."""
        arcs = {pair: tuple(cost for _, _, cost in network.arcs) for pair, network in self.networks.items()}
        return Coefficients(self.own, arcs, self.unit, self.constant)

    @property
    def arcs(self) -> int:
        """Number of arcs of all networks."""
        return sum(len(network.arcs) for network in self.networks.values())

    @property
    def most(self) -> int:
        """A number that no assignment's scaled cost exceeds."""
        own = sum(max(costs, default=0) for costs in self.own)
        return own + sum(network.most for network in self.networks.values())

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the values at one position of every variable."""
        return tuple(values[i] for values, i in zip(self.values, positions, strict=True))


def span(graph: CostGraph) -> int:
    """Return a number that no assignment's scaled cost exceeds, without drawing up the networks."""
    _, own, _ = own_costs(graph)
    unit = gcd(*chain.from_iterable(own), *(_divisor(cost) for cost in graph.edge_costs.values())) or 1
    most = sum(max(costs, default=0) for costs in own)
    return (most + sum(cost.upper for cost in graph.edge_costs.values())) // unit


def own_costs(graph: CostGraph) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], int]:
    """Return every variable's allowed values, their costs above the least, and the sum of the least."""
    values, own, constant = [], [], 0
    for variable, cost in zip(graph.variables, graph.unary_costs, strict=True):
        mask = variable.mask
        allowed = tuple(i for i in range(variable.size) if mask is None or mask[i])
        dense = cost.dense(object)
        least = min((int(dense[i]) for i in allowed), default=0)
        values.append(allowed)
        own.append(tuple(int(dense[i]) - least for i in allowed))
        constant += least
    return tuple(values), tuple(own), constant


def _divisor(cost: EdgeCost) -> int:
    if isinstance(cost, WordEdge):
        shares = (w * x for t in cost.terms for row in t.share for x in row for w in t.weights)
        return gcd(*shares)
    return gcd(*(int(x) for x in cost.dense(object).flat))


def _row(capacity: Capacity, values: Sequence[Sequence[int]], arcs: Mapping[Pair, Sequence[int]]) -> CapacityRow:
    """Take each variable's least usage off the limit, and divide by the common divisor."""
    limit = capacity.limit
    usages: dict[tuple[int, int], int] = {}
    for variable, cost in capacity.usages.items():
        usage = [int(use) for use in cost.dense(object)]
        least = min((usage[value] for value in values[variable]), default=0)
        limit -= least
        usages |= {(variable, i): usage[value] - least for i, value in enumerate(values[variable])}
    flows = {(pair, arc): use for pair, uses in arcs.items() for arc, use in enumerate(uses) if use}
    unit = gcd(*usages.values(), *flows.values()) or 1
    return CapacityRow(
        capacity.name,
        {key: use // unit for key, use in usages.items() if use},
        limit // unit,
        {key: use // unit for key, use in flows.items()},
        PairUsages(capacity.pairs, values, unit),
    )


def ends(polytope: Polytope, side: int) -> Iterator[tuple[Pair, Sequence[int], Value]]:
    """Return, for every edge and value of its first (side 0) or second variable, the arcs out of or into its node."""
    for pair, network in polytope.networks.items():
        begins, arcs = ((0, network.outgoing), (network.first, network.incoming))[side]
        for position, value in enumerate(polytope.values[pair[side]]):
            yield pair, arcs.get(begins + value, ()), (pair[side], position)


def inner_nodes(polytope: Polytope) -> Iterator[tuple[Pair, Sequence[int], Sequence[int]]]:
    """Return, for every edge and inner node of its network, the arcs into it and the arcs out of it."""
    for pair, network in polytope.networks.items():
        for node in network.inner:
            yield pair, network.incoming[node], network.outgoing[node]

"""The numbers of the programme: allowed sites, scaled costs, link loads, cuts and orders."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from formulations.flow_model.covers import ROOM, CapacityRow
from formulations.placement.symmetry import Symmetry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from formulations.placement.assignment.cuts import Cut
    from hypar_opt.costgraph.placement import PlacementGraph

Pair: TypeAlias = tuple[int, int]
"""Two sites, the lower one first."""
V = TypeVar("V")


@dataclass(frozen=True)
class LeafExchange:
    """Two leaves that exchange, the lower one first, and the level at which they do."""

    level: int
    first: int
    second: int


@dataclass(frozen=True, eq=False)
class Programme:
    """The programme of the package's docstring.

    Parameters
    ----------
    values
        By leaf: the sites that it may stand on.
    edges
        The exchanges of all levels.
    pairs
        Every two sites.
    prices
        By level: what an exchange of every pair costs, scaled, the least of them 0.
    loads
        By link, links that no placement tells apart only once: the pairs whose exchange uses it, and for how long,
        in units of `tick`.
    time_prices
        By level: what a tick of its busiest link costs, scaled.
    least_ticks, most_ticks
        What the busiest link of a level is busy at least, and at most.
    unit, constant
        A placement costs constant + unit x its scaled cost.
    sites
        How many there are.
    whole
        Whether every site has a leaf.
    least
        A scaled cost that no placement falls below.
    cuts
        Inequalities that every placement keeps.
    symmetry
        What allowed the sites and orders the leaves' neighbours.
    most
        A number that no scaled cost exceeds.
    rows
        Of ones: what of the leaves' sites must not come together. None where none was looked at.
    size, grain
        Of a relaxation: in units of what costs were rounded down, and of how many of these what it costs that a link
        is busy is. Without a grain all is exact.
    """

    values: tuple[tuple[int, ...], ...]
    edges: tuple[LeafExchange, ...]
    pairs: tuple[Pair, ...]
    prices: tuple[Mapping[Pair, int], ...]
    loads: tuple[Mapping[Pair, int], ...]
    time_prices: tuple[int, ...]
    least_ticks: int
    most_ticks: int
    unit: int
    constant: int
    sites: int
    whole: bool
    least: int
    cuts: tuple[Cut, ...]
    symmetry: Symmetry
    most: int
    rows: tuple[CapacityRow, ...] = ()
    size: int = 1
    grain: int = 0

    @staticmethod
    def of(
        graph: PlacementGraph, least: int = 0, cuts: Iterable[Cut] = (), symmetry: Symmetry | None = None
    ) -> Programme:
        """Draw up a graph's programme; `least` is a lower bound in the graph's own unit."""
        found = symmetry or Symmetry.none(graph)
        pairs = tuple((u, v) for u in range(graph.sites) for v in range(u + 1, graph.sites))
        scale = Scale.of(graph)
        loads = tuple(link_loads(graph, scale.tick))
        above = {(u, v): int(graph.pair_costs[u, v]) - scale.nearest for u, v in pairs}
        return Programme(
            found.values,
            tuple(LeafExchange(h, p, q) for h in range(graph.levels) for p, q in graph.pairs(h)),
            pairs,
            tuple({pair: volume * cost // scale.unit for pair, cost in above.items()} for volume in graph.volumes),
            loads,
            tuple(volume * scale.tick // scale.unit for volume in graph.volumes),
            least_ticks(graph, loads),
            scale.most_ticks,
            scale.unit,
            scale.constant,
            graph.sites,
            graph.sites == graph.leaves,
            max(0, -((scale.constant - least) // scale.unit)),
            tuple(cuts),
            found,
            scale.most,
        )

    def coarse(self, size: int, most: int, more: Iterable[CapacityRow]) -> Programme:
        """Return a relaxation in small numbers: costs rounded down to multiples of `size`, cuts rounded up.

        Where not all is small as it is, what the busiest link of a level costs takes the place of its ticks, for each
        link and pair rounded down.

        Parameters
        ----------
        size
            In scaled cost, of the new unit.
        most
            Costs of more than so many new units count as one more.
        more
            Rows besides.
        """
        exact = size == 1 and self.most <= most and self.most_ticks <= ROOM
        small = replace(
            self,
            least=self.least if exact and self.least <= ROOM else 0,
            cuts=tuple(cut.small(ROOM) for cut in self.cuts),
            rows=tuple(more),
        )
        if exact:
            return small
        return replace(
            small,
            prices=tuple({pair: min(p // size, most + 1) for pair, p in prices.items()} for prices in self.prices),
            unit=self.unit * size,
            grain=max(1, -(-most // ROOM)),
            size=size,
        )

    def busy(self, h: int, ticks: int) -> int:
        """Return what counts at level h of a link that is busy for so long: ticks, or, of a relaxation, their cost."""
        if not self.grain:
            return ticks
        return min(ticks * self.time_prices[h] // (self.size * self.grain), ROOM + 1)

    def terms(self, y: Sequence[Mapping[Pair, V]], ticks: Mapping[int, V]) -> list[tuple[V, int]]:
        """Return sum over levels h of (sum over pairs of price[h, u, v] y[h, u, v]) + time price[h] ticks[h], by terms.

        The time price is what a unit of `busy` costs.
        """
        exchanges = [
            (y[h][pair], price) for h, prices in enumerate(self.prices) for pair, price in prices.items() if price
        ]
        return exchanges + [(most, self.grain or self.time_prices[h]) for h, most in ticks.items()]

    @property
    def timed(self) -> tuple[int, ...]:
        """Levels whose busiest link counts."""
        return tuple(h for h, price in enumerate(self.time_prices) if price and self.loads)

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """By site: the leaves that may stand there, each with the site's position among its values."""
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.sites)]
        for leaf, values in enumerate(self.values):
            for position, site in enumerate(values):
                found[site].append((leaf, position))
        return tuple(tuple(own) for own in found)

    def choices(self, positions: Iterable[int]) -> tuple[int, ...]:
        """Return the sites at one position of every leaf."""
        return tuple(values[i] for values, i in zip(self.values, positions, strict=True))


@dataclass(frozen=True)
class Scale:
    """How a placement's cost is scaled, from the graph's arrays alone.

    Parameters
    ----------
    nearest
        The least pair cost of two different sites; every level pays it for each of its pairs.
    tick
        The common divisor of the times that exchanges keep links busy.
    unit, constant
        A placement costs constant + unit x its scaled cost.
    most
        A number that no scaled cost exceeds.
    most_ticks
        Ticks for which no link is busy longer.
    """

    nearest: int
    tick: int
    unit: int
    constant: int
    most: int
    most_ticks: int

    @staticmethod
    def of(graph: PlacementGraph) -> Scale:
        """Read a graph's costs."""
        costs = [int(c) for c in np.unique(graph.pair_costs[~np.eye(graph.sites, dtype=np.bool_)])]
        times = [] if graph.usage is None else [int(c) for c in np.unique(graph.usage.costs)]
        nearest, tick = min(costs, default=0), gcd(*times) or 1
        parts = [*(cost - nearest for cost in costs), *([tick] if times else [])]
        unit = gcd(*(volume * part for volume in graph.volumes for part in parts)) or 1
        half = graph.leaves // 2
        # an exchange keeps a link busy for both of its directions at most
        busy = half * 2 * max(times, default=0)
        most = sum(graph.volumes) * (half * (max(costs, default=0) - nearest) + busy) // unit
        constant = sum(graph.volumes) * (graph.base + half * nearest)
        return Scale(nearest, tick, unit, constant, most, busy // tick)


def link_loads(graph: PlacementGraph, tick: int) -> list[dict[Pair, int]]:
    """Return for every link which exchanges use it and for how many ticks; equal links once."""
    if graph.usage is None:
        return []
    found: list[dict[Pair, int]] = [{} for _ in range(graph.usage.count)]
    for source in range(graph.sites):
        for target in range(graph.sites):
            pair = (min(source, target), max(source, target))
            links, costs = graph.usage.of(source, target, graph.sites)
            for link, cost in zip(links, costs, strict=True):
                found[link][pair] = found[link].get(pair, 0) + int(cost) // tick
    kinds = {tuple(sorted(load.items())): load for load in found if load}
    return list(kinds.values())


def least_ticks(graph: PlacementGraph, loads: Sequence[Mapping[Pair, int]]) -> int:
    """Return for how many ticks the busiest link of any level is busy at least.

    A site that is taken exchanges at every level, and that alone keeps some link busy: for the least, over its
    possible partners, of the most that one link is. 2^H sites are taken, so that the 2^H-th least of these counts.
    """
    if not graph.levels:
        return 0
    alone = np.zeros((graph.sites, graph.sites), dtype=object)
    for load in loads:
        for (u, v), busy in load.items():
            alone[u, v] = alone[v, u] = max(alone[u, v], busy)
    nearest = sorted(min(alone[u, v] for v in range(graph.sites) if v != u) for u in range(graph.sites))
    return int(nearest[graph.leaves - 1])


def followers(programme: Programme) -> Iterator[tuple[int, Pair, tuple[int, int], tuple[int, int] | None]]:
    """Yield what the family `follows` says of every exchange and ordered pair of sites.

    Yields
    ------
    Level, pair of sites, the position (leaf, number) of x for the leaf on one of them, and that for its
    partner on the other, None where the partner may not stand there.
    """
    at = [{site: i for i, site in enumerate(values)} for values in programme.values]
    for edge in programme.edges:
        for leaf, partner in ((edge.first, edge.second), (edge.second, edge.first)):
            for pair in programme.pairs:
                for u, v in (pair, pair[::-1]):
                    if u in at[leaf]:
                        yield edge.level, pair, (leaf, at[leaf][u]), _position(at[partner], partner, v)


def _position(at: Mapping[int, int], leaf: int, site: int) -> tuple[int, int] | None:
    return (leaf, at[site]) if site in at else None

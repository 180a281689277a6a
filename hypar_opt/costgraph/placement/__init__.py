"""Where the groups of the partition stand in the array, and what each level's bytes then weigh.

The PlacementGraph is the one form of a placement problem that every formulation of placements reads.

The leaves of the partition tree are the numbers 0 .. 2^H - 1, the root's choice the highest bit. At level h
every leaf exchanges with the leaf that differs from it in bit H - h: the pairs of all levels are the edges of a
hypercube, and a placement embeds that hypercube in the array. Where a level cuts into more groups than two every
leaf exchanges with one of each; a Hamming graph is embedded.

The JointGraph is parallelism and placement together: strategies see a placement through its level weights only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hypar_opt.costgraph.objective import Objective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array, CostGraph
    from hypar_opt.costgraph.placement.traffic import TrafficGraph
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True, eq=False)
class Usage:
    """What every link is busy with, by ordered pair of sites, in compressed rows.

    Parameters
    ----------
    starts
        Pair (u, v) has the entries from starts[u * sites + v] to the next; shape (sites^2 + 1,).
    links
        Of every entry: a link in one direction, from 0.
    costs
        Of every entry: how long the pair's share of a byte keeps the link busy, an exact integer.
    ends
        Of every link in one direction the nodes that it leads from and to; nodes from `sites` on are switches.
        Shape (links, 2).
    slowness
        How long a whole byte keeps every link busy; shape (links,).
    """

    starts: Array
    links: Array
    costs: Array
    ends: Array
    slowness: Array

    @property
    def count(self) -> int:
        """Number of links, each direction for itself."""
        return len(self.ends)

    def of(self, source: int, target: int, sites: int) -> tuple[Array, Array]:
        """Return the links of a pair and what they cost."""
        row = source * sites + target
        part = slice(int(self.starts[row]), int(self.starts[row + 1]))
        return self.links[part], self.costs[part]


@dataclass(frozen=True, eq=False)
class PlacementGraph:
    """Where the leaves of the partition tree can stand, and what their exchange then costs.

    Level h weighs, a byte of its communication,

    `w_h = base + (sum over its pairs of pair_costs) + (the busiest link's time)`,

    all in units of 1 / unit, and a placement costs `sum over h of volumes[h] x w_h`.

    Parameters
    ----------
    partition
        How the array is cut.
    pair_costs
        What it costs that two sites exchange, both directions together; symmetric, shape (sites, sites).
    volumes
        By level, root first: its bytes. Exact integers.
    usage
        For the busiest link's time; None where time has no weight.
    base
        Whatever the placement.
    unit
        The common denominator.
    names
        Of the sites.
    """

    partition: Partition
    pair_costs: Array
    volumes: tuple[int, ...]
    usage: Usage | None = None
    base: int = 0
    unit: int = 1
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.volumes) != self.levels:
            raise ValueError(f"{len(self.volumes)} volumes for {self.levels} levels")
        if self.sites < self.leaves:
            raise ValueError(f"{self.sites} sites for {self.leaves} leaves")

    @property
    def levels(self) -> int:
        """H."""
        return self.partition.levels

    @property
    def leaves(self) -> int:
        """2^H, of halves."""
        return self.partition.leaves

    @property
    def sites(self) -> int:
        """Accelerators that a leaf can stand on, at least one for each."""
        return len(self.pair_costs)

    @property
    def traffic(self) -> TrafficGraph:
        """What any two leaves exchange, and what it costs any two sites.

        Raises
        ------
        ValueError
            If the busiest links count.
        """
        from hypar_opt.costgraph.placement.traffic import TrafficGraph

        if self.usage is not None:
            raise ValueError("the busiest link's time is no sum over pairs")
        flows = np.zeros((self.leaves, self.leaves), dtype=object)
        for h, volume in enumerate(self.volumes):
            for first, second in self.pairs(h):
                flows[first, second] += volume
                flows[second, first] += volume
        costs = self.pair_costs.astype(object)
        np.fill_diagonal(costs, 0)
        return TrafficGraph(self.partition, flows, costs, self.base * sum(self.volumes), self.names)

    def replace(self, **changes: Any) -> PlacementGraph:
        """Return a copy with fields changed."""
        return replace(self, **changes)

    def pairs(self, h: int) -> tuple[tuple[int, int], ...]:
        """Return the pairs of leaves that exchange at level h (from 0), the lower one first."""
        return self.partition.pairs(h)

    def weight(self, h: int, placed: Sequence[int]) -> int:
        """Return w_h of a placement (a site for every leaf), in units of 1 / unit."""
        pairs = [(placed[first], placed[second]) for first, second in self.pairs(h)]
        total = sum(int(self.pair_costs[pair]) for pair in pairs)
        return self.base + total + self._busiest(pairs)

    def weights(self, placed: Sequence[int]) -> tuple[int, ...]:
        """Return every level's weight."""
        return tuple(self.weight(h, placed) for h in range(self.levels))

    def value(self, placed: Sequence[int]) -> int:
        """Return what a placement costs, in units of 1 / unit."""
        return sum(volume * weight for volume, weight in zip(self.volumes, self.weights(placed), strict=True))

    def feasible(self, placed: Sequence[int]) -> bool:
        """Return whether every leaf has a site of its own."""
        inside = all(0 <= site < self.sites for site in placed)
        return inside and len(placed) == self.leaves == len(set(placed))

    def _busiest(self, pairs: Sequence[tuple[int, int]]) -> int:
        if self.usage is None or not self.usage.count:
            return 0
        busy = np.zeros(self.usage.count, dtype=self.usage.costs.dtype)
        for first, second in pairs:
            for source, target in ((first, second), (second, first)):
                links, costs = self.usage.of(source, target, self.sites)
                busy[links] += costs  # a pair's entries name every link once
        return int(busy.max())


@dataclass(frozen=True, eq=False)
class JointGraph:
    """Two sets of variables: strategies, and sites.

    An assignment costs `sum over h of C_h x w_h`, in units of 1 / placement.unit: C_h the bytes of level h, a
    function of the strategies alone, w_h the weight of level h, a function of the sites alone.

    Parameters
    ----------
    parallelism
        One component, over words; what its objective weighs is replaced.
    component
        That component.
    placement
        Its volumes are replaced.
    """

    parallelism: CostGraph
    component: str
    placement: PlacementGraph

    @property
    def levels(self) -> int:
        """H."""
        return self.placement.levels

    def weighed(self, weights: Sequence[int]) -> CostGraph:
        """Return the strategies' problem for level weights: its costs are in units of 1 / placement.unit."""
        by_level = tuple(Fraction(weight) for weight in weights)
        return self.parallelism.replace(objective=Objective({self.component: by_level}))

    def placing(self, volumes: Sequence[int]) -> PlacementGraph:
        """Return the placement's problem for the bytes of every level."""
        return self.placement.replace(volumes=tuple(volumes))

    @cached_property
    def _levels_alone(self) -> tuple[CostGraph, ...]:
        return tuple(self.weighed([int(h == one) for h in range(self.levels)]) for one in range(self.levels))

    def volumes(self, choices: Sequence[int]) -> tuple[int, ...]:
        """Return the bytes of every level, C_h."""
        return tuple(graph.value(choices) for graph in self._levels_alone)

    def value(self, choices: Sequence[int], placed: Sequence[int]) -> int:
        """Return what strategies and sites cost together."""
        return self.placing(self.volumes(choices)).value(placed)

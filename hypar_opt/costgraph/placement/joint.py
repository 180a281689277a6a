"""Parallelism and placement together: strategies see a placement through its level weights only."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.costgraph import CostGraph, Objective

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph.placement.graph import PlacementGraph


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

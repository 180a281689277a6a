"""What one question about an array leaves for the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from formulations.placement.times.vectors import TimeVectors

if TYPE_CHECKING:
    from hypar_opt.placement import PlacementGraph, Usage


@dataclass
class Memory:
    """The vectors of times of the array that was asked about last.

    Parameters
    ----------
    vectors
        Or None, where nothing was asked or the array is not for them.
    """

    vectors: TimeVectors | None = None
    _usage: Usage | None = None
    _levels: int = 0

    def of(self, graph: PlacementGraph) -> TimeVectors | None:
        """Return the vectors of a graph's array: as they were left, if the last one had the same links and levels."""
        if graph.usage is not self._usage or graph.levels != self._levels:
            self.vectors, self._usage, self._levels = TimeVectors.of(graph), graph.usage, graph.levels
        return self.vectors

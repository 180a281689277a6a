"""How many microbatches in flight stages have room for that have the groups between two down-sets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from formulations.pipeline.down_sets.lattice import weighted

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph


@dataclass(frozen=True, eq=False)
class InFlightRoom:
    """Room of stages, of all that begin at one down-set together.

    Parameters
    ----------
    graph, lattice
        Whose.
    """

    graph: StageGraph
    lattice: Lattice

    @cached_property
    def _sums(self) -> tuple[tuple[Array, Array], ...]:
        """By option, of every down-set: usages, and what is kept more for a further microbatch in flight."""
        members = self.lattice.members
        return tuple(
            (weighted(option.usages, members), weighted(option.activations, members)) for option in self.graph.options
        )

    def between(self, one: int, others: Array) -> list[Array | None]:
        """Return by option how many stages with the groups of other down-sets that are not in one have room for.

        None where that decides nothing: what does not fit with one microbatch has no time either, unless groups have
        further ways; with their quickest ways it then has room for none.
        """
        found: list[Array | None] = []
        for option, (usages, further) in zip(self.graph.options, self._sums, strict=True):
            if option.capacity is None or not (self.graph.counts_behind or option.ways):
                found.append(None)
                continue
            left, more = option.capacity - (usages[others] - usages[one]), further[others] - further[one]
            many = 1 + np.where(more > 0, left // np.maximum(more, 1), self.graph.in_flight)
            found.append(np.where(left >= 0, many, 0))
        return found

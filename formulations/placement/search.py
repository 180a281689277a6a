"""The best placement of a run of descents and annealings."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from formulations.placement.improve import Annealing, descended, everywhere
from formulations.placement.prices import Prices

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.placement import PlacementGraph
    from hypar_opt.run import Run


@dataclass(eq=False)
class Search:
    """The best placement so far, by the graph's own value: what leads to it may go by an estimate.

    Parameters
    ----------
    graph, run
        What is searched, and whom to tell.
    enough
        A value that ends the search, or None.
    """

    graph: PlacementGraph
    run: Run
    enough: int | None = None
    best: tuple[int, ...] = ()
    value: int | None = field(default=None, init=False)

    @cached_property
    def prices(self) -> Prices:
        """Of the graph."""
        return Prices.of(self.graph)

    @property
    def over(self) -> bool:
        """Whether nothing more is to be found, or looked for."""
        return self.run.limits.over or (self.enough is not None and self.value == self.enough)

    def offer(self, placed: Iterable[int]) -> None:
        """Take a placement if it is better, and tell the run."""
        choices = tuple(int(site) for site in placed)
        value = self.graph.value(choices)
        if self.value is None or value < self.value:
            self.best, self.value = choices, value
            self.run.incumbent(value, choices)

    def descend(self, at: Array) -> Array:
        """Descend, and offer what comes of it."""
        settled = descended(self.prices, at, self.graph.leaves, self.run.limits)
        self.offer(settled[: self.graph.leaves])
        return settled

    def annealed(self, starts: Sequence[Sequence[int]], restarts: int, steps: int) -> int:
        """Anneal from the starts in turn, and descend from what comes of it; return how often."""
        random = np.random.default_rng(self.run.limits.seed)
        annealing = Annealing(self.prices, self.graph.leaves, self.run.limits, random)
        for done in range(restarts):
            if self.over:
                return done
            at = self.descend(everywhere(starts[done % len(starts)], self.graph.sites))
            lowest = [at]

            def better(found: Array, value: int, lowest: list[Array] = lowest) -> bool:
                lowest[0] = found.copy()
                return self.enough is not None and self.graph.value(found[: self.graph.leaves].tolist()) <= self.enough

            if not self.over:
                annealing.improved(at, steps, better)
                self.descend(lowest[0])
        return restarts

"""Bounds of stages, raised where the best stages rest on them, until these take what their bounds say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from formulations.pipeline.submeshes.search import SubmeshCut, SubmeshSearch
    from hypar_opt.costgraph.pipeline.submeshes import SubmeshGraph
    from hypar_opt.formulation.run import Run

Find: TypeAlias = "Callable[[SubmeshCut | None], SubmeshCut | None]"
"""From the best stages that are known to the best by the bounds; these themselves where none are better."""


@dataclass
class Improving:
    """Plans and bounds that come nearer to each other.

    Parameters
    ----------
    search, run, find
        Of what, within which limits, and who finds the best stages by the bounds.
    best, bound
        The best stages whose times are exact, and what no stages cost less than.
    """

    search: SubmeshSearch
    run: Run
    find: Find
    best: SubmeshCut | None = None
    bound: int = 0

    def solution(self, first: SubmeshCut | None = None) -> Solution:
        """Return the best stages.

        Parameters
        ----------
        first
            Those to begin with, if any.
        """
        try:
            if first is not None:
                self._settled(first)
            while True:
                found = self.find(self.best)
                if found is None:
                    return Solution(Status.INFEASIBLE, native_status=self._said, statistics=self._sizes)
                self._raise(self._value(found))
                if found is self.best or not self._settled(found):
                    return Solution(Status.OPTIMAL, found.choices, self._value(found), self._said, "", self._sizes)
        except Stopped:
            status = Status.NO_SOLUTION if self.best is None else Status.FEASIBLE
            choices = None if self.best is None else self.best.choices
            return Solution(status, choices, self.bound, "stopped", "", self._sizes)

    def _settled(self, found: SubmeshCut) -> bool:
        """Find out what stages take; return whether something was not known."""
        submeshes, bounds = self.search.graph.submeshes, self.search.bounds
        limits = self.run.limits
        new = [bounds.settle(submeshes[place].kind, start, end, limits) for place, start, end in found.steps]
        exact = self.search.cut(found.steps)
        if exact.longest <= self.search.most and (self.best is None or self._value(exact) < self._value(self.best)):
            self.best = exact
            self.run.incumbent(self._value(exact), exact.choices)
        return any(new)

    def _raise(self, bound: int) -> None:
        if bound > self.bound:
            self.bound = bound
            self.run.bound(bound)

    def _value(self, cut: SubmeshCut) -> int:
        return cut.cost(self.search.graph)

    @property
    def _sizes(self) -> dict[str, int | float | str]:
        bounds = self.search.bounds
        return {"down_sets": len(bounds.live), "stages_costed": bounds.costed}

    @property
    def _said(self) -> str:
        bounds = self.search.bounds
        return f"{len(bounds.live):,} down-sets, {bounds.costed:,} stages costed"


def begun(graph: SubmeshGraph, run: Run) -> SubmeshSearch:
    """Return the search of a graph, nothing costed yet.

    Raises
    ------
    Refusal
        If there are too many down-sets for the memory.
    Stopped
        If the limits are over before they are all found.
    """
    from formulations.pipeline.down_sets.lattice import down_sets_of
    from formulations.pipeline.submeshes.search import SubmeshSearch
    from formulations.pipeline.submeshes.tables import BYTES_A_PAIR, StageBounds

    most = int((run.limits.memory_bytes / (BYTES_A_PAIR * (graph.kinds + 2))) ** 0.5)
    sets = down_sets_of(graph.groups, graph.order, run, most, "the network without --microbatches")
    run.phase(f"{len(sets):,} down-sets on {graph.leaves} leaves")
    return SubmeshSearch(StageBounds.of(graph, sets))


def too_long(graph: SubmeshGraph) -> bool:
    """Return whether times have too many digits for sums of 64 bits."""
    from formulations.pipeline.submeshes.tables import NEVER

    return graph.most * graph.groups >= NEVER

"""The best stages over a lattice, by whatever the objective is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from formulations.pipeline.bounds import lower_bound, upper_bound

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.search import DownSetSearch, StageCut
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

SHARES: Final = (9, 12, 24)
"""Eighths of the bound that stages are looked for within, one after the other."""


def best_of(search: DownSetSearch, run: Run, known: StageCut | None) -> StageCut | None:
    """Return the best stages over a lattice: those known where none are better.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    return _Best(search.graph, run).found(search, known)


@dataclass(frozen=True)
class _Best:
    """The best stages over a lattice, by whatever the objective is."""

    graph: StageGraph
    run: Run

    def found(self, search: DownSetSearch, known: StageCut | None) -> StageCut | None:
        """Return the best stages there are: those known where none are better."""
        best = known
        graph = self.graph
        if not graph.sum_weight:
            if best is None:
                return self._first(search)
            most = best.longest - 1
            return best if most < 0 else self._better(best, search.least(self.run, most, of_sum=False))
        least_longest = 0
        if graph.max_weight:
            shortest = search.least(self.run, upper_bound(graph), of_sum=False)
            if shortest is None:
                return best
            best, least_longest = self._better(best, shortest), shortest.longest
        most = upper_bound(graph)
        while (cut := search.least(self.run, most, of_sum=True)) is not None:
            best = self._better(best, cut)
            most = cut.longest - 1
            if graph.sum_weight * cut.total + graph.max_weight * least_longest >= self._value(best):
                break
        return best

    def _first(self, search: DownSetSearch) -> StageCut | None:
        """Return the stages whose longest is least; if there are some a little above the bound, they are soon found."""
        least, most = lower_bound(self.graph) // max(self.graph.max_weight, 1), upper_bound(self.graph)
        for limit in (*(least * share // 8 for share in SHARES if least * share // 8 < most), most):
            found = search.least(self.run, limit, of_sum=False)
            if found is not None:
                return self._better(None, found)
        return None

    def _better(self, best: StageCut | None, found: StageCut | None) -> StageCut | None:
        if found is None or (best is not None and self._value(best) <= self._value(found)):
            return best
        self.run.incumbent(self._value(found), found.choices)
        return found

    def _value(self, cut: StageCut | None) -> int:
        assert cut is not None  # there is one where it is asked
        return self.graph.sum_weight * cut.total + self.graph.max_weight * cut.longest

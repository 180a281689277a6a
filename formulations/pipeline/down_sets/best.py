"""The best stages over a lattice, by whatever the objective is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from formulations.pipeline.down_sets.search import StageCut, Weighted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.formulation.run import Run

C = TypeVar("C", bound=StageCut)
C_co = TypeVar("C_co", bound=StageCut, covariant=True)
SHARES: Final = (9, 12, 24)
"""Eighths of the bound that stages are looked for within, one after the other."""


class StageSearch(Protocol[C_co]):
    """What finds the stages whose longest is least, or whose sum is."""

    @property
    def graph(self) -> Weighted:
        """Whose stages they are."""

    @property
    def most(self) -> int:
        """What no stage takes more than."""

    @property
    def shortest(self) -> int:
        """What the longest stage takes at least."""

    def least(self, run: Run, most: int, *, of_sum: bool) -> C_co | None:
        """Return the best of the stages that take no more than `most` each; None where there are none."""


def best_of(search: StageSearch[C], run: Run, known: C | None) -> C | None:
    """Return the best stages over a lattice: those known where none are better.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    return _Best[C](search.graph, run).found(search, known)


def cuts_by_longest(search: StageSearch[C], run: Run) -> Iterator[C]:
    """Yield the stages whose sum is least, for limits of the longest that fall from its worst.

    Raises
    ------
    Stopped
        If the run's limits are over before.
    """
    most = search.most
    while (cut := search.least(run, most, of_sum=True)) is not None:
        yield cut
        most = cut.longest - 1


@dataclass(frozen=True)
class _Best(Generic[C]):
    """The best stages over a lattice, by whatever the objective is."""

    graph: Weighted
    run: Run

    def found(self, search: StageSearch[C], known: C | None) -> C | None:
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
            shortest = search.least(self.run, search.most, of_sum=False)
            if shortest is None:
                return best
            best, least_longest = self._better(best, shortest), shortest.longest
        for cut in cuts_by_longest(search, self.run):
            best = self._better(best, cut)
            if graph.sum_weight * cut.total + graph.max_weight * least_longest >= self._value(best):
                break
        return best

    def _first(self, search: StageSearch[C]) -> C | None:
        """Return the stages whose longest is least; if there are some a little above the bound, they are soon found."""
        least, most = search.shortest, search.most
        for limit in (*(least * share // 8 for share in SHARES if least * share // 8 < most), most):
            found = search.least(self.run, limit, of_sum=False)
            if found is not None:
                return self._better(None, found)
        return None

    def _better(self, best: C | None, found: C | None) -> C | None:
        if found is None or (best is not None and self._value(best) <= self._value(found)):
            return best
        self.run.incumbent(self._value(found), found.choices)
        return found

    def _value(self, cut: StageCut | None) -> int:
        assert cut is not None  # there is one where it is asked
        return cut.cost(self.graph)

"""What plans cost at least that have a group in a given stage, where stages keep their devices and their order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from formulations.pipeline.bounds import beyond, number_type, upper_bound
from formulations.pipeline.down_sets.lattice import lattice_of
from formulations.pipeline.down_sets.search import DownSetSearch
from hypar_opt.formulation.run import Stopped
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from formulations.pipeline.down_sets.lattice import Lattice
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph
    from hypar_opt.formulation.run import Run

MOST_DOWN_SETS: Final = 3000
MOST_LIMITS: Final = 1000
"""Of what a stage may take, where sum and maximum count."""


def stage_marginals(graph: StageGraph, options: Sequence[int], run: Run) -> list[list[int | None]]:
    """Return by group and stage what a plan costs at least that has the group there; None where there is none.

    With F_i(D) the least that stages 1 to i take with the groups of D, and B_i(D) the least that those behind stage i
    take with all others, that is the least of F_(i-1)(D'), t_i(D without D') and B_i(D) together, over all D' < D of
    which only D has the group. Stages may be empty, and take nothing then, but where what stands behind a stage decides
    whether it fits.

    Parameters
    ----------
    graph
        Whose stages' times count as a sum, as a maximum, or both.
    options
        By stage, in order, how it is done.
    run
        Its limits.

    Raises
    ------
    Refusal
        If there are too many down-sets, or lengths of stages.
    Stopped
        If the run's limits are over before.
    """
    if graph.batch is not None:
        raise Refusal("what a batch takes by a schedule is neither a sum nor a maximum of stages' times")
    if any(graph.options[option].ways for option in options):
        raise Refusal(
            "which operators of a stage compute activations anew is chosen with them, and that is not gone through"
        )
    try:
        lattice = lattice_of(graph, run, MOST_DOWN_SETS)
    except Refusal:
        raise Refusal(f"this order has more than {MOST_DOWN_SETS:,} down-sets, which are all gone through") from None
    turned = graph.counts_behind  # from the end, as the lattice is then
    every = _Marginals(graph, lattice, tuple(reversed(options)) if turned else tuple(options), run)
    if not graph.sum_weight:
        least = every.weighed(every.least(of_sum=False), graph.max_weight)
    elif not graph.max_weight:
        least = every.weighed(every.least(of_sum=True), graph.sum_weight)
    else:
        least = every.of_both()
    none = beyond(graph)
    found = [[None if cost >= none else int(cost) for cost in row] for row in least.tolist()]
    return [row[::-1] for row in found] if turned else found


@dataclass(frozen=True, eq=False)
class _Marginals:
    """The least costs over one lattice."""

    graph: StageGraph
    lattice: Lattice
    options: tuple[int, ...]
    run: Run

    @property
    def none(self) -> int:
        """What stands for a plan that there may not be."""
        return int(beyond(self.graph))

    def weighed(self, least: Array, weight: int) -> Array:
        """Return costs times a weight."""
        exact = least.astype(object)
        return np.where(exact < self.none, exact * weight, self.none)

    def of_both(self) -> Array:
        """Return the least weighted sums of the sum and the maximum: the least sums, for every limit of the maximum.

        Limits beyond what would be too much with the least sum of all need not be tried.
        """
        sums, longest = (self.least(of_sum=one).astype(object) for one in (True, False))
        best = np.full_like(sums, self.none)
        there = longest < self.none
        if not there.any():
            return best
        limits = np.unique(np.concatenate([times[times < self.none] for _, own in self._every for times in own]))
        limits = limits[limits >= longest[there].min()]
        if len(limits) > MOST_LIMITS:
            raise Refusal(f"there are {len(limits):,} lengths of stages to be tried, and {MOST_LIMITS:,} are at most")
        on_sum, on_longest = self.graph.sum_weight, self.graph.max_weight
        for limit in limits.tolist():
            if (on_sum * sums[there] + on_longest * limit >= best[there]).all():
                break
            within = self.least(of_sum=True, limit=limit).astype(object)
            reached = within < self.none
            best[reached] = np.minimum(best[reached], on_sum * within[reached] + on_longest * limit)
        return best

    def least(self, *, of_sum: bool, limit: int | None = None) -> Array:
        """Return the least sums, or the least maxima, of stages that take no longer than a limit."""
        together = np.add if of_sum else np.maximum
        none, limit = self.none, self.none - 1 if limit is None else limit
        behind = self._behind(together, limit)
        count = len(self.options)
        exact, may_be_empty = number_type(self.graph), not self.graph.counts_behind
        before: Array = np.full((count + 1, self.lattice.count), none, dtype=exact)
        before[0, 0] = 0
        least: Array = np.full((self.graph.groups, count), none, dtype=exact)
        for one, (others, times) in enumerate(self._every):
            for place, taken in enumerate(times):
                known = before[place, one]
                if known >= none:
                    continue
                if may_be_empty:
                    before[place + 1, one] = min(before[place + 1, one], known)
                reached = np.flatnonzero((taken <= limit) & (behind[place + 1, others] < none))
                ends = others[reached]
                until = together(known, taken[reached])
                before[place + 1, ends] = np.minimum(before[place + 1, ends], until)
                self._lower(least[:, place], one, ends, together(until, behind[place + 1, ends]))
        return least

    def _behind(self, together: np.ufunc, limit: int) -> Array:
        """Return by number of stages and down-set the least that the stages behind take with all other groups."""
        count, none, may_be_empty = len(self.options), self.none, not self.graph.counts_behind
        behind: Array = np.full((count + 1, self.lattice.count), none, dtype=number_type(self.graph))
        behind[slice(None) if may_be_empty else -1, -1] = 0
        for one, (others, times) in zip(reversed(range(self.lattice.count)), reversed(self._every), strict=True):
            for place in reversed(range(count)):
                taken, rest = times[place], behind[place + 1, others]
                reached = (taken <= limit) & (rest < none)
                whole = together(taken[reached], rest[reached])
                least = min(whole.min(initial=none), behind[place, one])
                behind[place, one] = min(behind[place + 1, one], least) if may_be_empty else least
        return behind

    @cached_property
    def _every(self) -> list[tuple[Array, list[Array]]]:
        """By down-set where a stage may end that begins there, and by stage how long it takes then."""
        search, most, in_flight = DownSetSearch(self.graph, self.lattice), upper_bound(self.graph), self._in_flight
        found: list[tuple[Array, list[Array]]] = []
        for one in range(self.lattice.count):
            if self.run.limits.over:
                raise Stopped
            others = self.lattice.above(one, most, 0)
            if not len(others):
                found.append((others, [np.zeros(0, dtype=number_type(self.graph))] * len(self.options)))
                continue
            times, stands = search.loads.between(one, others), search.memory.between(one, others)
            own = []
            for option, microbatches in zip(self.options, in_flight, strict=True):
                room = stands[option]
                own.append(times[option] if room is None else np.where(room >= microbatches, times[option], self.none))
            found.append((others, own))
        return found

    @property
    def _in_flight(self) -> list[int]:
        """By stage, microbatches in flight, where that counts: of stages from the end, with all before them behind."""
        found, replicas = [], 0
        for option in self.options:
            replicas += self.graph.options[option].replicas
            found.append(self.graph.microbatches(self.graph.options[option].replicas, replicas))
        return found

    def _lower(self, least: Array, one: int, ends: Array, costs: Array) -> None:
        """Lower what groups cost at least in a stage, given where it begins and may end and what that costs."""
        better = np.flatnonzero(costs < least.max())
        better = better[np.argsort(costs[better], kind="stable")]
        if not len(better):
            return
        members = self.lattice.members
        inside = members[:, ends[better]] & ~members[:, [one]]
        has = inside.any(axis=1)
        first = inside.argmax(axis=1)
        least[has] = np.minimum(least[has], costs[better][first[has]])

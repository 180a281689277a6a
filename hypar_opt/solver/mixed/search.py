"""The words and the shares of the least step time: boxes of shares, bounded by weighted sums at their corners.

At given weights the least weighted sum over all words is concave in every single share: each class's seconds are, and a
minimum of concave functions is. So over a box of shares it is least at a corner, and a box none of whose corners is
below the best plan known holds no better one. What is not left out is cut in two; at single vectors of shares all words
whose weighted sum is below the best plan are looked at one by one.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.mixed.seconds import PlanSeconds
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.mixed.dual import best_weights, even_weights, step_seconds
from hypar_opt.solver.mixed.near import assignments_below
from hypar_opt.solver.mixed.problem import WeighedProblem
from hypar_opt.solver.mixed.shares_of_plan import best_shares
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.cost.mixed.seconds import Entries
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import Box, Shares
    from hypar_opt.solver.mixed.dual import WaitWeights
    from hypar_opt.solver.mixed.problem import MixedProblem
    from hypar_opt.solver.plan import Plan

ROUNDS: Final = 40
"""Of better weights for one box, at most."""
CLOSE: Final = 1e-6
"""What better weights can gain at most where they are good enough, as a part of the bound."""
Words = tuple[str, ...]
"""By layer."""


class WithoutBound(Exception):
    """A weighted sum came without a bound: it was stopped, or by a formulation that proves nothing."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.native_status)
        self.plan = plan


@dataclass
class ShareSearch:
    """What was found so far.

    Parameters
    ----------
    problem
        Whose objective is the time of a step.
    solve
        Finds the words of the least weighted sum.
    limits
        Of the whole search.
    """

    problem: MixedProblem
    solve: Callable[[WeighedProblem], Plan]
    limits: Limits
    best: tuple[Fraction, Words, Shares] | None = None
    last: Plan | None = None
    solved: int = 0
    boxes: int = 0
    looked_at: int = 0
    sums: dict[tuple[Shares, WaitWeights, Box], Fraction | None] = field(default_factory=dict)
    known: dict[Words, Entries] = field(default_factory=dict)

    def found(self) -> Plan:
        """Search, and return the best plan with what is proven of it."""
        problem, order = self.problem, count()
        weights = even_weights(*self._shape)
        open_boxes: list[tuple[Fraction, int, Box, WaitWeights]] = []
        left: list[Fraction] = []  # bounds of boxes that were not searched to the end
        try:
            first = problem.box
            bound, weights = self.bounded(first, weights)
            if bound is None:
                return self._plan(Status.INFEASIBLE, None)
            heapq.heappush(open_boxes, (bound, next(order), first, weights))
            while open_boxes and self._may_be_better(open_boxes[0][0]):
                if self.limits.over:
                    raise Stopped
                bound, _, box, weights = open_boxes[0]
                if box.is_point:
                    heapq.heappop(open_boxes)
                    if not self.look_at(box, weights):
                        left.append(bound)
                    continue
                parts = [(part, *self.bounded(part, weights)) for part in box.halves()]
                heapq.heappop(open_boxes)
                for part, its_bound, its_weights in parts:
                    if its_bound is not None:
                        heapq.heappush(open_boxes, (max(bound, its_bound), next(order), part, its_weights))
        except WithoutBound as stop:
            if stop.plan.status is Status.ERROR:
                return replace(stop.plan, objective=None, bound=None)
            left += [Fraction(0)] if not open_boxes else []
        except Stopped:
            pass
        left += [one[0] for one in open_boxes]
        below = [one for one in left if self._may_be_better(one)]
        if self.best is None:
            return self._plan(Status.INFEASIBLE if not below else Status.NO_SOLUTION, min(below, default=None))
        bound = min(below, default=self.best[0])
        return self._plan(Status.OPTIMAL if not below else Status.FEASIBLE, bound)

    def bounded(self, box: Box, weights: WaitWeights) -> tuple[Fraction | None, WaitWeights]:
        """Return what no plan with shares in a box takes less than, and the weights that say so.

        None where no words fit anywhere in the box.

        Raises
        ------
        WithoutBound
            If a weighted sum came without one.
        """
        self.boxes += 1
        best: Fraction | None = None
        best_yet = weights
        for _ in range(ROUNDS):
            corner_sums = [self.least_sum(corner, weights, box) for corner in box.corners]
            if None in corner_sums:
                return None, weights
            bound = min(one for one in corner_sums if one is not None)
            if best is None or bound > best:
                best, best_yet = bound, weights
            if not self._may_be_better(best) or self.limits.over:
                break
            cuts = [entries.at(corner) for entries in self.known.values() for corner in box.corners]
            weights, reach = best_weights(cuts)
            if reach <= float(best) * (1 + CLOSE):
                break
            if not box.is_point and self.best is not None and reach < float(self.best[0]) * (1 - CLOSE):
                break  # no weights leave this box out
        return best, best_yet

    def least_sum(self, shares: Shares, weights: WaitWeights, box: Box) -> Fraction | None:
        """Return the least weighted sum at some shares, of words that fit somewhere in a box; None without any."""
        key = shares, weights, box if self._has_memory else self.problem.box
        if key not in self.sums:
            plan = self.solve(WeighedProblem(self.problem.instance, shares, weights, box))
            self.solved += 1
            self.last = plan
            if plan.status is Status.INFEASIBLE:
                self.sums[key] = None
                return None
            if plan.strategies is not None and plan.status is not Status.ERROR:
                self.offer(plan.strategies, shares)
            if plan.status is Status.ERROR or plan.bound is None:
                raise WithoutBound(plan)
            self.sums[key] = plan.bound
        return self.sums[key]

    def offer(self, strategies: Mapping[str, str], shares: Shares) -> None:
        """Take words into account, at their best shares."""
        words = tuple(strategies.values())
        if words in self.known:
            return
        entries = self.known[words] = self.entries.of(self.problem.choices(strategies))

        def fits(there: Shares) -> bool:
            return not self._has_memory or self.problem.fault_of(strategies, there) is None

        own = best_shares(entries, self.problem.box, shares, fits)
        time = step_seconds(entries.at(own))
        if (self.best is None or time < self.best[0]) and fits(own):
            self.best = time, words, own

    @cached_property
    def entries(self) -> PlanSeconds:
        """Says what plans take at any shares."""
        return PlanSeconds(self.problem.work, self.problem.model)

    def look_at(self, point: Box, weights: WaitWeights) -> bool:
        """Look at all words whose weighted sum at some shares is below the best plan; whether none was left out."""
        (shares,) = point.corners
        graph = self.problem.weighed_graph(shares, weights, point)
        limit = graph.forbidden if self.best is None else -int(-self.best[0] * graph.objective.denominator // 1)
        run = Run("joint-dp", self.limits)
        try:
            for choices in assignments_below(graph, limit, run):
                self.looked_at += 1
                self.offer(self.problem.strategies(choices), shares)
                if self.limits.over:
                    return False
        except (Refusal, Stopped):
            return False
        return True

    def _may_be_better(self, bound: Fraction) -> bool:
        return self.best is None or bound < self.best[0]

    def _by_layer(self, words: Words) -> dict[str, str]:
        return {layer.name: word for layer, word in zip(self.problem.work.layers, words, strict=True)}

    @property
    def _has_memory(self) -> bool:
        return any(one.accelerator.capacity is not None for one in self.problem.array.kinds)

    @property
    def _shape(self) -> tuple[int, int]:
        return self.entries.shape

    def _plan(self, status: Status, bound: Fraction | None) -> Plan:
        """Return the best plan."""
        assert self.last is not None  # something was asked
        how = f"{self.boxes:,} boxes of shares, {self.solved:,} weighted sums, {self.looked_at:,} plans one by one"
        plan = replace(
            self.last,
            status=status,
            native_status=how,
            strategies=None,
            objective=None,
            bound=bound,
            statistics={"boxes": self.boxes, "weighted_sums": self.solved, "plans": self.looked_at},
        )
        if self.best is None:
            return plan
        time, words, shares = self.best
        plan = self.problem.complete(replace(plan, objective=time), self._by_layer(words), shares)
        fault = self.problem.fault_of(self._by_layer(words), shares)
        if fault is None and plan.costs[TIME] != time:
            fault = f"the boxes give {plan.costs[TIME]} s, the cost model {time}"
        return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)

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
from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.mixed.seconds import PlanSeconds
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.mixed.box_tables import BoxTables
from hypar_opt.solver.mixed.dual import best_weights, even_weights, step_seconds
from hypar_opt.solver.mixed.near import assignments_below, values_below
from hypar_opt.solver.mixed.shares_of_plan import best_shares
from hypar_opt.solver.mixed.weighed import TableProblem, WeighedProblem
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.cost.mixed.seconds import Entries
    from hypar_opt.costgraph import CostGraph
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import ShareBox, Shares
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.mixed.dual import WaitWeights
    from hypar_opt.solver.mixed.weighed import Kept
    from hypar_opt.solver.plan import Plan

ROUNDS: Final = 40
"""Of better weights for one box, at most."""
CLOSE: Final = 1e-6
"""What better weights can gain at most where they are good enough, as a part of the bound."""
MOST_PAIRS: Final = 2**21
"""Pairs of words that are left, of all boundaries together, up to which tables take the place of whole words."""
NARROW: Final = Fraction(1, 8)
"""Boxes that are wider are not looked at by tables."""
Words = tuple[str, ...]
"""By layer."""


class WithoutBound(Exception):
    """A weighted sum came without a bound: it was stopped, or by a formulation that proves nothing."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.native_status)
        self.plan = plan


@dataclass(frozen=True, order=True)
class OpenBox:
    """A box that may hold a better plan.

    Parameters
    ----------
    bound
        What no plan in it takes less than.
    number
        Which box it is: the earlier of two with one bound goes first.
    box
        The shares.
    weights
        By which it is bounded.
    kept
        By layer, the words of any better plan; None for all.
    """

    bound: Fraction
    number: int
    box: ShareBox = field(compare=False)
    weights: WaitWeights = field(compare=False)
    kept: Kept | None = field(compare=False)


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

    problem: MixedCosts
    solve: Callable[[WeighedProblem | TableProblem], Plan]
    limits: Limits
    best: tuple[Fraction, Words, Shares] | None = None
    last: Plan | None = None
    solved: int = 0
    boxes: int = 0
    looked_at: int = 0
    sums: dict[tuple[Shares, WaitWeights, ShareBox], Fraction | None] = field(default_factory=dict)
    known: dict[Words, Entries] = field(default_factory=dict)

    def found(self) -> Plan:
        """Search, and return the best plan with what is proven of it."""
        whole = self.problem.box
        open_boxes = [OpenBox(Fraction(0), 0, whole, even_weights(*self.entries.shape), None)]
        left: list[Fraction] = []  # bounds of boxes that were not searched to the end
        self.offer_first(whole)
        try:
            bounded = self.bounded(open_boxes[0])
            open_boxes = [] if bounded is None else [bounded]
            while open_boxes and self._may_be_better(open_boxes[0].bound):
                if self.limits.over:
                    raise Stopped
                first = open_boxes[0]
                if self.decided(first):
                    heapq.heappop(open_boxes)
                elif first.box.is_point:
                    heapq.heappop(open_boxes)
                    if not self.look_at(first):
                        left.append(first.bound)
                else:
                    parts = [self.bounded(replace(first, box=part)) for part in first.box.halves()]
                    heapq.heappop(open_boxes)
                    for part in filter(None, parts):
                        heapq.heappush(open_boxes, part)
        except WithoutBound as stop:
            if stop.plan.status is Status.ERROR:
                return replace(stop.plan, objective=None, bound=None)
        except Stopped:
            pass
        left += [one.bound for one in open_boxes]
        below = [one for one in left if self._may_be_better(one)]
        if self.best is None:
            return self._plan(Status.INFEASIBLE if not below else Status.NO_SOLUTION, min(below, default=None))
        bound = min(below, default=self.best[0])
        return self._plan(Status.OPTIMAL if not below else Status.FEASIBLE, bound)

    def offer_first(self, box: ShareBox) -> None:
        """Take into account the words of each layer's first letter, so that a search that is stopped has a plan."""
        words = [self.problem.model.words(layer) for layer in self.problem.work.layers]
        strategies = self._by_layer(tuple(one.filled(one.alphabet[0]) for one in words))
        if self.problem.fault_of(strategies, box.low) is None:
            self.offer(strategies, box.low)

    def bounded(self, asked: OpenBox) -> OpenBox | None:
        """Return a box with what no plan with shares in it takes less than, and the words that are left.

        Where the plans known say that no weights leave the box out, nothing is asked: it is to be cut in two.

        Parameters
        ----------
        asked
            The box, with what is known of one around it.

        Returns
        -------
        None where no words fit anywhere in the box, or all are left out.

        Raises
        ------
        WithoutBound
            If a weighted sum came without one.
        """
        self.boxes += 1
        box, best, best_yet = asked.box, asked.bound, asked.weights
        tried: set[WaitWeights] = set()
        for turn in range(ROUNDS):
            weights, reach = self._weights(box)
            hopeless = self.best is not None and reach < float(self.best[0]) * (1 - CLOSE)
            if (hopeless and not box.is_point) or (turn and reach <= float(best) * (1 + CLOSE)) or weights in tried:
                best_yet = best_yet if tried else weights
                break
            tried.add(weights)
            corner_sums = [self.least_sum(corner, weights, asked) for corner in box.corners]
            if None in corner_sums:
                return None
            bound = min(one for one in corner_sums if one is not None)
            if bound >= best or not turn:
                best, best_yet = max(best, bound), weights
            if not self._may_be_better(best):
                return None
            if self.limits.over:
                break
        found = OpenBox(best, self.boxes, box, best_yet, asked.kept)
        return self.narrowed(found) if tried else found

    def narrowed(self, asked: OpenBox) -> OpenBox | None:
        """Return a box with the words only that may be in a better plan; None without any."""
        if self.best is None:
            return asked
        problems = [self._weighed(corner, asked.weights, asked) for corner in asked.box.corners]
        limits = [self._limit(one.graph) for one in problems]
        try:
            places = values_below([one.graph for one in problems], limits, Run("joint-dp", self.limits))
        except (Refusal, Stopped):
            return asked
        if not all(map(len, places)):
            return None
        before = problems[0].kept
        kept = places if before is None else tuple(own[one] for own, one in zip(before, places, strict=True))
        return replace(asked, kept=kept)

    def _weights(self, box: ShareBox) -> tuple[WaitWeights, float]:
        """Return the best weights by what is known of plans, and what no weights bound a box by more than."""
        if not self.known:
            return even_weights(*self.entries.shape), float("inf")
        cuts = [entries.near(corner) for entries in self.known.values() for corner in box.corners]
        return best_weights(np.array(cuts))

    def _weighed(self, shares: Shares, weights: WaitWeights, asked: OpenBox) -> WeighedProblem:
        """Return the weighted sum at some shares: over the words that are left, where these are few."""
        kept = asked.kept
        if kept is not None:
            edges = self.problem.work.boundaries
            pairs = sum(len(kept[edge.producer]) * len(kept[edge.reader]) for edge in edges)
            kept = kept if pairs <= MOST_PAIRS else None
        return WeighedProblem(self.problem.instance, kept, shares, weights, asked.box)

    def least_sum(self, shares: Shares, weights: WaitWeights, asked: OpenBox) -> Fraction | None:
        """Return the least weighted sum at some shares, of words that are left and fit somewhere in a box.

        None where there are none.
        """
        problem = self._weighed(shares, weights, asked)
        own = problem.kept is not None or self._has_memory
        key = shares, weights, asked.box if own else self.problem.box
        if key not in self.sums:
            plan = self._solved(problem)
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

    def _solved(self, problem: WeighedProblem) -> Plan:
        """Return the plan of a weighted sum; over all words where a formulation takes no tables of some."""
        try:
            return self.solve(problem)
        except Refusal:
            if problem.kept is None:
                raise
            return self.solve(replace(problem, kept=None))

    def offer(self, strategies: Mapping[str, str], shares: Shares) -> None:
        """Take words into account, at these shares, and when they are new at the best that a descent from these finds.

        A descent need not find what is best of several shares, or where memories are short: words that are known
        already may be better at other shares.
        """
        words = tuple(strategies.values())
        is_new = words not in self.known
        if is_new:
            self.known[words] = self.entries.of(self.problem.choices(strategies))
        entries = self.known[words]

        def fits(there: Shares) -> bool:
            return not self._has_memory or self.problem.fault_of(strategies, there) is None

        for there in (shares, *([best_shares(entries, self.problem.box, shares, fits)] if is_new else [])):
            time = step_seconds(entries.at(there))
            if (self.best is None or time < self.best[0]) and fits(there):
                self.best = time, words, there

    @cached_property
    def entries(self) -> PlanSeconds:
        """Says what plans take at any shares."""
        box = self.problem.box
        return PlanSeconds(self.problem.work, self.problem.model, box.low if box.is_point else None)

    def decided(self, asked: OpenBox) -> bool:
        """Return whether no plan is better by what plans cost at least in a box; nothing is asked of wide ones."""
        box = asked.box
        widest = max((high - low for low, high in zip(box.low, box.high, strict=True)), default=Fraction(0))
        if widest > max(NARROW, Fraction(2, box.parts or 1)):
            return False
        left = asked if asked.kept is not None else self.narrowed(asked)
        if left is None:
            return True
        if left.kept is None:
            return False
        try:
            tables = BoxTables.of(self.problem, box, left.weights, left.kept)
        except Refusal:
            return False
        while True:
            problem = tables.problem(self._bar)
            if problem is None:
                return False
            try:
                plan = self.solve(problem)
            except Refusal:
                return False
            self.solved += 1
            self.last = plan
            if plan.status is Status.INFEASIBLE:
                return True
            if plan.strategies is None or plan.status is Status.ERROR:
                return False
            before = self._bar
            self.offer(plan.strategies, box.low)
            if tables.is_exact and plan.bound is not None and not self._may_be_better(plan.bound):
                return True
            if not box.is_point or self._bar == before:
                return False

    @property
    def _bar(self) -> Fraction | None:
        """What a step has to take less than."""
        return None if self.best is None else self.best[0]

    def look_at(self, asked: OpenBox) -> bool:
        """Look at all words whose weighted sum at some shares is below the best plan; whether none was left out."""
        (shares,) = asked.box.corners
        problem = self._weighed(shares, asked.weights, asked)
        graph = problem.graph
        try:
            for choices in assignments_below(graph, self._limit(graph), Run("joint-dp", self.limits)):
                self.looked_at += 1
                self.offer(problem.strategies(choices), shares)
                if self.limits.over:
                    return False
        except (Refusal, Stopped):
            return False
        return True

    def _limit(self, graph: CostGraph) -> int:
        """Return what a better plan's weighted sum is below: no more than what is not allowed costs."""
        if self.best is None:
            return graph.forbidden
        return min(graph.forbidden, ceil(self.best[0] * graph.objective.denominator))

    def _may_be_better(self, bound: Fraction) -> bool:
        return self.best is None or bound < self.best[0]

    def _by_layer(self, words: Words) -> dict[str, str]:
        return {layer.name: word for layer, word in zip(self.problem.work.layers, words, strict=True)}

    @property
    def _has_memory(self) -> bool:
        return any(one.accelerator.capacity is not None for one in self.problem.array.kinds)

    def _plan(self, status: Status, bound: Fraction | None) -> Plan:
        """Return the best plan."""
        if self.last is None:  # stopped before anything was asked: who is it that would have been
            box = self.problem.box
            begun = OpenBox(Fraction(0), 0, box, even_weights(*self.entries.shape), None)
            self.last = self.solve(self._weighed(box.low, begun.weights, begun))
        counted = ((self.boxes, "box of shares", "boxes of shares"), (self.solved, "sum", "sums"))
        how = ", ".join(f"{number:,} {one if number == 1 else more}" for number, one, more in counted)
        if self.looked_at:
            how += f", {self.looked_at:,} plans one by one by min-marginals"
        weight = self.problem.weight
        plan = replace(
            self.last,
            status=status,
            native_status=how,
            strategies=None,
            objective=None,
            bound=weight * bound if bound is not None and (bound or status is Status.OPTIMAL) else None,  # 0: the start
            statistics={"boxes": self.boxes, "weighted_sums": self.solved, "plans": self.looked_at},
        )
        if self.best is None:
            return plan
        time, words, shares = self.best
        plan = self.problem.complete(replace(plan, objective=weight * time), self._by_layer(words), shares)
        fault = self.problem.fault_of(self._by_layer(words), shares)
        if fault is None and plan.costs[TIME] != time:
            fault = f"the boxes give {plan.costs[TIME]} s, the cost model {time}"
        return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)

"""The words and the shares of the least step time: boxes of shares, bounded by weighted sums at their corners.

At given weights the least weighted sum over all words is concave in every single share: each class's seconds are, and a
minimum of concave functions is. So over a box of shares it is least at a corner, and a box none of whose corners is
below the best plan known holds no better one. What is not left out is cut in two; at single vectors of shares all words
whose weighted sum is below the best plan are looked at one by one.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final, Self

from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.objective.components import TIME
from hypar_opt.solver.mixed.box_bounds import BoxBounds, OpenBox, WithoutBound
from hypar_opt.solver.mixed.box_front import BoxFront
from hypar_opt.solver.mixed.box_maxima import BoxMaxima
from hypar_opt.solver.mixed.box_tables import BoxTables
from hypar_opt.solver.mixed.dual import even_weights
from hypar_opt.solver.mixed.near import assignments_below
from hypar_opt.solver.mixed.plan_pool import PlanPool
from hypar_opt.solver.mixed.trace import BoxTrace
from hypar_opt.solver.mixed.wait_boxes import WaitSearch
from hypar_opt.solver.share_evidence import PLANS, TABLES, WEIGHTS
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.mixed.weighed import TableProblem, WeighedProblem
    from hypar_opt.solver.plan import Plan

NARROW: Final = Fraction(1, 8)
"""Boxes that are wider are not looked at by tables."""
FEW_PLANS: Final = 2**12
"""Plans that are looked at one by one rather than wait by wait."""
NARROWEST: Final = Fraction(1, 2**40)
"""Boxes of any shares that are less wide are left open: what keeps them from being closed will not go away."""


@dataclass
class ShareSearch:
    """A search over boxes of shares.

    Parameters
    ----------
    plans, bounds
        What was found so far.
    looked_at, of_fronts
        Plans that were looked at one by one: all that weights leave, or those of fronts.
    """

    plans: PlanPool
    bounds: BoxBounds
    looked_at: int = 0
    of_fronts: int = 0

    @classmethod
    def of(cls, problem: MixedCosts, solve: Callable[[WeighedProblem | TableProblem], Plan], limits: Limits) -> Self:
        """Return the search that begins.

        Parameters
        ----------
        problem
            Whose objective is the time of a step.
        solve
            Finds the words of the least weighted sum.
        limits
            Of the whole search.
        """
        plans = PlanPool(problem)
        return cls(plans, BoxBounds(problem, solve, limits, plans, BoxTrace(problem.box.parts)))

    def found(self) -> Plan:
        """Search, and return the best plan with what is proven of it."""
        whole = self.bounds.problem.box
        open_boxes = [OpenBox(Fraction(0), 0, whole, even_weights(*self.plans.entries.shape), None)]
        left: list[Fraction] = []  # bounds of boxes that were not searched to the end
        self.plans.offer_first(whole)
        is_decided, how = (self.decided, TABLES) if self.bounds.problem.open_split is None else (self.closed, PLANS)
        try:
            bounded = self.bounds.bounded(open_boxes[0])
            open_boxes = [] if bounded is None else [bounded]
            while open_boxes and self.plans.may_be_better(open_boxes[0].bound):
                if self.bounds.limits.over:
                    raise Stopped
                first = open_boxes[0]
                if is_decided(first):
                    heapq.heappop(open_boxes)
                    self.bounds.trace.close(first.number, how, first.weights)
                elif first.box.is_point:
                    heapq.heappop(open_boxes)
                    if self.look_at(first):
                        self.bounds.trace.close(first.number, PLANS, first.weights)
                    else:
                        left.append(first.bound)
                elif first.box.parts is None and first.box.width < NARROWEST:
                    heapq.heappop(open_boxes)
                    left.append(first.bound)
                else:
                    parts = [self.bounds.bounded(replace(first, box=part)) for part in first.box.halves()]
                    heapq.heappop(open_boxes)
                    for part in filter(None, parts):
                        heapq.heappush(open_boxes, part)
        except WithoutBound as stop:
            if stop.plan.status is Status.ERROR:
                return replace(stop.plan, objective=None, bound=None)
        except Stopped:
            pass
        except Refusal:  # a sum that no formulation takes: what was found so far stands, with its bound
            if self.plans.best is None or self.bounds.last is None:
                raise
        left += [one.bound for one in open_boxes]
        for one in open_boxes:
            if not self.plans.may_be_better(one.bound):
                self.bounds.trace.close(one.number, WEIGHTS, one.weights)
        below = [one for one in left if self.plans.may_be_better(one)]
        if self.plans.best is None:
            return self._plan(Status.INFEASIBLE if not below else Status.NO_SOLUTION, min(below, default=None))
        bound = min(below, default=self.plans.best[0])
        return self._plan(Status.OPTIMAL if not below else Status.FEASIBLE, bound)

    def decided(self, asked: OpenBox) -> bool:
        """Return whether no plan is better by what plans cost at least in a box; nothing is asked of wide ones."""
        box = asked.box
        if box.width > max(NARROW, Fraction(2, box.parts or 1)):
            return False
        left = asked if asked.kept is not None else self.bounds.narrowed(asked)
        if left is None:
            return True
        if left.kept is None:
            return False
        try:
            tables = BoxTables.of(self.bounds.problem, box, left.weights, left.kept)
        except Refusal:
            return False
        while True:
            problem = tables.problem(self.plans.bar)
            if problem is None:
                return box.is_point and self.decided_by_waits(tables, box)
            try:
                plan = self.bounds.solve(problem)
            except Refusal:
                return False
            self.bounds.solved += 1
            self.bounds.last = plan
            if plan.status is Status.INFEASIBLE:
                return True
            if plan.strategies is None or plan.status is Status.ERROR:
                return False
            before = self.plans.bar
            self.plans.offer(plan.strategies, box.low)
            if tables.is_exact and plan.bound is not None and not self.plans.may_be_better(plan.bound):
                return True
            if not box.is_point or self.plans.bar == before:
                return False

    def decided_by_waits(self, tables: BoxTables, box: ShareBox) -> bool:
        """Return whether all plans at some shares were told from the best by what is needed before every wait.

        Few plans are sooner looked at one by one.
        """
        if prod(map(len, tables.kept)) <= FEW_PLANS:
            return False
        try:
            return WaitSearch.of(tables, box, self.plans, self.bounds).decided()
        except Refusal:
            return False

    def closed(self, asked: OpenBox) -> bool:
        """Return whether no plan is better in a box of any shares, some of them standing for all others."""
        if asked.box.width > NARROW:
            return False
        left = asked if asked.kept is not None else self.bounds.narrowed(asked)
        if left is None:
            return True
        problem = self.bounds.problem
        kept = problem.compiled.allowed if left.kept is None else left.kept
        by = BoxMaxima if problem.model.barrier.name == "layer" else BoxFront
        try:
            found = by(problem, left.box, kept).plans(left.weights, self.plans.bar, self.bounds.limits)
        except Refusal:
            return False
        for strategies in found:
            self.plans.offer(strategies, left.box.low)
        self.of_fronts += len(found)
        return True

    def look_at(self, asked: OpenBox) -> bool:
        """Look at all words whose weighted sum at some shares is below the best plan; whether none was left out."""
        (shares,) = asked.box.corners
        problem = self.bounds.weighed(shares, asked.weights, asked)
        graph = problem.graph
        try:
            for choices in assignments_below(graph, self.plans.limit(graph), Run("joint-dp", self.bounds.limits)):
                self.looked_at += 1
                self.plans.offer(problem.strategies(choices), shares)
                if self.bounds.limits.over:
                    return False
        except (Refusal, Stopped):
            return False
        return True

    def _plan(self, status: Status, bound: Fraction | None) -> Plan:
        """Return the best plan."""
        if self.bounds.last is None:  # stopped before anything was asked: who is it that would have been
            box = self.bounds.problem.box
            begun = OpenBox(Fraction(0), 0, box, even_weights(*self.plans.entries.shape), None)
            self.bounds.last = self.bounds.solve(self.bounds.weighed(box.low, begun.weights, begun))
        counted = ((self.bounds.boxes, "box of shares", "boxes of shares"), (self.bounds.solved, "sum", "sums"))
        how = ", ".join(f"{number:,} {one if number == 1 else more}" for number, one, more in counted)
        if self.looked_at:
            how += f", {self.looked_at:,} plans one by one by min-marginals"
        if self.of_fronts:
            how += f", {self.of_fronts:,} plan{'s' * (self.of_fronts > 1)} of fronts"
        weight = self.bounds.problem.weight
        plan = replace(
            self.bounds.last,
            status=status,
            native_status=how,
            strategies=None,
            objective=None,
            evidence=self.bounds.trace.evidence if self.bounds.problem.has_boxes else None,
            bound=weight * bound if bound is not None and (bound or status is Status.OPTIMAL) else None,  # 0: the start
            statistics={
                "boxes": self.bounds.boxes,
                "weighted_sums": self.bounds.solved,
                "plans": self.looked_at + self.of_fronts,
            },
        )
        if self.plans.best is None:
            return plan
        time, words, shares = self.plans.best
        plan = self.bounds.problem.complete(replace(plan, objective=weight * time), self.plans.by_layer(words), shares)
        plan = replace(plan, note=self.bounds.problem.note_of(self.plans.by_layer(words), shares))
        fault = self.bounds.problem.fault_of(self.plans.by_layer(words), shares)
        if fault is None and plan.costs[TIME] != time:
            fault = f"the boxes give {plan.costs[TIME]} s, the cost model {time}"
        return plan if fault is None else replace(plan, status=Status.ERROR, native_status=fault, bound=None)

"""Bounds of boxes of shares: weighted sums at their corners, and the words that are left in them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed.near import values_below
from hypar_opt.solver.mixed.plan_pool import CLOSE
from hypar_opt.solver.mixed.weighed import TableProblem, WeighedProblem
from hypar_opt.solver.share_evidence import MEMORY, WEIGHTS
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.cost.mixed.model import Shares, WaitWeights
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.costs import MixedCosts
    from hypar_opt.solver.mixed.plan_pool import PlanPool
    from hypar_opt.solver.mixed.trace import BoxTrace
    from hypar_opt.solver.mixed.weighed import Kept
    from hypar_opt.solver.plan import Plan

ROUNDS: Final = 40
"""Of better weights for one box, at most."""
MOST_PAIRS: Final = 2**21
"""Pairs of words that are left, of all boundaries together, up to which tables take the place of whole words."""


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
class BoxBounds:
    """Weighted sums that were solved.

    Parameters
    ----------
    problem
        Whose objective is the time of a step.
    solve
        Finds the words of the least weighted sum.
    limits
        Of the whole search.
    plans
        Those known; what comes up is added.
    trace
        Notes what becomes of boxes.
    last
        What was found last.
    solved, boxes
        How many sums, and of how many boxes.
    asked
        By shares and weights, the sums of the box that was looked at last: what is compiled of them is used again.
    sums
        By shares, weights and box, the least sum; None where no words fit.
    """

    problem: MixedCosts
    solve: Callable[[WeighedProblem | TableProblem], Plan]
    limits: Limits
    plans: PlanPool
    trace: BoxTrace
    last: Plan | None = None
    solved: int = 0
    boxes: int = 0
    asked: dict[tuple[Shares, WaitWeights], WeighedProblem] = field(default_factory=dict)
    sums: dict[tuple[Shares, WaitWeights, ShareBox], Fraction | None] = field(default_factory=dict)

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
        number = self.boxes
        self.trace.begin(number, asked.number, asked.box)
        self.asked.clear()
        box, best, best_yet = asked.box, asked.bound, asked.weights
        tried: set[WaitWeights] = set()
        for turn in range(ROUNDS):
            weights, reach = self.plans.weights(box)
            hopeless = reach < self.plans.close_to_bar
            if (hopeless and not box.is_point) or (turn and reach <= float(best) * (1 + CLOSE)) or weights in tried:
                best_yet = best_yet if tried else weights
                break
            tried.add(weights)
            corner_sums = [self.least_sum(corner, weights, asked) for corner in box.corners]
            if None in corner_sums:
                self.trace.close(number, MEMORY, weights)
                return None
            bound = min(one for one in corner_sums if one is not None)
            if bound >= best or not turn:
                best, best_yet = max(best, bound), weights
                self.trace.weigh(number, best_yet, best)
            if not self.plans.may_be_better(best):
                self.trace.close(number, WEIGHTS)
                return None
            if self.limits.over:
                break
        found = OpenBox(best, number, box, best_yet, asked.kept)
        left = self.narrowed(found) if tried else found
        if left is None:
            self.trace.close(number, WEIGHTS)
        return left

    def narrowed(self, asked: OpenBox) -> OpenBox | None:
        """Return a box with the words only that may be in a better plan; None without any."""
        if self.plans.best is None:
            return asked
        problems = [self.weighed(corner, asked.weights, asked) for corner in asked.box.corners]
        limits = [self.plans.limit(one.graph) for one in problems]
        try:
            places = values_below([one.graph for one in problems], limits, Run("joint-dp", self.limits))
        except (Refusal, Stopped):
            return asked
        if not all(map(len, places)):
            return None
        before = problems[0].kept
        kept = places if before is None else tuple(own[one] for own, one in zip(before, places, strict=True))
        return replace(asked, kept=kept)

    def weighed(self, shares: Shares, weights: WaitWeights, asked: OpenBox) -> WeighedProblem:
        """Return the weighted sum at some shares: over the words that are left, where these are few."""
        kept = asked.kept
        if kept is not None:
            edges = self.problem.work.boundaries
            pairs = sum(len(kept[edge.producer]) * len(kept[edge.reader]) for edge in edges)
            kept = kept if pairs <= MOST_PAIRS else None
        known = self.asked.get((shares, weights))
        if known is None or known.fits_in != asked.box or known.kept is not kept:
            known = WeighedProblem(self.problem.instance, self.problem.compiled, kept, shares, weights, asked.box)
            self.asked[shares, weights] = known
        return known

    def least_sum(self, shares: Shares, weights: WaitWeights, asked: OpenBox) -> Fraction | None:
        """Return the least weighted sum at some shares, of words that are left and fit somewhere in a box.

        None where there are none.
        """
        problem = self.weighed(shares, weights, asked)
        own = problem.kept is not None or self.plans.has_memory
        key = shares, weights, asked.box if own else self.problem.box
        if key not in self.sums:
            plan = self._solved(problem)
            self.solved += 1
            self.last = plan
            if plan.status is Status.INFEASIBLE:
                self.sums[key] = None
                return None
            if plan.strategies is not None and plan.status is not Status.ERROR:
                self.plans.offer(plan.strategies, shares)
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

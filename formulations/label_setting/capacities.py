"""The least cost under capacities.

Lagrangian bounds: capacities paid for by the unit, and the plans and completions that this gives.

For prices p >= 0 every plan within the capacities costs at least

    min over all assignments of  cost + sum over capacities c of p_c (usage_c - limit_c),

a weighted sum of a label's coordinates. The price of one capacity that makes this largest, the others' given, is the
slope of the line between an assignment that exceeds it and one that does not (the dual method of Handler and Zang,
Networks 10, 1980); whatever price is used, rounded or not, the bound holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, TypeAlias

from formulations.joint_dp.elimination import is_forest
from formulations.label_setting.bounds import AtMost
from formulations.label_setting.clusters import ClusterEnumeration
from formulations.label_setting.enumeration import Enumeration
from formulations.label_setting.forest import Forest, usages_of
from formulations.label_setting.fronts import OVERFULL, KnownPlans, Weighed, usage_bounds
from formulations.label_setting.table import Full
from hypar_opt.formulation.incumbent import Incumbent
from hypar_opt.formulation.run import Run, Stopped
from hypar_opt.formulation.solution import Solution, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formulations.label_setting.bounds import Bound, Completion
    from hypar_opt.costgraph import CostGraph

Facts: TypeAlias = dict[str, int | float | str]


AT_BOUND = "a plan at the Lagrangian bound"


def cheapest(graph: CostGraph, run: Run) -> Solution:
    """Minimise under capacities, by labels of costs and usages.

    Labels above a guess of the optimum are dropped, by a Lagrangian bound; a guess that leaves no plan is a proof that
    the optimum lies above it, and the next one is bolder.

    Parameters
    ----------
    graph
        Some assignment of it is allowed, if the capacities are left out.
    run
        Its limits are kept.

    Returns
    -------
    OPTIMAL or INFEASIBLE, or what is known where a limit is hit.
    """
    problem = Forest.of([graph]) if is_forest(graph) else KnownPlans((graph,), usages_of(graph))
    if any(usage.limit < 0 for usage in problem.usages):
        return Solution(Status.INFEASIBLE, native_status=OVERFULL)
    best, facts = Incumbent.of(graph, run), Facts(labels_made=0, labels_of_a_layer=0)
    prices = CapacityPrices(problem, best, run)
    try:
        run.phase("pricing the capacities")
        within = usage_bounds(problem, prices.completed, run)
        if within is None:
            return Solution(Status.INFEASIBLE, native_status=OVERFULL)
        prices.search()
        if prices.found is not None and prices.bound == best.value:
            return Solution(Status.OPTIMAL, best.choices, best.value, AT_BOUND, statistics=facts)
        run.phase(f"labels of {len(graph.variables)} layers")
        _enumerate(prices, within, best, run, facts)
    except Stopped as stopped:
        return _unfinished(prices, best, isinstance(stopped, Full), facts)
    if best.choices is None:
        return Solution(Status.INFEASIBLE, native_status="no label is within what is allowed", statistics=facts)
    return Solution(Status.OPTIMAL, best.choices, best.value, "all labels seen", statistics=facts)


def _enumerate(prices: CapacityPrices, within: Sequence[AtMost], best: Incumbent, run: Run, facts: Facts) -> None:
    """Offer the best plan, unless there is none."""
    shares = FOREST if isinstance(prices.problem, Forest) else CLUSTERS
    for most in _guesses(prices.bound, best.value, prices.problem.graphs[0].upper, *shares):
        enumeration = prices.labels([*within, *prices.cut(most)])
        try:
            points = enumeration.run()
        finally:
            facts["labels_made"] = int(facts["labels_made"]) + enumeration.room.made
            facts["labels_of_a_layer"] = max(int(facts["labels_of_a_layer"]), enumeration.room.most)
        if points:
            best.offer(points[0][1])
        # a plan above the guess may be found, for the bound looks at what it leaves of the capacities too
        if best.value is not None and best.value <= most:
            return
        prices.raise_to(most + 1)


FOREST, CLUSTERS = (64, 4), (1024, 8)
"""As which share of what lies between bound and plan the first guess begins, and how much bolder the next one is: where
labels are by the values of several variables, too many of them take longer than a guess in vain."""


def _guesses(bound: int, value: int | None, upper: int, share: int, bolder: int) -> Iterator[int]:
    """Yield numbers, rising fast, the last of which no optimum exceeds."""
    top = upper if value is None else value
    step = (bound // (4 * share) if value is None else (value - bound) // share) + 1
    while bound + step < top:
        yield bound + step
        step *= bolder
    yield top


def _unfinished(prices: CapacityPrices, best: Incumbent, full: bool, facts: Facts) -> Solution:
    """Return what is known at a limit."""
    said = "the labels exceed the memory limit" if full else "stopped before the last layer"
    bound = prices.bound if prices.found is not None else None
    if bound is not None and bound == best.value:
        return Solution(Status.OPTIMAL, best.choices, bound, AT_BOUND, statistics=facts)
    status = Status.NO_SOLUTION if best.choices is None else Status.FEASIBLE
    return Solution(status, best.choices, bound, said, statistics=facts)


TRIALS = 16
"""Prices that are tried for one capacity in a row."""
DIGITS = 10
"""Binary digits that a price is rounded to."""


@dataclass
class CapacityPrices:
    """The search for prices.

    Parameters
    ----------
    problem
        Of one criterion.
    best
        The best plan so far.
    run
        Its limits.
    found
        What gave the best bound.
    bound
        The best lower bound of a plan's cost.
    """

    problem: Forest | KnownPlans
    best: Incumbent
    run: Run
    found: Weighed | None = None
    bound: int = 0
    _now: dict[int, Fraction] = field(default_factory=dict)

    def completed(self, weighed: Weighed, run: Run) -> Completion:
        """Return the least that completes a label, as the labels are told apart."""
        if isinstance(self.problem, Forest):
            return weighed.completion(run)
        return weighed.completion_of_clusters(run)

    def labels(self, bounds: Sequence[Bound]) -> Enumeration | ClusterEnumeration:
        """Begin to label, with tests that every label has to pass."""
        if isinstance(self.problem, Forest):
            return Enumeration.of(self.problem, bounds, self.run)
        return ClusterEnumeration.of(self.problem.graphs, bounds, self.run)

    def search(self) -> None:
        """Find the price of each capacity in turn, twice where there are several."""
        count = len(self.problem.usages)
        for _ in range(min(2, count)):
            for c in range(count):
                self._now[c] = self._price(c)
        self.run.bound(self.bound)

    def raise_to(self, bound: int) -> None:
        """Take note of a better lower bound."""
        self.bound = max(self.bound, bound)
        self.run.bound(self.bound)

    def cut(self, most: int) -> list[AtMost]:
        """Return the test of labels that no plan of at most such a cost fails."""
        if self.found is None:
            return []
        den, *prices = self.found.weights
        paid = sum(price * usage.limit for price, usage in zip(prices, self.problem.usages, strict=True))
        return [AtMost(self.completed(self.found, self.run), den * most + paid)]

    def _price(self, c: int) -> Fraction:
        """Close in on the price of one capacity."""
        limit = self.problem.usages[c].limit
        over = self._at(c, Fraction(0))
        if self._line(over, c)[1] <= limit:
            return Fraction(0)
        within = self._weighed((0, *(int(i == c) for i in range(len(self.problem.usages)))))
        price = Fraction(0)
        for _ in range(TRIALS):
            (high, much), (low, little) = self._line(within, c), self._line(over, c)
            price = _rounded(max(Fraction(0), (high - low) / (little - much)))
            found = self._at(c, price)
            cost, use = self._line(found, c)
            if cost + price * use >= min(high + price * much, low + price * little):
                break
            over, within = (found, within) if use > limit else (over, found)
        return price

    def _at(self, c: int, price: Fraction) -> tuple[int, ...]:
        """Return an assignment that is best at the present prices but one; keep the bound."""
        prices = [price if i == c else self._now.get(i, Fraction(0)) for i in range(len(self.problem.usages))]
        den = max(one.denominator for one in prices)
        return self._weighed((den, *(int(one * den) for one in prices)))

    def _weighed(self, weights: tuple[int, ...]) -> tuple[int, ...]:
        found = Weighed.of(self.problem, weights, self.run)
        if found is None:
            raise ValueError("no assignment is allowed")
        self.best.offer(found.solved.choices)
        den, *prices = weights
        if den:
            paid = sum(price * usage.limit for price, usage in zip(prices, self.problem.usages, strict=True))
            bound = ceil(Fraction(found.solved.value - paid, den))
            if self.found is None or bound > self.bound:
                self.found, self.bound = found, bound
        return found.solved.choices

    def _line(self, choices: tuple[int, ...], c: int) -> tuple[Fraction, int]:
        """Return what an assignment costs at the other capacities' prices, and what it uses of one."""
        used = [usage.used(choices) for usage in self.problem.usages]
        paid = (self._now.get(i, Fraction(0)) * use for i, use in enumerate(used) if i != c)
        return self.problem.graphs[0].value(choices) + sum(paid, start=Fraction(0)), used[c]


def _rounded(price: Fraction) -> Fraction:
    """Return a price of so many binary digits, with a power of two as denominator."""
    if not price:
        return price
    size = price.numerator.bit_length() - price.denominator.bit_length()
    scale = 2 ** max(0, DIGITS - size)
    return Fraction(round(price * scale), scale)

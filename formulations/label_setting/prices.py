"""Lagrangian bounds: capacities paid for by the unit, and the plans and completions that this gives.

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
from typing import TYPE_CHECKING

from formulations.label_setting.bounds import AtMost
from formulations.label_setting.supported import Weighed

if TYPE_CHECKING:
    from formulations.label_setting.forest import Forest
    from hypar_opt.formulation.incumbent import Incumbent
    from hypar_opt.formulation.run import Run

TRIALS = 16
"""Prices that are tried for one capacity in a row."""
DIGITS = 10
"""Binary digits that a price is rounded to."""


@dataclass
class CapacityPrices:
    """The search for prices.

    Parameters
    ----------
    forest
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

    forest: Forest
    best: Incumbent
    run: Run
    found: Weighed | None = None
    bound: int = 0
    _now: dict[int, Fraction] = field(default_factory=dict)

    def search(self) -> None:
        """Find the price of each capacity in turn, twice where there are several."""
        count = len(self.forest.usages)
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
        paid = sum(price * usage.limit for price, usage in zip(prices, self.forest.usages, strict=True))
        return [AtMost(self.found.completion(self.run), den * most + paid)]

    def _price(self, c: int) -> Fraction:
        """Close in on the price of one capacity."""
        limit = self.forest.usages[c].limit
        over = self._at(c, Fraction(0))
        if self._line(over, c)[1] <= limit:
            return Fraction(0)
        within = self._weighed((0, *(int(i == c) for i in range(len(self.forest.usages)))))
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
        prices = [price if i == c else self._now.get(i, Fraction(0)) for i in range(len(self.forest.usages))]
        den = max(one.denominator for one in prices)
        return self._weighed((den, *(int(one * den) for one in prices)))

    def _weighed(self, weights: tuple[int, ...]) -> tuple[int, ...]:
        found = Weighed.of(self.forest, weights, self.run)
        if found is None:
            raise ValueError("no assignment is allowed")
        self.best.offer(found.choices)
        den, *prices = weights
        if den:
            paid = sum(price * usage.limit for price, usage in zip(prices, self.forest.usages, strict=True))
            bound = ceil(Fraction(found.value - paid, den))
            if self.found is None or bound > self.bound:
                self.found, self.bound = found, bound
        return found.choices

    def _line(self, choices: tuple[int, ...], c: int) -> tuple[Fraction, int]:
        """Return what an assignment costs at the other capacities' prices, and what it uses of one."""
        used = [
            sum(int(own[choice]) for own, choice in zip(usage.own, choices, strict=True))
            for usage in self.forest.usages
        ]
        paid = (self._now.get(i, Fraction(0)) * use for i, use in enumerate(used) if i != c)
        return self.forest.graphs[0].value(choices) + sum(paid, start=Fraction(0)), used[c]


def _rounded(price: Fraction) -> Fraction:
    """Return a price of so many binary digits, with a power of two as denominator."""
    if not price:
        return price
    size = price.numerator.bit_length() - price.denominator.bit_length()
    scale = 2 ** max(0, DIGITS - size)
    return Fraction(round(price * scale), scale)

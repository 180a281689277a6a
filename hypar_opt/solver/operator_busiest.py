"""Where devices stand if the busiest links' time counts, which is no sum over pairs: exchanged two by two, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, permutations
from math import factorial, lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.evaluation.operators.exchanges import exchanges
from hypar_opt.instance.objective.components import PLACED
from hypar_opt.solver.operator_placement import machine_of, parts_of
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.cost.crossings import Crossings
    from hypar_opt.cost.links import Charge
    from hypar_opt.costgraph import Array
    from hypar_opt.formulation.run import Limits
    from hypar_opt.solver.operator_standing import StandingOperators

MOST_TRIED: Final = factorial(6)
"""Placements that are all tried, where there are no more."""
EXACT: Final = 2**53
"""Integers whose sums are below it are exact in floating point."""


@dataclass(frozen=True, eq=False)
class BusiestLinks:
    """What placements of given words cost, the time of the busiest links among it.

    Parameters
    ----------
    problem
        Whose placement is to be decided.
    strategies
        A plan of it.
    """

    problem: StandingOperators
    strategies: Mapping[str, str]

    @cached_property
    def _charge(self) -> Charge:
        weights = parts_of(self.problem)
        return charge_of(machine_of(self.problem), {name: one for name, one in weights.items() if name in PLACED})

    @cached_property
    def _routes(self) -> Crossings:
        return every_route(machine_of(self.problem))

    @cached_property
    def _exchanges(self) -> Sequence[tuple[Array, Array, Fraction]]:
        """Givers and takers, what each gets in whole numbers, and how many bytes one of these numbers is in all.

        Exchanges that are alike but for their sizes are one: they follow one another.
        """
        one = self.problem.instance
        found: dict[object, tuple[Array, Array, Fraction]] = {}
        for exchange in exchanges(one.graph, one.partition, self.problem.plan_of(self.strategies)):
            first = exchange.ways[0][1]
            pattern = tuple((way, size / first) for way, size in exchange.ways)
            scale = lcm(*(size.denominator for _, size in pattern))
            if pattern not in found:
                gotten = [(pair, int(size * scale)) for way, size in pattern for pair in way.pairs(one.partition)]
                pairs, sizes = np.array([pair for pair, _ in gotten]), np.array([size for _, size in gotten])
                found[pattern] = pairs, sizes, Fraction(0)
            pairs, sizes, amount = found[pattern]
            found[pattern] = pairs, sizes, amount + first / scale
        return tuple(found.values())

    @cached_property
    def constant(self) -> Fraction:
        """What the words cost wherever devices stand."""
        known = self.problem.in_order.costs(self.problem.plan_of(self.strategies))
        weights = parts_of(self.problem)
        return sum((one * known[name] for name, one in weights.items() if name not in PLACED), start=Fraction(0))

    def value(self, sites: Sequence[int]) -> Fraction:
        """Return what a placement costs: by device the position of its accelerator."""
        routes, charge, at = self._routes, self._charge, np.array(sites)
        total, every = Fraction(0), len(machine_of(self.problem).accelerators)
        for pairs, sizes, amount in self._exchanges:
            rows = at[pairs[:, 0]] * every + at[pairs[:, 1]]
            begin, lengths = routes.starts[rows], routes.starts[rows + 1] - routes.starts[rows]
            entries = np.repeat(begin - np.cumsum(lengths) + lengths, lengths) + np.arange(int(lengths.sum()))
            crossed = routes.shares[entries].astype(float) * np.repeat(sizes, lengths)
            loads = np.bincount(routes.links[entries], weights=crossed, minlength=len(charge.added))
            if loads.sum() >= EXACT:
                raise Refusal("what crosses these links is too much to be weighed; give one: --placement identity")
            cost = sum(price * int(loads[links].sum()) for price, links in _kinds(charge.added))
            assert charge.slowness is not None  # time counts
            cost += max(price * int(loads[links].max()) for price, links in _kinds(charge.slowness))
            total += amount * Fraction(cost, charge.common * routes.parts)
        return total + self.constant

    def best(self, beginnings: Iterable[Sequence[int]], limits: Limits) -> tuple[tuple[int, ...], Fraction, bool]:
        """Return the best placement that is found, what it costs, and whether all have been tried.

        Parameters
        ----------
        beginnings
            Placements, from each of which devices are exchanged two by two while that gains.
        limits
            When to end with what is found.
        """
        count = self.problem.instance.devices
        if factorial(count) <= MOST_TRIED:
            value, sites = min((self.value(sites), sites) for sites in permutations(range(count)))
            return sites, value, True
        value, sites = min(self._settled(begin, limits) for begin in beginnings)
        return sites, value, False

    def _settled(self, begin: Sequence[int], limits: Limits) -> tuple[Fraction, tuple[int, ...]]:
        """Return a placement from which no exchange of two devices gains, unless limits came first."""
        sites, least, before = list(begin), self.value(begin), None
        while before != least:
            before = least
            for one, other in combinations(range(len(sites)), 2):
                if limits.over:
                    return least, tuple(sites)
                sites[one], sites[other] = sites[other], sites[one]
                value = self.value(sites)
                if value < least:
                    least = value
                else:
                    sites[one], sites[other] = sites[other], sites[one]
        return least, tuple(sites)


def _kinds(prices: Array) -> Iterator[tuple[int, Array]]:
    """Yield what a byte costs, and the links where it does."""
    for price in set(prices.tolist()):
        yield price, prices == price

"""Plans and a bound where it is decided which blocks run once more, by passes of a dynamic programme.

Under a price of what is in the memory at one moment of the step, and one of every block that runs once more, the
cheapest plan is found in one pass (`joint-dp`, equal blocks folded). Its value bounds what plans cost that fit at this
moment, as far as variables say by themselves: a relaxation of what plans have to, that is to fit at every moment. A
bound of all plans alone leaves open what a part of a block could save; so it is one of every number of blocks that may
run once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.formulation.solution import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.cost.operators.domains import Domain
    from hypar_opt.cost.operators.memory import Occupancy
    from hypar_opt.costgraph import Array

PASS: Final = "joint-dp"
"""Finds the best plan where nothing limits what plans keep."""
COST: Final = "cost"
BITS: Final = 40
"""Of a price behind the point."""
ROOM: Final = 55
"""Bits of the largest cost in a pass; they are rounded down to units in which it is less."""
SPACE: Final = 5
"""Bits that are left free where costs are small, and made larger so that small prices count."""
SPARE: Final = 1
"""Bits by which that is more than all plans' costs where nothing else is known."""


@dataclass(frozen=True)
class PricedBlocks:
    """What a pass finds.

    Parameters
    ----------
    least
        No plan costs less with its prices, in the graph's units.
    choices
        The cheapest plan.
    """

    least: Fraction
    choices: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class DecidedBlocks:
    """A graph in which it is decided of blocks whether they run once more.

    Parameters
    ----------
    graph
        What is decided.
    domains
        What its values are.
    decisions
        By name of what says of a block whether it runs once more, what that decision is called.
    occupancy
        What is in the memory when.
    limits
        When to stop.
    """

    graph: CostGraph
    domains: Sequence[Domain]
    decisions: Mapping[str, str]
    occupancy: Occupancy
    limits: Limits
    _made: dict[tuple[object, ...], Array] = field(default_factory=dict, repr=False)

    @cached_property
    def speakers(self) -> Mapping[str, int]:
        """By decision that is open, the first variable that says it."""
        found: dict[str, int] = {}
        for place, one in enumerate(self.domains):
            if one.name in self.decisions and len({value.again for value in one.values}) > 1:
                found.setdefault(self.decisions[one.name], place)
        return found

    def count(self, choices: Sequence[int]) -> int:
        """Return how many blocks run once more of those that need not."""
        return sum(self.domains[place].values[choices[place]].again for place in self.speakers.values())

    def value(self, choices: Sequence[int]) -> int:
        """Return what a plan costs."""
        return self.graph.value(choices)

    def taken(self, choices: Sequence[int]) -> int:
        """Return what a plan takes at the moment that is priced, as far as single variables say."""
        return sum(int(usage[choices[place]]) for place, usage in self.usages.items())

    @cached_property
    def free(self) -> PricedBlocks | None:
        """The best plan of those that nothing limits; None where that is not found."""
        return self.cheapest(Fraction(0))

    @cached_property
    def moment(self) -> int:
        """The moment of the step at which that takes most, which all prices are of; without one, the turn."""
        if self.free is None:
            return self.occupancy.moments.turn
        used = self.occupancy.used(self.free.choices)
        return max(range(len(used)), key=used.__getitem__)

    @cached_property
    def usages(self) -> Mapping[int, Array]:
        """By variable, what its values take then at the least, whatever the others are."""
        row = self.occupancy.relaxed(self.moment)
        return {place: self._once(("used", id(one)), partial(one.dense, object)) for place, one in row.usages.items()}

    @property
    def limit(self) -> int:
        """What there is."""
        return self.occupancy.limit

    def fits(self, choices: Sequence[int]) -> bool:
        """Return whether a plan is allowed, and takes no more than there is at any moment."""
        return self.graph.feasible(choices) and max(self.occupancy.used(choices)) <= self.limit

    def cheapest(
        self,
        price: Fraction,
        more: Fraction = Fraction(0),
        again: frozenset[str] | None = None,
        *,
        most: int | None = None,
    ) -> PricedBlocks | None:
        """Return the plan that costs least with its prices; None where that is not found.

        Parameters
        ----------
        price
            Of what is in the memory at one moment, `moment`; a multiple of 2^-`BITS`.
        more
            Of each block that runs once more; below 0 of each that does not; whole.
        again
            The decisions that are yes, all others being no; None where they are open.
        most
            What a plan that is asked for costs less than: larger costs are taken to be so large.
        """
        usages = self.usages if price else {}
        if most is None:
            kept = sum(int(max(usage)) for usage in usages.values())
            most = 2**SPARE * (self.graph.upper + int(2 * price * kept) + int(abs(more) * len(self.speakers)))
        bits = most.bit_length()
        shift = max(0, bits - ROOM) - min(BITS, max(0, ROOM - SPACE - bits))
        paid, bonus = (int(one * 2**BITS) for one in (price, abs(more)))
        left = [self._left(place, again) for place in range(len(self.domains))]
        speakers = frozenset(self.speakers.values()) if bonus else frozenset()
        shared: dict[tuple[object, ...], Mapping[str, TableUnary]] = {}

        def unary(place: int) -> Mapping[str, TableUnary]:
            cost, usage = self.graph.unary_costs[place], usages.get(place)
            key = id(cost), id(usage), id(left[place]), place in speakers
            if key not in shared:
                values = cost.dense(object) << BITS
                values = values if usage is None else values + paid * usage
                if place in speakers:
                    flags = np.array([one.again == (more > 0) for one in self.domains[place].values])
                    values = values + bonus * flags.astype(object)
                table = np.minimum(values[left[place]], most << BITS) >> (BITS + shift)
                shared[key] = {COST: TableUnary(table.astype(np.int64))}
            return shared[key]

        edge = self._edges(left, most, shift)
        part = CostGraph(
            tuple(Variable(one.name, len(stay)) for one, stay in zip(self.graph.variables, left, strict=True)),
            tuple(unary(place) for place in range(len(left))),
            tuple(edge(*pair) for pair in self.graph.edge_costs),
            Objective({COST: Fraction(1)}),
            repeats=self.graph.repeats,
        )
        formulation, run = load_formulation(PASS), Run(PASS, self.limits)
        if formulation.accepts(part, run) is not None:
            return None
        found = formulation.solve(part, run)
        if found.status is not Status.OPTIMAL or found.choices is None or found.bound is None:
            return None
        least = int(found.bound) * Fraction(2) ** shift
        if more < 0:
            least -= Fraction(bonus, 2**BITS) * len(self.speakers)
        return PricedBlocks(least, tuple(int(stay[choice]) for stay, choice in zip(left, found.choices, strict=True)))

    def _once(self, key: tuple[object, ...], make: Callable[[], Array]) -> Array:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _left(self, place: int, again: frozenset[str] | None) -> Array:
        """Return which values are left: of one decision where there are two and they are given."""
        domain = self.domains[place]
        flags = [one.again for one in domain.values]
        said = None if again is None or len(set(flags)) == 1 else self.decisions[domain.name] in again
        return self._once(
            ("left", id(domain.values), said), lambda: np.flatnonzero([said in (None, one) for one in flags])
        )

    def _edges(self, left: Sequence[Array], most: int, shift: int) -> Callable[[int, int], Edge]:
        """Return what makes an edge of the values that are left, its costs in other units."""

        def scaled(values: Array) -> Array:
            found: Array = (values >> shift if shift >= 0 else values << -shift).astype(np.int64)
            return found

        def edge(first: int, second: int) -> Edge:
            cost = self.graph.edge_costs[first, second]  # what is barred costs more than all plans
            stay = left[first], left[second]
            key = ("edge", id(cost), *map(id, stay), most, shift)
            table = self._once(key, lambda: scaled(np.minimum(cost.dense(object)[np.ix_(*stay)], most)))
            made = self._tables.setdefault(id(table), {COST: TableEdge(table)})
            return Edge(first, second, made)

        return edge

    @cached_property
    def _tables(self) -> dict[int, Mapping[str, TableEdge]]:
        """Tables as costs, the same for the same table."""
        return {}

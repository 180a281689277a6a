"""Plans at some shares by what groups need before every wait: boxes of that, between a least and a most.

Where groups wait several times, a step is a sum of maxima. A plan of a box keeps every class below the most before
every wait, and takes at least the sum of the least. A box that no words fit into is left out, and one that may hold a
better plan is cut in two at what its best plan needs, until the least of what is left is no better than the best plan.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from hypar_opt.formulation.run import Stopped
from hypar_opt.formulation.solution import Status
from hypar_opt.solver.mixed.tables import graph_below, least_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.mixed.model import WaitWeights
    from hypar_opt.solver.mixed.box import ShareBox
    from hypar_opt.solver.mixed.box_bounds import BoxBounds
    from hypar_opt.solver.mixed.box_tables import BoxTables
    from hypar_opt.solver.mixed.plan_pool import PlanPool
    from hypar_opt.solver.mixed.tables import ClassTables
    from hypar_opt.solver.plan import Plan


class WaitBox(NamedTuple):
    """What classes may need, in units of the tables; the least sum first, then the number of the box.

    Parameters
    ----------
    bound, number
        The sum of the least, and which box it is.
    low, high
        By wait.
    """

    bound: int
    number: int
    low: tuple[int, ...]
    high: tuple[int, ...]


@dataclass
class WaitSearch:
    """A search over such boxes.

    Parameters
    ----------
    tables
        What words are left, and the memories.
    box
        The shares.
    waits
        By wait, the tables of every class.
    weights
        Of a weighted sum that bounds.
    plans, bounds
        Of the search over shares.
    boxes
        How many there were.
    """

    tables: BoxTables
    box: ShareBox
    waits: Sequence[Sequence[ClassTables]]
    weights: WaitWeights
    plans: PlanPool
    bounds: BoxBounds
    boxes: int = 0

    @classmethod
    def of(cls, tables: BoxTables, box: ShareBox, plans: PlanPool, bounds: BoxBounds) -> WaitSearch:
        """Return the search that begins, among the words of some tables."""
        compiled, classes = tables.whole.compiled, len(tables.classes)
        count = len(tables.weights)
        flat = least_tables(
            lambda shares, place: compiled.wait_graph(shares, place // classes, place % classes),
            box,
            classes * count,
            tables.kept,
        )
        waits = [flat[wait * classes : (wait + 1) * classes] for wait in range(count)]
        return cls(tables, box, waits, tables.weights, plans, bounds)

    @property
    def unit(self) -> int:
        """Of the tables, one over so many seconds."""
        return self.waits[0][0].unit

    @property
    def most(self) -> int | None:
        """What a better step comes to at most."""
        return None if self.plans.bar is None else ceil(self.plans.bar * self.unit) - 1

    def decided(self) -> bool:
        """Search, and return whether no better plan than the best that is then known is left.

        Raises
        ------
        Stopped
            If the limits are over.
        """
        if self.most is None:
            return False
        low = tuple(self._least(wait) for wait in range(len(self.waits)))
        waiting = [WaitBox(sum(low), 0, low, (self.most,) * len(low))]
        while waiting:
            here = self._cut(heapq.heappop(waiting))
            if here is None:
                continue
            if self.bounds.limits.over:
                raise Stopped
            plan = self._solved(here)
            if plan.status is Status.INFEASIBLE:
                continue
            if plan.strategies is None or plan.status is Status.ERROR or plan.bound is None:
                return False
            self.plans.offer(plan.strategies, self.box.low)
            if not self.plans.may_be_better(plan.bound):
                continue
            for part in self._parts(here, plan):
                heapq.heappush(waiting, part)
        return True

    def _cut(self, box: WaitBox) -> WaitBox | None:
        """Return a box as far as a better plan may be in it; None where there can be none."""
        assert self.most is not None  # there is a plan since the search began
        room = self.most - box.bound
        if room < 0:
            return None
        return box._replace(high=tuple(min(up, least + room) for least, up in zip(box.low, box.high, strict=True)))

    def _parts(self, box: WaitBox, plan: Plan) -> list[WaitBox]:
        """Return a box in two, without the plan that was found in it: cut at what that needs most above the least."""
        assert plan.strategies is not None  # it was found
        taken = self.plans.known[tuple(plan.strategies.values())].at(self.box.low)
        most = [int(max(row) * self.unit) for row in taken]
        above = [top - least for top, least in zip(most, box.low, strict=True)]
        wait = above.index(max(above))
        if not above[wait]:  # no plan in it takes less
            return []
        self.boxes += 2
        upper = (*box.low[:wait], most[wait], *box.low[wait + 1 :])
        return [
            box._replace(number=self.boxes - 1, high=(*box.high[:wait], most[wait] - 1, *box.high[wait + 1 :])),
            WaitBox(sum(upper), self.boxes, upper, box.high),
        ]

    def _least(self, wait: int) -> int:
        """Return what some class needs at least before a wait."""
        none = (Fraction(0),) * len(self.waits[wait])
        plan = self._asked(tuple(row if at == wait else none for at, row in enumerate(self.weights)), None)
        return 0 if plan.bound is None else ceil(plan.bound * self.unit)

    def _solved(self, box: WaitBox) -> Plan:
        return self._asked(self.weights, [high for high in box.high for _ in self.tables.classes])

    def _asked(self, weights: WaitWeights, limits: Sequence[int] | None) -> Plan:
        """Return the words of the least weighted sum that keep within limits by wait and class."""
        flat = [one for row in self.waits for one in row]
        made = graph_below(flat, self.tables.graph, [weight for row in weights for weight in row], limits)
        plan = self.bounds.solve(self.tables.problem_of(made))
        self.bounds.solved += 1
        return plan

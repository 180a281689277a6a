"""The tree: subproblems that may have something better, the one of the least bound next."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from formulations.lagrangian.dual import Dual
from formulations.lagrangian.passing import penalised
from formulations.lagrangian.search_tree.loops import Leeway
from formulations.lagrangian.search_tree.splits import halves, splits
from formulations.lagrangian.search_tree.subproblem import Subproblem
from hypar_opt.costgraph import FORBIDDEN
from hypar_opt.costgraph.memory import least_of
from hypar_opt.costgraph.presolve.capacity_tightening import forbid_crowded
from hypar_opt.costgraph.presolve.reduction import NoPlan, NoValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from formulations.lagrangian.search import AnnealingSearch, Schedule
    from hypar_opt.formulation.run import Limits

STEP: Final = 0.05
"""Of prices at first, relative: a half's are not far from the whole's."""
AGAIN, ROUNDS = 0.95, 3
"""Where fewer than this share of its values is left, a subproblem ascends once more; so often at most."""
HARDLY: Final = 0.01
"""Of its gap: nothing has come of a division whose parts' least bound has risen by less."""
SHALLOW: Final = 0.25
"""The share of the memory that open subproblems may take before the deepest is next, so that they become no more."""


class BranchSearch:
    """The tree, and what is open of it.

    Parameters
    ----------
    dual
        That it begins with.
    search
        Of the same thread: it has the plan, the bounds and the limits.
    """

    trial: ClassVar[int] = 8
    passes: ClassVar[int] = 40
    """Of a part that is tried, and of one that is kept."""
    begun: ClassVar[int] = 40
    """Of the root, which has ascended before."""
    narrow: ClassVar[float] = 1.0
    """Values are left out where so few are left, of all."""
    patience: ClassVar[float] = math.inf
    """Divisions one after the other of which nothing comes, after which there are no more."""
    copies: ClassVar[int] = 4
    """Of a subproblem, that are kept at once while it is divided."""
    enough: ClassVar[float] = math.inf
    """What a division is worth of which no other one is tried."""

    def __init__(self, dual: Dual, search: AnnealingSearch) -> None:
        self.dual, self._thread, self.tables = dual, search, dual.tables
        self.incumbent, self.bounds = search.incumbent, search.bounds
        self.open: list[Subproblem] | None = None
        self.branched = self.ascents = 0
        self.promising = False
        """Whether it divides, and its last trial was worth as much as `enough`."""

    @property
    def limits(self) -> Limits:
        """Of its thread."""
        return self._thread.limits

    @property
    def limit(self) -> int:
        """What a better plan costs less than; without one, what every allowed assignment does."""
        value = self.incumbent.value
        return self.bounds.most + 1 if value is None else value

    @property
    def exhausted(self) -> bool:
        """Whether there is nothing better than the best plan, whoever found that since."""
        return self.open is not None and all(one.bound >= self.limit for one in self.open)

    @property
    def met(self) -> bool:
        """Whether there is a proof."""
        return self.exhausted or self._thread.met

    @property
    def bound(self) -> int:
        """What no plan costs less than."""
        least = (
            min((one.bound for one in self.open), default=self.limit) if self.open is not None else self.bounds.value
        )
        return max(self.bounds.value, min(least, self.limit))

    @property
    def facts(self) -> dict[str, int]:
        """For the statistics."""
        return {"divisions": self.branched, "ascents": self.ascents, "open": len(self.open or ())}

    def search(self, pace: Schedule) -> None:
        """Divide until nothing is open, or time is up or memory full, or nothing comes of it."""
        root, fruitless = self._settled(self._root(), self.begun), 0
        self.open = [] if root is None else [root]
        while self.open and fruitless < self.patience and not self.limits.over and pace.elapsed < 1.0:
            self.incumbent.ask()
            self.open = [one for one in self.open if one.bound < self.limit]
            if not self.open:
                break
            self.bounds.tell(self.bound)
            node = self._next()
            if self._taken + self.copies * node.taken > self.limits.memory_bytes:
                break
            below = self._divided(node)
            self.open.remove(node)
            self.open += below
            risen = min((one.bound for one in below), default=self.limit) - node.bound
            fruitless = 0 if risen >= HARDLY * (self.limit - node.bound) else fruitless + 1
        self.promising = False
        if self.exhausted and self.incumbent.value is None:
            self.bounds.refute(f"nothing is open after {self.branched} divisions")
        else:
            self.bounds.tell(self.bound)  # whatever comes then begins with it

    def _root(self) -> Subproblem:
        dual = self.dual
        everything = np.arange(len(self.tables.unary))
        average = dual.average.astype(np.float64)
        return Subproblem(self.tables, everything, *dual.best, average, self.bounds.value, shares=dual.shares)

    @property
    def _taken(self) -> int:
        return sum(one.taken for one in self.open or ())

    def _next(self) -> Subproblem:
        nodes = self.open or []
        deep = self._taken > SHALLOW * self.limits.memory_bytes
        return max(nodes, key=lambda one: one.depth) if deep else min(nodes, key=lambda one: one.bound)

    def _divided(self, node: Subproblem) -> list[Subproblem]:
        """Return what of a subproblem may have something better, in parts."""
        self.branched += 1
        best: tuple[float, list[Subproblem]] | None = None
        for division in self._divisions(node):
            tried = [self._settled(part, self.trial) for part in division]
            left = [one for one in tried if one is not None]
            worth = self._worth(node, len(tried), left)
            if best is None or worth > best[0]:
                best = worth, left
            if worth >= self.enough or self.limits.over:
                break
        self.promising = best is not None and best[0] >= self.enough
        kept = [] if best is None else best[1]
        return [one for one in (self._settled(part, self.passes) for part in kept) if one is not None]

    def _divisions(self, node: Subproblem) -> Iterator[Iterable[Subproblem]]:
        """Yield divisions that are worth a trial, the most promising one first."""
        for mask in splits(node, float(self.limit - node.bound)):
            yield halves(node, mask)

    def _worth(self, node: Subproblem, parts: int, left: list[Subproblem]) -> float:
        """Return how good a division is, of which so many parts may have something better."""
        return math.inf if len(left) < parts else math.prod(max(one.bound - node.bound, 1e-3) for one in left)

    def _settled(self, sub: Subproblem, passes: int) -> Subproblem | None:
        """Ascend, and leave out what is not better than the best plan; None where nothing is left.

        Once the run is over what there is stays as it is: a few passes over the largest tables take seconds.
        """
        for _ in range(ROUNDS):
            if self.limits.over:
                break
            fitting = self._fitting(sub)
            if fitting is None:
                return None
            sub = fitting
            dual = self._ascended(sub, passes)
            found = Leeway.of(sub.tables, dual.duals())
            kept = found.within(self.limit - 1)
            if not np.logical_or.reduceat(kept, sub.tables.starts[:-1]).all():
                return None
            sub, left = self._after(sub, dual, found), int(kept.sum())
            if left > self.narrow * len(kept) and left > self.tables.count:
                break
            sub = sub.among(kept)
            if left >= AGAIN * len(kept):
                break
        if len(sub.values) == self.tables.count:  # nothing is left to divide: it is the best plan by now, or none
            self.incumbent.offer(sub.choices(np.zeros(self.tables.count, dtype=np.int64), self.tables.starts))
            return None
        return sub

    def _after(self, sub: Subproblem, dual: Dual, found: Leeway) -> Subproblem:
        messages, prices = dual.best
        bound, excess = max(sub.bound, math.ceil(found.bound)), found.stars / 2**found.scale
        return replace(
            sub,
            messages=messages,
            prices=prices,
            average=dual.average,
            bound=bound,
            excess=excess,
            shares=dual.shares,
        )

    def _fitting(self, sub: Subproblem) -> Subproblem | None:
        """Leave out what can't fit beside the least of the others, until all can."""
        while not self.limits.over:
            try:
                made = forbid_crowded(sub.tables)
            except (NoPlan, NoValue):
                return None
            if made is None:
                return sub
            allowed = made[0].unary < FORBIDDEN
            if not np.logical_or.reduceat(allowed, sub.tables.starts[:-1]).all():
                return None
            sub = sub.among(allowed)
        return sub

    def _ascended(self, sub: Subproblem, passes: int) -> Dual:
        """Return the dual after some passes from the messages and prices of a subproblem; offer plans of the way."""
        self.ascents += 1
        memory, dual = sub.tables.memory, self._dual_of(sub)
        most = -least_of(-memory.usages, memory.starts)
        idle = memory.summed(most) <= memory.room
        dual.prices[idle] = 0.0
        for _ in range(passes):
            if (dual.advance() <= memory.room).all():
                self.incumbent.offer(sub.choices(dual.choices, self.tables.starts))
            dual.prices[idle] = 0.0
            if dual.bound + sub.tables.constant > self.limit - 1 or self.limits.over:
                break
        return dual

    def _dual_of(self, sub: Subproblem) -> Dual:
        """Return the dual that goes on from the messages and prices of a subproblem."""
        dual = Dual(sub.tables, penalised(sub.tables))
        dual.resume(sub.messages, sub.prices, sub.average, STEP)
        return dual

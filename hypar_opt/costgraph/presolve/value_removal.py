"""Values taken away from variables: what the step is for all reasons to do so, and how its bound is lifted.

Values that nothing allows go: forbidden themselves, or with every value of a neighbour (arc consistency). And values
that another of the same variable is never worse than, whatever its neighbours are (dominance): a value a goes if one b
that stays takes no more memory in any item, and

    cost(b) - cost(a) + sum over edges of max over the neighbour's values y of [cost_e(b, y) - cost_e(a, y)] <= 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Array, Duals, Priced, Tables, offsets
from hypar_opt.costgraph.duals import places
from hypar_opt.costgraph.memory import ranges
from hypar_opt.costgraph.presolve.reduction import NoValue, ReductionStep
from hypar_opt.costgraph.presolve.sums import blocks, side_places, side_starts

INFINITE: Final = 2**62
"""The least cost of nothing."""


@dataclass(frozen=True, eq=False)
class Narrowing(ReductionStep):
    """Values taken away.

    Parameters
    ----------
    instead
        By value, where in `unary` one stands that is no worse and stays: itself where it stays, -1 where it can't be.
    """

    instead: Array

    @cached_property
    def kept(self) -> Array:
        """By value, whether it stays."""
        kept: Array = ~self.gone
        return kept

    @cached_property
    def after(self) -> Tables:
        """The tables without them."""
        tables, memory, kept = self.before, self.before.memory, self.kept
        sizes = np.add.reduceat(kept.astype(np.int64), tables.starts[:-1])
        return Tables(
            sizes,
            tables.unary[kept],
            tables.ends,
            tables.edges[self._kept_pairs()],
            replace(
                memory,
                starts=offsets(sizes[memory.holders]),
                usages=memory.usages[kept[ranges(tables.starts[memory.holders], tables.sizes[memory.holders])]],
            ),
            tables.constant,
        )

    def _kept_pairs(self) -> Array:
        tables = self.before
        pairs = np.empty(len(tables.edges), dtype=bool)
        for group, costs in blocks(tables):
            first, second = (self.kept[side_places(tables, group, side)] for side in (0, 1))
            where = tables.edge_starts[group][:, None] + np.arange(costs[0].size)
            pairs[where] = (first[:, :, None] & second[:, None, :]).reshape(len(group), -1)
        return pairs

    def expand(self, choices: Array) -> Array:
        """Return the same values by their numbers before."""
        found: Array = np.flatnonzero(self.kept)[self.after.starts[:-1] + choices] - self.before.starts[:-1]
        return found

    def contract(self, choices: Array) -> Array | None:
        """Return the values that stand for them, by their numbers after."""
        instead = self.instead[self.before.starts[:-1] + choices]
        if (instead < 0).any():
            return None
        found: Array = (np.cumsum(self.kept) - 1)[instead] - self.after.starts[:-1]
        return found

    def lift(self, duals: Duals) -> Duals:
        """Let every edge give to what was taken away as much as it can, its least cost staying what it is.

        m(a) = min over b of [cost(a, b) - m(b)] - least; where nothing is allowed it gives what the value lacks.
        """
        tables = self.before
        where = places(tables, 0), places(tables, 1)
        messages = Duals.zero(tables).messages
        for side, given in enumerate(duals.messages):
            messages[side][self.kept[where[side]]] = given
        nowhere = self._give(messages, duals.scale)
        lifted = replace(duals, first=messages[0], second=messages[1])
        lacking = self._lacking(lifted)
        first, second = (np.where(nowhere[side], lacking[where[side]], messages[side]) for side in (0, 1))
        return replace(lifted, first=first, second=second)

    def _give(self, messages: tuple[Array, Array], scale: int) -> list[Array]:
        """Fill in the messages of what was taken away, and return which of them nothing bounds.

        First those of the edges' first variables, beside values that stay; then those of the second, beside all.
        """
        tables = self.before
        starts = [side_starts(tables, side) for side in (0, 1)]
        nowhere = [np.zeros(len(one), dtype=bool) for one in messages]
        for group, costs in blocks(tables):
            where = [starts[side][group][:, None] + np.arange(costs.shape[1 + side]) for side in (0, 1)]
            first_stays, second_stays = (self.kept[side_places(tables, group, side)] for side in (0, 1))
            banned = costs >= FORBIDDEN
            left = np.where(banned, 0, costs << scale) - messages[1][where[1]][:, None, :]
            most = np.where(banned | ~second_stays[:, None, :], INFINITE, left).min(axis=2)
            least = np.where(first_stays, most - messages[0][where[0]], INFINITE).min(axis=1)[:, None]
            messages[0][where[0]] = _filled(first_stays, messages[0][where[0]], most, least)
            nowhere[0][where[0]] = ~first_stays & (most == INFINITE)
            left = np.where(banned, 0, costs << scale) - messages[0][where[0]][:, :, None]
            most = np.where(banned, INFINITE, left).min(axis=1)
            messages[1][where[1]] = _filled(second_stays, messages[1][where[1]], most, least)
            nowhere[1][where[1]] = ~second_stays & (most == INFINITE)
        return nowhere

    def _lacking(self, duals: Duals) -> Array:
        """Return by value what it would have to be given so as not to be its variable's least."""
        tables = self.before
        priced = Priced(tables, duals).unary
        least = np.minimum.reduceat(np.where(self.kept, priced, INFINITE), tables.starts[:-1])
        lacking: Array = np.maximum(np.repeat(least, tables.sizes) - priced, 0)
        return np.where(tables.unary < FORBIDDEN, lacking, 0)


def _filled(stays: Array, given: Array, most: Array, least: Array) -> Array:
    filled: Array = np.where(stays, given, np.where(most < INFINITE, most - least, 0))
    return filled


def drop_forbidden(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take away the values that are forbidden themselves."""
    return _without_forbidden(tables, tables.unary >= FORBIDDEN)


def drop_unsupported(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take away the values that an edge forbids with everything; once, others may lose their support by it."""
    lost = np.zeros(len(tables.unary), dtype=bool)
    for group, costs in blocks(tables):
        banned = costs >= FORBIDDEN
        for side in (0, 1):
            lost[side_places(tables, group, side)[banned.all(axis=2 - side)]] = True
    return _without_forbidden(tables, lost)


def _without_forbidden(tables: Tables, lost: Array) -> tuple[Tables, Narrowing] | None:
    if not lost.any():
        return None
    left = np.logical_or.reduceat(~lost, tables.starts[:-1])
    if not left.all():
        raise NoValue(int(left.argmin()), "every value of it is forbidden")
    step = Narrowing(tables, "forbidden values", lost, np.where(lost, -1, np.arange(len(lost))))
    return step.after, step


def drop_dominated(tables: Tables) -> tuple[Tables, Narrowing] | None:
    """Take dominated values away, of all variables at once: the others' values may be any, those that go included."""
    from hypar_opt.costgraph.presolve.dominance_loops import better_values

    if not tables.count:
        return None
    memory = tables.memory
    instead = better_values(
        tables.starts,
        tables.unary,
        (tables.ends, tables.edge_sizes, tables.edge_starts, tables.edges, *tables.incident),
        (*memory.by_holder(tables.count), memory.starts, memory.usages),
    )
    gone = instead != np.arange(len(instead))
    if not gone.any():
        return None
    while not np.array_equal(instead[instead], instead):
        instead = instead[instead]
    step = Narrowing(tables, "dominated values", gone, instead)
    return step.after, step

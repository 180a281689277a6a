"""Values taken away from variables: what the step is for all reasons to do so, and how its bound is lifted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.costgraph import FORBIDDEN, Duals, Priced, Tables, offsets
from hypar_opt.costgraph.duals import places
from hypar_opt.costgraph.presolve.reduction import Step
from hypar_opt.costgraph.presolve.sums import blocks, ranges, side_places, side_starts

if TYPE_CHECKING:
    from hypar_opt.costgraph import Array, Memory

INFINITE: Final = 2**62
"""The least cost of nothing."""


@dataclass(frozen=True, eq=False)
class Narrowing(Step):
    """Values taken away.

    Parameters
    ----------
    instead
        By value, where in `unary` one stands that is no worse and stays: itself where it stays, -1 where it can't be.
    why
        What they are.
    """

    instead: Array
    why: str

    @property
    def name(self) -> str:
        """What it takes away."""
        return f"{self.why} values"

    @property
    def removed(self) -> int:
        """Number of those values."""
        return int((~self.kept).sum())

    @cached_property
    def kept(self) -> Array:
        """By value, whether it stays."""
        kept: Array = self.instead == np.arange(len(self.instead))
        return kept

    @cached_property
    def after(self) -> Tables:
        """The tables without them."""
        tables, kept = self.before, self.kept
        sizes = np.add.reduceat(kept.astype(np.int64), tables.starts[:-1])
        return Tables(
            sizes,
            tables.unary[kept],
            tables.ends,
            tables.edges[self._kept_pairs()],
            self._held(sizes),
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

    def _held(self, sizes: Array) -> Memory:
        memory, tables = self.before.memory, self.before
        stays = self.kept[ranges(tables.starts[memory.holders], tables.sizes[memory.holders])]
        return replace(memory, starts=offsets(sizes[memory.holders]), usages=memory.usages[stays])

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
        messages = []
        for side, given in enumerate((duals.first, duals.second)):
            messages.append(np.zeros(len(where[side]), dtype=np.int64))
            messages[side][self.kept[where[side]]] = given
        nowhere = self._give(messages, duals.scale)
        lifted = Duals(duals.scale, messages[0], messages[1], duals.prices)
        lacking = self._lacking(lifted)
        first, second = (np.where(nowhere[side], lacking[where[side]], messages[side]) for side in (0, 1))
        return replace(lifted, first=first, second=second)

    def _give(self, messages: list[Array], scale: int) -> list[Array]:
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

"""The least sum of unary and pair costs over all words, and over those with a given word, by eliminating layers.

A layer goes together with all that it shares costs with (Bertele and Brioschi, 1972): what is left is a message over
its neighbours. Nothing is subtracted, so that floating point is off by no more than a part in 2^53 an operation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.verification.mixed_boxes.elimination_order import EliminationOrder
    from hypar_opt.verification.mixed_boxes.word_tree import WordTree

Floats: TypeAlias = NDArray[np.float64]
MOST_CELLS: Final = 2**27
"""Of one table."""
CHUNK: Final = 2**21
"""Cells that are looked at at once."""


class TooLarge(Exception):
    """A table would be too large."""


class PairCost(NamedTuple):
    """Costs of pairs of values of two variables, as the product of two matrices, the second turned.

    Parameters
    ----------
    first, second
        The variables.
    left, right
        Shapes (values of the first, terms) and (values of the second, terms); or a whole table, and None.
    tree
        The same by level, where there are many words.
    """

    first: int
    second: int
    left: Floats
    right: Floats | None
    tree: WordTree | None = None

    def rows(self, variable: int, chosen: slice) -> Floats:
        """Return some rows: by values of one of both variables, and all of the other."""
        if self.right is None:
            return self.left[chosen] if variable == self.first else self.left.T[chosen]
        one, other = (self.left, self.right) if variable == self.first else (self.right, self.left)
        found: Floats = one[chosen] @ other.T
        return found


class WordCosts(NamedTuple):
    """A sum over variables and pairs of them; none is negative.

    Parameters
    ----------
    unary
        By variable, the costs of its values.
    pairs
        Of variables.
    """

    unary: tuple[Floats, ...]
    pairs: tuple[PairCost, ...]


@dataclass(frozen=True, eq=False)
class LayerElimination:
    """All messages of a sum.

    Parameters
    ----------
    sums, order
        What, and in which order.

    Raises
    ------
    TooLarge
        When a message is asked for.
    """

    sums: WordCosts
    order: EliminationOrder

    @cached_property
    def messages(self) -> tuple[Floats, ...]:
        """By variable, the least of it and all before it, by the values of its scope."""
        found: list[Floats] = [np.zeros(0)] * len(self.order.order)
        for one in self.order.order:
            least = self._by_tree(one, self._vectors(one, found), is_up=True)
            if least is not None:
                found[one] = least
                continue
            least = np.full([self._size(other) for other in self.order.scopes[one]], np.inf)
            for chosen, table in self._tables(one):
                rows = table + _spread(self._vectors(one, found)[chosen], (one,), self._axes(one))
                for child in self._wide_children(one):
                    rows = rows + self._of_child(child, found[child], one, chosen)
                least = np.minimum(least, rows.min(axis=0))
            found[one] = least
        return tuple(found)

    @cached_property
    def least(self) -> float:
        """The least sum."""
        return float(sum(float(self.messages[one]) for one in self.order.order if not self.order.scopes[one]))

    @cached_property
    def marginals(self) -> tuple[Floats, ...]:
        """By variable and value, the least sum of all that have it."""
        found: list[Floats] = [np.zeros(0)] * len(self.order.order)
        down: dict[int, Floats] = {}
        roots = {one: float(self.messages[one]) for one in self.order.order if not self.order.scopes[one]}
        for one in reversed(self.order.order):
            if one in roots:
                down[one] = np.array(sum(value for other, value in roots.items() if other != one))
            found[one] = self._take(one, down)
        return tuple(found)

    def _take(self, one: int, down: dict[int, Floats]) -> Floats:
        """Return the marginals of a variable, and hand down to its children what is around them."""
        children, wide = self.order.children[one], self._wide_children(one)
        narrow = [child for child in children if child not in wide]
        vector = self._vectors(one, self.messages)
        by_tree = self._by_tree(one, down[one], is_up=False)
        least = np.full(self._size(one), np.inf) if by_tree is None else by_tree
        around = {child: np.full(self.messages[child].shape, np.inf) for child in wide}
        for chosen, table in self._tables(one) if by_tree is None else ():
            rows = table + down[one]
            besides = {child: self._of_child(child, self.messages[child], one, chosen) for child in wide}
            whole = rows + sum(besides.values()) if wide else rows
            least[chosen] = whole.reshape(len(whole), -1).min(axis=1)
            for child in wide:
                others = rows + sum(own for other, own in besides.items() if other != child)
                others = others + _spread(vector[chosen], (one,), self._axes(one))
                gone = tuple(at for at, axis in enumerate(self._axes(one)) if axis not in self.order.scopes[child])
                part = others.min(axis=gone)
                around[child][chosen] = np.minimum(around[child][chosen], part)
        down.update(around)
        for child in narrow:  # without its own message, and without taking it away again
            down[child] = least + self._vectors(one, self.messages, but=child)
        return least + vector

    def _vectors(self, one: int, messages: Sequence[Floats], but: int | None = None) -> Floats:
        """Return what a variable costs by its value alone, messages of others with it."""
        found = self.sums.unary[one].astype(np.float64)
        for child in self.order.children[one]:
            if len(self.order.scopes[child]) == 1 and child != but:
                found = found + messages[child]
        return found

    def _wide_children(self, one: int) -> list[int]:
        return [child for child in self.order.children[one] if len(self.order.scopes[child]) > 1]

    def _tables(self, one: int) -> Iterator[tuple[slice, Floats]]:
        """Yield the costs of a variable's pairs with those behind it, by some of its values at a time."""
        axes = self._axes(one)
        shape = [self._size(axis) for axis in axes]
        if prod(shape) > MOST_CELLS:
            raise TooLarge(f"a table of {prod(shape):,} cells")
        step = max(1, CHUNK // max(1, prod(shape[1:])))
        for start in range(0, shape[0], step):
            chosen = slice(start, min(start + step, shape[0]))
            table = np.zeros([chosen.stop - start, *shape[1:]])
            for pair, other in self._pairs(one):
                table += _spread(pair.rows(one, chosen), (one, other), axes)
            yield chosen, table

    def _pairs(self, one: int) -> list[tuple[PairCost, int]]:
        """Return the pairs of a variable with those behind it, and which these are."""
        scope = set(self.order.scopes[one])
        return [
            (pair, pair.second if pair.first == one else pair.first)
            for pair in self.sums.pairs
            if one in (pair.first, pair.second) and {pair.first, pair.second} - {one} <= scope
        ]

    def _by_tree(self, one: int, costs: Floats, *, is_up: bool) -> Floats | None:
        """Return the least sums over a variable, or over the one behind it, where words of one pair are all there is.

        Parameters
        ----------
        costs
            Of its values, or of the values of the one behind it.
        is_up
            Whether they are its own, and the sums by the one behind it.
        """
        pairs = self._pairs(one)
        tree = pairs[0][0].tree if len(pairs) == 1 and len(self.order.scopes[one]) == 1 else None
        if tree is None or self._wide_children(one):
            return None
        by_reader = (pairs[0][0].first == one) == is_up
        return tree.by_reader(costs) if by_reader else tree.by_producer(costs)

    def _of_child(self, child: int, message: Floats, one: int, chosen: slice) -> Floats:
        return _spread(message[chosen], self.order.scopes[child], self._axes(one))

    def _axes(self, one: int) -> tuple[int, ...]:
        return one, *self.order.scopes[one]

    def _size(self, one: int) -> int:
        return len(self.sums.unary[one])


def _spread(table: Floats, axes: Sequence[int], into: Sequence[int]) -> Floats:
    """Return a table over some variables as one over more, in their order."""
    places = [axes.index(one) for one in into if one in axes]
    sizes = dict(zip(axes, table.shape, strict=True))
    return table.transpose(places).reshape([sizes.get(one, 1) for one in into])

"""What words cost in a box of shares: weighted at its corners, by class at least, in memories at least.

Every entry is concave in every single share (parts are linear, what halves lack is a product of both parts), so that it
is at least the least of the corners.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hypar_opt.evaluation.mixed.division import Division
from hypar_opt.evaluation.mixed.word_sums import WordSums
from hypar_opt.instance.barriers import Part
from hypar_opt.verification.mixed_boxes.elimination import LayerElimination, PairCost, TooLarge, WordCosts
from hypar_opt.verification.mixed_boxes.elimination_order import order_of
from hypar_opt.verification.mixed_boxes.word_search import WordRule
from hypar_opt.verification.mixed_boxes.word_tree import WordTree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.mixed import MixedSetting
    from hypar_opt.evaluation.mixed.word_sums import Weights
    from hypar_opt.instance.network import Workload
    from hypar_opt.verification.mixed_boxes.elimination import Floats
    from hypar_opt.verification.mixed_boxes.elimination_order import EliminationOrder

MARGIN: Final = 1e-9
"""Sums in floating point have to be above what they are compared with by this part: more than they can be wrong by."""
MOST_PAIRS: Final = 2**20
"""Pairs of words of all boundaries together, up to which there are tables of them."""
MANY_PAIRS: Final = 2**16
"""Pairs of words of one boundary, above which they are summed level by level where they can be."""
Factor: TypeAlias = tuple[tuple[int, ...], "Floats"]
"""Layers, and a table over their words."""


@dataclass(frozen=True, eq=False)
class BoxWords:
    """Some words in a box.

    Parameters
    ----------
    work, setting
        The network, and what plans are judged for.
    low, high
        The box's ends.
    words
        By layer.
    """

    work: Workload
    setting: MixedSetting
    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]
    words: tuple[tuple[str, ...], ...]

    @cached_property
    def corners(self) -> tuple[tuple[Fraction, ...], ...]:
        """The vectors of ends."""
        return tuple(product(*(dict.fromkeys(pair) for pair in zip(self.low, self.high, strict=True))))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """By layer, how many words there are."""
        return tuple(map(len, self.words))

    @cached_property
    def order(self) -> EliminationOrder:
        """In which layers are eliminated."""
        return order_of(self.sizes, [(one.producer, one.reader) for one in self.work.boundaries])

    def weighed(self, corner: tuple[Fraction, ...], weights: Weights) -> LayerElimination:
        """Return the weighted seconds at a corner."""
        known = self._sums(corner)
        pairs = tuple(self._pair(known, at, weights) for at in range(len(self.work.boundaries)))
        return LayerElimination(
            WordCosts(tuple(known.of_layer(at, weights) for at in range(len(self.words))), pairs), self.order
        )

    def _pair(self, known: WordSums, at: int, weights: Weights) -> PairCost:
        """Return the costs of a boundary's pairs; by level, too, where there are many."""
        one = known.of_boundary(at, weights)
        tree = None
        if self.sizes[one.producer] * self.sizes[one.reader] > MANY_PAIRS:
            numbers = known.numbers(one.producer), known.numbers(one.reader)
            tree = WordTree(known.by_levels(at, weights), *numbers)
        return PairCost(one.producer, one.reader, one.left, one.right, tree)

    def weight_rule(self, weights: Weights, below: float) -> WordRule:
        """Return that the weighted seconds are below a number at one corner at least."""
        return WordRule((tuple(self.weighed(corner, weights) for corner in self.corners),), "min", below)

    def class_rule(self, below: float) -> WordRule:
        """Return that what classes need at least, wait by wait, adds up to less than a number.

        Where every wait is of one layer, or of two that are neighbours, the most of all classes stands in the tables.

        Raises
        ------
        TooLarge
            If there are too many pairs.
        """
        if sum(self.sizes[one.producer] * self.sizes[one.reader] for one in self.work.boundaries) > MOST_PAIRS:
            raise TooLarge("too many pairs of words for tables of classes")
        rows = self._by_wait()
        layers = [sorted({layer for places, _ in row[0] for layer in places}) for row in rows]
        if all(len(one) <= 2 for one in layers):
            whole = [self._most(row, tuple(own)) for row, own in zip(rows, layers, strict=True) if own]
            return WordRule(((self._elimination(whole),),), "max", below)
        return WordRule(tuple(tuple(map(self._elimination, row)) for row in rows), "max", below)

    def memory_rules(self) -> Iterator[WordRule]:
        """Yield that words fit into the memory of each class, at the shares at which they take least."""
        for capacity, own in self.memories():
            one = LayerElimination(WordCosts(own, ()), order_of(self.sizes, ()))
            yield WordRule(((one,),), "max", np.nextafter(capacity, np.inf))

    def memories(self) -> Iterator[tuple[float, tuple[Floats, ...]]]:
        """Yield by class with a capacity, what that is, somewhat enlarged, and the bytes of every word at least."""
        array = self.setting.array
        for place, one in enumerate(array.classes):
            capacity = array.kinds[one.kind].accelerator.capacity
            if capacity is None:
                continue
            sides = {half.split: half.side for half in one.path if half.split is not None}
            ends = zip(self.low, self.high, strict=True)
            least = tuple(high if sides.get(split) == 1 else low for split, (low, high) in enumerate(ends))
            known = self._sums(least)
            own = tuple(known.memory(at, place) for at in range(len(self.words)))
            yield float(capacity) * (1 + MARGIN), own

    def _by_wait(self) -> Sequence[Sequence[Sequence[Factor]]]:
        """Return by wait and class the tables of what is needed at least."""
        setting = self.setting
        waits, classes = setting.barrier.waits(self.work, setting.levels), len(setting.array.classes)
        return [[list(self._factors(wait, one, (waits, classes))) for one in range(classes)] for wait in range(waits)]

    def _factors(self, wait: int, one: int, shape: tuple[int, int]) -> Iterator[Factor]:
        weights = tuple(tuple(Fraction(int((w, c) == (wait, one))) for c in range(shape[1])) for w in range(shape[0]))
        for at in range(len(self.words)):
            if wait in self._waits[at, None]:
                yield (at,), np.minimum.reduce([known.of_layer(at, weights) for known in self._at_corners])
        for at, edge in enumerate(self.work.boundaries):
            if wait in self._waits[edge.reader, at]:
                tables = [known.of_boundary(at, weights).table for known in self._at_corners]
                yield (edge.producer, edge.reader), np.minimum.reduce(tables)

    @cached_property
    def _waits(self) -> Mapping[tuple[int, int | None], set[int]]:
        """By layer and boundary, the waits that end its parts."""
        wait, levels = self.setting.barrier.wait, range(self.setting.levels)
        found = {
            (at, None): {wait(self.work, Part(at, level=level)) for level in (None, *levels)}
            for at in range(len(self.words))
        }
        return found | {
            (edge.reader, at): {wait(self.work, Part(edge.reader, at, level)) for level in levels}
            for at, edge in enumerate(self.work.boundaries)
        }

    def _most(self, row: Sequence[Sequence[Factor]], layers: tuple[int, ...]) -> Factor:
        """Return the most of all classes, of one wait."""
        return layers, reduce(np.maximum, (self._whole(factors, layers) for factors in row))

    def _whole(self, factors: Sequence[Factor], layers: tuple[int, ...]) -> Floats:
        found = np.zeros([self.sizes[one] for one in layers])
        for places, table in factors:
            turned = table if tuple(sorted(places)) == places else table.T
            found = found + turned.reshape([self.sizes[one] if one in places else 1 for one in layers])
        return found

    def _elimination(self, factors: Sequence[Factor]) -> LayerElimination:
        unary = [np.zeros(size) for size in self.sizes]
        pairs = []
        for places, table in factors:
            if len(places) == 1:
                unary[places[0]] = unary[places[0]] + table
            else:
                pairs.append(PairCost(places[0], places[1], table, None))
        return LayerElimination(WordCosts(tuple(unary), tuple(pairs)), self.order)

    @cached_property
    def _at_corners(self) -> Sequence[WordSums]:
        return [self._sums(corner) for corner in self.corners]

    def _sums(self, shares: tuple[Fraction, ...]) -> WordSums:
        if shares not in self._known:
            named = dict(zip(self.setting.array.splits, shares, strict=True))
            self._known[shares] = WordSums(self.work, Division(self.setting, named), self.words)
        return self._known[shares]

    @cached_property
    def _known(self) -> dict[tuple[Fraction, ...], WordSums]:
        return {}

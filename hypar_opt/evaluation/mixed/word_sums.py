"""Weighted seconds of many words at once, in floating point: what layers and boundaries add to waits, as tables.

The same sums as of `waits`, of whole columns of words. What is added and multiplied is never negative, so that a number
is wrong by no more than one part in 2^53 for every operation: nothing is lost by subtracting.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.mixed.boxes import NONE
from hypar_opt.evaluation.mixed.exchanges import summed_elements
from hypar_opt.evaluation.mixed.level_sums import Floats, LevelSums, State, states_behind
from hypar_opt.evaluation.mixed.waiting import alone_seconds
from hypar_opt.instance.barriers import Part

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypar_opt.evaluation.choices import Operand
    from hypar_opt.evaluation.mixed.division import Division
    from hypar_opt.evaluation.mixed.setting import MixedSetting
    from hypar_opt.instance.hardware.mixed import Half
    from hypar_opt.instance.network import WorkLayer, Workload

Weights: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""By wait and class, what a second weighs."""


class PairSums(NamedTuple):
    """What pairs of words add: the product of a matrix by the producer's words and one by the reader's, turned.

    Parameters
    ----------
    producer, reader
        Positions of the layers.
    left, right
        Shapes (words of the producer, terms) and (words of the reader, terms).
    """

    producer: int
    reader: int
    left: Floats
    right: Floats

    @property
    def table(self) -> Floats:
        """By word of the producer and of the reader."""
        found: Floats = self.left @ self.right.T
        return found


@dataclass(frozen=True, eq=False)
class WordSums:
    """What some words cost at given shares.

    Parameters
    ----------
    work
        The layers and the boundaries between them.
    division
        The array, cut at the shares.
    words
        By layer.
    """

    work: Workload
    division: Division
    words: tuple[tuple[str, ...], ...]

    @property
    def setting(self) -> MixedSetting:
        """What plans are judged for."""
        return self.division.setting

    def of_layer(self, at: int, weights: Weights) -> Floats:
        """Return what a layer's words add by themselves: computing, and reading partial sums."""
        layer, setting = self.work.layers[at], self.setting
        found = np.zeros(len(self.words[at]))
        for place, one in enumerate(setting.array.classes):
            weight = self._weight(weights, Part(at), place)
            if weight:
                alone = alone_seconds(layer, setting.array.kinds[one.kind], setting)
                found += float(weight * alone) * self._prefixes(at, place, "worked")[:, -1]
            for level in range(setting.levels):
                pace = self._weight(weights, Part(at, level=level), place) * setting.seconds_a_byte[place][level]
                for letter, operand in self._summed(at) if pace else ():
                    size = summed_elements(layer, operand, setting) * setting.bytes_per_element
                    above = self._prefixes(at, place, operand)[:, level]
                    found += float(pace * size) * above * (self._letters[at][:, level] == letter)
        return found

    def of_boundary(self, at: int, weights: Weights) -> PairSums:
        """Return what pairs of words add at a boundary: F[l+1] on its way forward, and E[l+1] on its way back."""
        edge, setting = self.work.boundaries[at], self.setting
        size = setting.batch * edge.feature * setting.bytes_per_element
        ends = edge.producer, edge.reader
        before, after = (self._letters[layer] for layer in ends)
        kinds = [range(len(self._alphabets[layer])) for layer in ends]
        of_producer = setting.accounting == "receiver"  # else both tensors are sized by the reader's box
        left, right = [], []
        for level in range(setting.levels):
            by_reader = np.zeros((len(kinds[0]), len(after)))
            by_producer = np.zeros((len(kinds[1]), len(before)))
            for place, one in enumerate(setting.array.classes):
                pace = self._weight(weights, Part(edge.reader, at, level), place) * setting.seconds_a_byte[place][level]
                if not pace:
                    continue
                forward, backward = self._lacking(ends, one.path[level], pace * size)
                read = self._prefixes(edge.reader, place, "read")[:, level]
                by_reader += (forward if of_producer else forward + backward)[:, after[:, level]] * read
                if of_producer:
                    written = self._prefixes(edge.producer, place, "written")[:, level]
                    by_producer += backward.T[:, before[:, level]] * written
            left += [before[:, level] == letter for letter in kinds[0]]
            right += list(by_reader)
            if of_producer:
                left += list(by_producer)
                right += [after[:, level] == letter for letter in kinds[1]]
        return PairSums(*ends, *(np.array(rows, dtype=np.float64).T.copy() for rows in (left, right)))

    def by_levels(self, at: int, weights: Weights) -> tuple[LevelSums, ...]:
        """Return what pairs of words add at a boundary, level by level."""
        edge, setting = self.work.boundaries[at], self.setting
        size = setting.batch * edge.feature * setting.bytes_per_element
        ends = edge.producer, edge.reader
        counts = [len(self._alphabets[layer]) for layer in ends]
        of_producer = setting.accounting == "receiver"
        above = [np.ones(1) for _ in setting.array.classes]
        states: list[State] = [(Fraction(1),) * len(above)]
        found = []
        for level in range(setting.levels):
            by_reader = np.zeros((counts[1] ** level, counts[0], counts[1]))
            by_producer = np.zeros((len(states), counts[0], counts[1]))
            for place, one in enumerate(setting.array.classes):
                pace = self._weight(weights, Part(edge.reader, at, level), place) * setting.seconds_a_byte[place][level]
                if pace:
                    forward, backward = self._lacking(ends, one.path[level], pace * size)
                    read = forward if of_producer else forward + backward
                    by_reader += above[place][:, None, None] * read
                    left = np.array([float(state[place]) for state in states])
                    by_producer += left[:, None, None] * backward * of_producer
                above[place] = np.outer(above[place], self._factors(edge.reader, "read", one.path[level])).ravel()
            following = np.zeros((1, counts[0]), dtype=np.int64)
            if of_producer:
                states, following = states_behind(states, self._written(edge.producer, level))
            found.append(LevelSums(by_reader, by_producer, following))
        return tuple(found)

    def _written(self, at: int, level: int) -> list[State]:
        """Return by letter what the halves of a level leave of what a layer writes, by class."""
        layer, classes = self.work.layers[at], self.setting.array.classes
        return [
            tuple(self.division.has(layer, letter, "written", one.path[level]) for one in classes)
            for letter in self._alphabets[at]
        ]

    def numbers(self, at: int) -> NDArray[np.int64]:
        """Return a layer's words as numbers: their letters, in order, as digits."""
        found = np.zeros(len(self.words[at]), dtype=np.int64)
        for digits in self._letters[at].T:
            found = found * len(self._alphabets[at]) + digits
        return found

    def memory(self, at: int, place: int) -> Floats:
        """Return the bytes that a layer keeps on a class of leaves, by word."""
        layer, setting = self.work.layers[at], self.setting
        if layer.is_join:
            return np.zeros(len(self.words[at]))
        weights = float(layer.weight * (2 + setting.optimiser.states) * setting.bytes_per_element)
        read = float(layer.feature_in * setting.batch * setting.bytes_per_element)
        has = [self._prefixes(at, place, operand)[:, -1] for operand in ("weight", "read")]
        return weights * has[0] + read * has[1]

    def _weight(self, weights: Weights, part: Part, place: int) -> Fraction:
        return weights[self.setting.barrier.wait(self.work, part)][place]

    def _lacking(self, ends: tuple[int, int], half: Half, size: Fraction) -> tuple[Floats, Floats]:
        """Return the seconds of F[l+1] and of E[l+1] by both letters, where the group has the whole tensor."""
        layers = self.work.layers[ends[0]], self.work.layers[ends[1]]
        first, second = (self._alphabets[layer] for layer in ends)
        free = [self.setting.accounting == "as-evaluated" and _sums(layers[0], one) == "written" for one in first]
        pairs = [[self.division.lacking(layers, (a, b), half) for b in second] for a in first]
        tables = [
            [
                [0.0 if skipped else float(size * one[way]) for one in row]
                for row, skipped in zip(pairs, free, strict=True)
            ]
            for way in range(2)
        ]
        return np.array(tables[0]), np.array(tables[1])

    def _prefixes(self, at: int, place: int, what: Operand | Literal["worked"]) -> Floats:
        """Return what the halves above every level leave of a tensor, or of the work; shape (words, levels + 1)."""
        key = at, place, what
        if key not in self._known:
            digits = self._letters[at]
            rows = np.ones((len(digits), self.setting.levels + 1))
            for level, half in enumerate(self.setting.array.classes[place].path):
                rows[:, level + 1] = rows[:, level] * self._factors(at, what, half)[digits[:, level]]
            self._known[key] = rows
        return self._known[key]

    def _factors(self, at: int, what: Operand | Literal["worked"], half: Half) -> Floats:
        """Return by letter what a half leaves of a tensor, or of the work."""
        layer, division = self.work.layers[at], self.division
        parts = (
            division.does(layer, letter, half) if what == "worked" else division.has(layer, letter, what, half)
            for letter in self._alphabets[at]
        )
        return np.array([float(one) for one in parts])

    def _summed(self, at: int) -> Iterator[tuple[int, Operand]]:
        """Yield the letters that leave partial sums, and of what."""
        for place, letter in enumerate(self._alphabets[at]):
            operand = _sums(self.work.layers[at], letter)
            if operand is not None:
                yield place, operand

    @cached_property
    def _alphabets(self) -> Sequence[str]:
        return ["".join(sorted(set("".join(words)))) for words in self.words]

    @cached_property
    def _letters(self) -> Sequence[NDArray[np.int64]]:
        """By layer, shape (words, levels)."""
        spelt = (np.array(words).view("<U1").reshape(len(words), -1) for words in self.words)
        return [
            np.searchsorted(list(alphabet), letters) for letters, alphabet in zip(spelt, self._alphabets, strict=True)
        ]

    @cached_property
    def _known(self) -> dict[tuple[int, int, str], Floats]:
        return {}


def _sums(layer: WorkLayer, letter: str) -> Operand | None:
    return None if letter == NONE else halving_of(layer, letter).summed

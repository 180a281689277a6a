"""What partial sums take where they are exchanged by schedules: a cost of a layer's word, exact for its bytes.

In lockstep a step takes what its slowest send does, the latencies a of its route and x bytes a chunk at b seconds each
on its busiest link, so that a schedule takes the sum over its steps of the largest a + b x. Where a layer has a letter
at n of H levels, all other letters cut what it leaves in partial sums: T bytes of it are summed in 2^(H-n) groups of
2^n accelerators, T / 2^(H-n) in each. Level by level the pairs of level h exchange T 2^u / 2^(H-1), with u the number
of levels above that have the same letter.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.costgraph.unary import TableUnary
from hypar_opt.instance.choices import choices_of
from hypar_opt.instance.hardware import routing_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hypar_opt.cost.layout import CostModel
    from hypar_opt.costgraph import Array, Words
    from hypar_opt.costgraph.collective import Move
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.instance.network import WorkLayer, Workload
    from hypar_opt.util.partition import Partition

Line: TypeAlias = tuple[Fraction, Fraction]
"""Seconds of a message, and of a byte of each chunk."""


@dataclass(frozen=True)
class ScheduleTime:
    """What a schedule takes by the bytes of a chunk.

    Parameters
    ----------
    steps
        Of every step the lines of its sends, none of them below another everywhere.
    """

    steps: tuple[tuple[Line, ...], ...]

    @classmethod
    def of(cls, machine: Machine, moves: Iterable[Move]) -> ScheduleTime:
        """Return the time of moves in synchronous steps."""
        by_step: dict[int, list[Move]] = {}
        for one in moves:
            by_step.setdefault(one.end, []).append(one)
        return cls(tuple(_lines(machine, by_step[step]) for step in sorted(by_step)))

    def seconds(self, bytes_: Fraction) -> Fraction:
        """Return what it takes with so many bytes a chunk."""
        return sum((max(a + b * bytes_ for a, b in lines) for lines in self.steps), start=Fraction(0))


def _lines(machine: Machine, moves: Sequence[Move]) -> tuple[Line, ...]:
    loads: dict[Hop, int] = {}
    for one in moves:
        for hop in pairwise(one.route):
            loads[hop] = loads.get(hop, 0) + 1
    found = {_line(machine, one.route, loads) for one in moves}
    return tuple(one for one in found if not any(_is_below(one, other) for other in found - {one}))


def _is_below(one: Line, other: Line) -> bool:
    return one[0] <= other[0] and one[1] <= other[1]


def _line(machine: Machine, route: Sequence[int], loads: Mapping[Hop, int]) -> Line:
    links = [(machine.link_of[hop], loads[hop]) for hop in pairwise(route)]
    busy = max(count / link.bandwidth for link, count in links if link.bandwidth)
    return sum((link.latency for link, _ in links), start=Fraction(0)), Fraction(busy)


@dataclass(frozen=True, eq=False)
class SumTimes:
    """What an array takes for the partial sums of sets of levels.

    Parameters
    ----------
    machine, partition, placed
        The array, how it is cut, and where its leaves stand.
    weights
        By level, seconds of a byte of it that is exchanged pairwise.
    found
        From a set of levels to the moves of every algorithm that takes it, by name.
    chunks
        Into how many an accelerator's part of a sum is cut.
    together
        Whether all levels with a layer's letter are one group.
    beside
        Whether the pairwise exchange is among the algorithms; it is taken where there is none, too.
    """

    machine: Machine
    partition: Partition
    placed: tuple[int, ...]
    weights: tuple[Fraction, ...]
    found: Callable[[tuple[int, ...]], Mapping[str, tuple[Move, ...]]]
    chunks: int
    together: bool
    beside: bool
    _times: dict[tuple[int, ...], tuple[ScheduleTime, ...]] = field(default_factory=dict, init=False, repr=False)

    def tables(self, work: Workload, words: Sequence[Words], model: CostModel) -> tuple[tuple[TableUnary, ...], int]:
        """Return by layer the cost of each word, and how many of its units make a second."""
        kinds = [(replace(layer, name=""), word) for layer, word in zip(work.layers, words, strict=True)]
        # layers that differ in their names only are of one kind: deep networks have few kinds
        seconds = {(layer, word): self._of_words(layer, word, model) for layer, word in dict.fromkeys(kinds)}
        unit = lcm(*(one.denominator for values in seconds.values() for one in values))
        tables = {kind: TableUnary(_whole(values, unit)) for kind, values in seconds.items()}
        return tuple(tables[kind] for kind in kinds), unit

    def _of_words(self, layer: WorkLayer, words: Words, model: CostModel) -> list[Fraction]:
        return [self._of_word(layer, words.word(index), model) for index in range(words.size)]

    def _of_word(self, layer: WorkLayer, word: str, model: CostModel) -> Fraction:
        known, summed = choices_of(layer), model.summed(layer)
        seconds = Fraction(0)
        for letter in dict.fromkeys(word):
            tensor = known[letter].partial_sums
            if tensor is None or not summed[tensor]:
                continue
            size = Fraction(model.bytes_per_element * summed[tensor])
            levels = tuple(h for h, one in enumerate(word) if one == letter)
            if self.together:
                seconds += self.of(levels, size / 2 ** (len(word) - len(levels)))
            else:
                seconds += sum(self.of((h,), size * 2**above / 2 ** (len(word) - 1)) for above, h in enumerate(levels))
        return seconds

    def of(self, levels: tuple[int, ...], bytes_: Fraction) -> Fraction:
        """Return the seconds of a set of levels whose groups sum up so many bytes each."""
        if levels not in self._times:
            self._times[levels] = tuple(ScheduleTime.of(self.machine, one) for one in self.found(levels).values())
        times = [one.seconds(bytes_ / (self.chunks * 2 ** len(levels))) for one in self._times[levels]]
        return min(times) if times and not self.beside else min([*times, self._pairwise(levels, bytes_)])

    def _pairwise(self, levels: tuple[int, ...], bytes_: Fraction) -> Fraction:
        """Return what the pairs of one level after the other take, the outermost sending least, with their latencies.

        Of several levels sums are scattered by the one after the other, and gathered again: two messages a level.
        """
        each = 2 * bytes_ * self.partition.leaves / 2 ** len(levels)
        messages = min(2, len(levels))
        return sum(
            (each * 2**place * self.weights[h] + messages * self._latencies[h] for place, h in enumerate(levels)),
            start=Fraction(0),
        )

    @cached_property
    def _latencies(self) -> tuple[Fraction, ...]:
        """By level, the longest latency of a way between counterparts; of divided ways, what their shares come to."""
        return tuple(
            max(
                self._latency(site, self.placed[peer])
                for leaf, site in enumerate(self.placed)
                for peer in self.partition.peers(leaf, h)
            )
            for h in range(self.partition.levels)
        )

    def _latency(self, source: int, target: int) -> Fraction:
        shares = routing_of(self.machine).shares(source, target)
        return sum((share * self.machine.link_of[hop].latency for hop, share in shares.items()), start=Fraction(0))


def _whole(values: Sequence[Fraction], unit: int) -> Array:
    found = np.empty(len(values), dtype=object)
    found[:] = [int(value * unit) for value in values]
    return found

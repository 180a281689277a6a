"""What one layer computes and moves in a training step, by how often its word has each letter.

A tensor is halved by every letter that splits one of its dimensions, so that all of this depends on the number of
each letter alone; the array does 2^H times what one accelerator does.

Three models. `as-evaluated` counts what the paper's figures evidently count: multiply-accumulates on the input
positions, three DRAM accesses (one a phase) for every word of W[l], F[l] and F[l+1] that any accelerator holds, none
to a buffer, no update. `row-stationary` is the dataflow of Chen, Emer & Sze (ISCA 2016) on the grid, as
docs/time-energy.md states it: operations on the output positions, accesses to the buffer by the reuse that the mapping
gives, to DRAM by the cheapest of three loop orders, time at least what the memory needs, and an update. `peak` counts
multiply-accumulates on the output positions, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from operator import add
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hypar_opt.instance.choices import LayerTensor, choices_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.hardware.accelerator import Accelerator, Optimiser
    from hypar_opt.instance.network import WorkLayer
    from hypar_opt.util.partition import Partition


Map: TypeAlias = tuple[int, int]
"""Height and width."""


@dataclass(frozen=True)
class Mapped:
    """What the mapping of one phase comes to.

    Parameters
    ----------
    filled
        Share of the grid that works.
    accesses
        Accesses to the buffer for a multiply-accumulate: of the input, of the kernel, and of partial sums, which
        are read and written.
    """

    filled: Fraction
    accesses: Fraction


def phases_of(layer: WorkLayer) -> tuple[tuple[Map, Map], ...]:
    """Return the kernel and the output of the forward, the backward and the gradient phase.

    The gradient phase slides E[l+1] over F[l] and makes W[l]. A linear layer is a convolution on one position.
    """
    return (layer.kernel, layer.map_out), (layer.kernel, layer.map_in), (layer.map_out, layer.kernel)


def mapped(kernel: Map, output: Map, grid: Map) -> Mapped:
    """Lay a phase out on a grid of rows and columns."""
    rows, columns = grid
    along_rows, along_columns = _laid(kernel[0], rows), _laid(output[0], columns)
    taps = kernel[0] * kernel[1]
    input_reads = Fraction(1, taps * max(1, columns // output[0]))
    kernel_reads = Fraction(1, min(output[0], columns) * output[1])
    partial_sums = Fraction(2, min(kernel[0], rows) * kernel[1] * max(1, rows // kernel[0]))
    return Mapped(along_rows * along_columns, input_reads + kernel_reads + partial_sums)


def _laid(length: int, available: int) -> Fraction:
    """Return the share of a side of the grid that works: laid out several times, or folded."""
    if length <= available:
        return Fraction(length * (available // length), available)
    folds = -(-length // available)
    return Fraction(length, folds * available)


WORD = 4
"""Bytes of the words that energies are given for."""


class StepWork(NamedTuple):
    """What one accelerator does for one layer in a training step, or in a part of one.

    Parameters
    ----------
    seconds
        How long it takes.
    multiplies, adds
        Operations.
    sram, dram
        Accesses, in elements.
    """

    seconds: Fraction = Fraction(0)
    multiplies: Fraction = Fraction(0)
    adds: Fraction = Fraction(0)
    sram: Fraction = Fraction(0)
    dram: Fraction = Fraction(0)

    def plus(self, other: StepWork) -> StepWork:
        """Return both, one after the other."""
        return StepWork(*map(add, self, other))


@dataclass(frozen=True)
class Counter:
    """Counts the work of layers.

    Parameters
    ----------
    accelerator, optimiser
        Which model, which rates.
    batch, partition, bytes_per_element, input_error
        Of the instance.
    """

    accelerator: Accelerator
    optimiser: Optimiser
    batch: int
    partition: Partition
    bytes_per_element: int
    input_error: bool = True

    def work(self, layer: WorkLayer, letters: str, counts: Sequence[int]) -> StepWork:
        """Return the work of a layer whose word has so many of each letter; a join has none."""
        if layer.is_join:
            return StepWork()
        whole = self.batch * layer.feature_in, layer.weight, self.batch * layer.feature_out, self.batch * layer.written
        order = LayerTensor.F_IN, LayerTensor.WEIGHT, LayerTensor.F_OUT, LayerTensor.F_OUT
        halvings = (_halvings(layer, tensor, letters, counts) for tensor in order)
        held = [Fraction(size, 1 << times) for size, times in zip(whole, halvings, strict=True)]
        parts = 1 << _splits(layer, letters, counts)
        if self.accelerator.model == "as-evaluated":
            macs = Fraction(self.batch * layer.macs_on_input, parts)
            return self._as_evaluated(layer, macs, sum(held[:3], start=Fraction(0)))
        if self.accelerator.model == "peak":
            return self._as_evaluated(layer, Fraction(self.batch * layer.macs, parts), Fraction(0))
        return self._row_stationary(layer, Fraction(self.batch * layer.macs, parts), held[0], held[1], held[3])

    def resident(self, layer: WorkLayer, letters: str, counts: Sequence[int]) -> Fraction:
        """Return the bytes that a layer keeps in one accelerator's memory; a join keeps nothing."""
        if layer.is_join:
            return Fraction(0)
        weight = Fraction(layer.weight, 1 << _halvings(layer, LayerTensor.WEIGHT, letters, counts))
        kept = Fraction(self.batch * layer.feature_in, 1 << _halvings(layer, LayerTensor.F_IN, letters, counts))
        return self.bytes_per_element * ((2 + self.optimiser.states) * weight + kept)

    def _as_evaluated(self, layer: WorkLayer, macs: Fraction, held: Fraction) -> StepWork:
        total = StepWork()
        for phase in self._phases(layer):
            busy = 2 * macs / (self.accelerator.rate * self._reached(self._mapped(layer, phase)))
            total = total.plus(StepWork(busy, macs, macs, Fraction(0), held))
        return total

    def _row_stationary(
        self, layer: WorkLayer, macs: Fraction, read: Fraction, weight: Fraction, written: Fraction
    ) -> StepWork:
        through = (read, weight, written), (written, weight, read), (read, written, weight)
        total = self._update(weight)
        for phase in self._phases(layer):
            one = self._mapped(layer, phase)
            assert one is not None  # the schema asks for a grid
            dram = self._streamed(*through[phase])
            busy = 2 * macs / (self.accelerator.rate * self._reached(one))
            total = total.plus(StepWork(self._paced(busy, dram), macs, macs, macs * one.accesses, dram))
        return total

    def _update(self, weight: Fraction) -> StepWork:
        """W[l], its gradient and what the optimiser keeps are read; all but the gradient are written."""
        rule = self.optimiser
        dram = (3 + 2 * rule.states) * weight
        busy = (rule.multiplies + rule.adds) * weight / self.accelerator.rate
        return StepWork(self._paced(busy, dram), rule.multiplies * weight, rule.adds * weight, Fraction(0), dram)

    def _streamed(self, first: Fraction, second: Fraction, made: Fraction) -> Fraction:
        """One tensor stays in the buffer chunk by chunk, what it is multiplied with passes once for every chunk.

        Whichever stays of the two that are read, the result leaves once; where the result stays, both pass.
        """
        assert self.accelerator.buffer is not None  # the schema asks for it
        room = self.accelerator.buffer / self.bytes_per_element
        read = min(
            first + second * ceil(first / room),
            second + first * ceil(second / room),
            (first + second) * ceil(made / room),
        )
        return read + made

    def _paced(self, busy: Fraction, dram: Fraction) -> Fraction:
        """Return what computing takes, or moving if that takes longer."""
        pace = self.accelerator.bandwidth
        return busy if pace is None else max(busy, dram * self.bytes_per_element / pace)

    def _phases(self, layer: WorkLayer) -> tuple[int, ...]:
        """Return the phases by position: forward, backward unless nobody asks for E[l], gradient."""
        return (0, 2) if layer.reads_input and not self.input_error else (0, 1, 2)

    def _mapped(self, layer: WorkLayer, phase: int) -> Mapped | None:
        grid = self.accelerator.grid
        return None if grid is None else mapped(*phases_of(layer)[phase], grid)

    def _reached(self, one: Mapped | None) -> Fraction:
        """Return the share of the peak: what is given, or what the mapping fills."""
        given = self.accelerator.utilisation
        if given is not None:
            return given
        assert one is not None  # the schema asks for a grid
        return one.filled


def _splits(layer: WorkLayer, letters: str, counts: Sequence[int]) -> int:
    """Return how often the work is halved: by every letter that splits anything."""
    known = choices_of(layer)
    pairs = zip(letters, counts, strict=True)
    return sum(count for letter, count in pairs if known[letter].is_split)


def _halvings(layer: WorkLayer, tensor: LayerTensor, letters: str, counts: Sequence[int]) -> int:
    """Return how often a tensor is halved: by every letter that splits one of its dimensions."""
    known = choices_of(layer)
    return sum(count for letter, count in zip(letters, counts, strict=True) if known[letter].halves(tensor))

"""What layers and boundaries are charged for, term by term, where every layer has shares of its own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hypar_opt.instance.accountings import ACCOUNTINGS, Side
from hypar_opt.instance.barriers import Part
from hypar_opt.instance.choices import LayerTensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.cost.mixed.grid_charges import PathCharges
    from hypar_opt.cost.mixed.grid_parts import GridParts
    from hypar_opt.cost.mixed.grid_words import GridWords
    from hypar_opt.cost.mixed.model import MixedModel
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware.mixed import Path
    from hypar_opt.instance.network import Workload


class OwnTerm(NamedTuple):
    """What a layer is charged for at a part: a weight times amounts by word."""

    part: Part
    weight: Fraction
    amounts: Array


class PairTerm(NamedTuple):
    """What a boundary is charged for at a level.

    Parameters
    ----------
    part
        The boundary, its reader and the level.
    weight
        Of one unit of what follows.
    above, side
        What is left of the tensor above the level, by word of the producer (0) or the reader (1).
    read
        What is read at the level, by letters of the producer and the reader.
    """

    part: Part
    weight: Fraction
    above: Array
    side: int
    read: Array


@dataclass(frozen=True, eq=False)
class GridTerms:
    """Of some words of every layer.

    Parameters
    ----------
    work, model
        Of the problem.
    words
        By layer.
    parts
        What halves have and lack.
    """

    work: Workload
    model: MixedModel
    words: tuple[GridWords, ...]
    parts: GridParts

    def whole(self, path: Path) -> int:
        """Return how many parts all halves of a path make of a whole."""
        return prod(map(self.parts.unit, path))

    def own(self, charges: PathCharges) -> Iterator[OwnTerm]:
        """Yield what layers are charged for: what is computed, and partial sums, the group's whole box of each."""
        path = charges.path
        for i, layer in enumerate(self.work.layers):
            words = self.words[i]
            if charges.computing[i]:
                weight = charges.computing[i] / self.whole(path)
                yield OwnTerm(Part(i), weight, self.parts.above(words, path, None)[-1])
            if layer.is_join or not any(charges.sums[i]):
                continue
            for tensor, elements in self.model.summed(layer).items():
                above = self.parts.above(words, path, tensor)
                for level in range(len(path)):
                    ends = np.array([one.splits.partial_sums is tensor for one in words.levels[level].all])
                    weight = charges.sums[i][level] * elements / self.whole(path[:level])
                    if weight and ends.any():
                        yield OwnTerm(Part(i, None, level), weight, above[level] * ends[words.rows[:, level]])

    def pairs(self, charges: PathCharges) -> Iterator[PairTerm]:
        """Yield what boundaries are charged for: F[l+1] on its way forward and E[l+1] on its way back."""
        rule, path = ACCOUNTINGS[self.model.accounting], charges.path
        for i, edge in enumerate(self.work.boundaries):
            before, after = self.words[edge.producer], self.words[edge.reader]
            for box, forward in ((rule.feature_box, True), (rule.error_box, False)):
                side = int(box is not Side.PRODUCER)
                tensor = (LayerTensor.F_OUT, LayerTensor.F_IN)[side]
                above = self.parts.above((before, after)[side], path, tensor)
                for level, half in enumerate(path):
                    elements = self.model.batch * edge.feature
                    whole = self.whole(path[:level]) * self.parts.unit(half) ** 2
                    weight = charges.reading[i][level] * elements / whole
                    if not weight:
                        continue
                    read = self.parts.read(before.levels[level], after.levels[level], half, forward=forward)
                    if rule.free_after_mp:
                        sums = [one.splits.partial_sums is LayerTensor.F_OUT for one in before.levels[level].all]
                        read = np.where(np.array(sums)[:, None], 0, read)
                    yield PairTerm(Part(edge.reader, i, level), weight, above[level], side, read)

"""From a workload, shares and what a second or a byte weighs to a CostGraph over strategies.

A class of leaves does its part of every layer, and reads at every level what its half needs and lacks: the group's part
of the tensor by the letters above, times what the letters of the level leave to be read. Both are products over the
levels, so that a class's seconds are terms over words whose factors are its shares.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import floor
from operator import mul
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.mixed.charges import charges_of
from hypar_opt.cost.mixed.parts import HalfPart, Layout, layout_of, part_of
from hypar_opt.cost.mixed.terms import Ledger, RationalTerm, weighed
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, Variable, WordEdge, Words, WordUnary
from hypar_opt.instance.accountings import ACCOUNTINGS, Side
from hypar_opt.instance.barriers import Part
from hypar_opt.instance.choices import Dimension, LayerTensor, choices_of
from hypar_opt.instance.objective.components import COMMUNICATION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.cost.mixed.charges import SumCharges
    from hypar_opt.cost.mixed.model import MixedModel, Shares, WaitWeights
    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.instance.hardware.mixed import LeafClass, Path
    from hypar_opt.instance.network import Workload

COST: Final = "cost"
"""The one component: whatever is weighed."""


class Compiler:
    """What a workload costs at given shares.

    Parameters
    ----------
    work, model, shares
        Of the problem.
    words
        By layer, where they are known.
    """

    def __init__(self, work: Workload, model: MixedModel, shares: Shares, words: Sequence[Words] | None = None) -> None:
        self.work, self.model, self.shares = work, model, shares
        self._parts_of: dict[Path, list[HalfPart]] = {}
        self._factors_of: dict[tuple[Path, tuple[Layout, ...]], Factors] = {}
        self.words = words or [model.words(layer) for layer in work.layers]
        self.splits = [
            [choices_of(layer)[letter] for letter in words.alphabet]
            for layer, words in zip(work.layers, self.words, strict=True)
        ]

    def of_time(self, weights: WaitWeights) -> CostGraph:
        """Return the graph of seconds by wait and class, weighed."""
        ledger = Ledger()
        for position, one in enumerate(self.model.array.classes):
            own = [row[position] for row in weights]
            if any(own):
                self._compute(ledger, one, own)
                self._exchange(ledger, one, own)
        return self._graph(ledger)

    def of_bytes(self) -> CostGraph:
        """Return the graph of what all halves of all groups read, in bytes."""
        one_each = charges_of(self.model.array, self.model.bytes_per_element, {COMMUNICATION: Fraction(1)})
        return self.of_sums(one_each)

    def of_sums(self, charges: SumCharges) -> CostGraph:
        """Return the graph of what is charged for every byte that a half reads, and for what leaves compute."""
        ledger, array = Ledger(), self.model.array
        for level, weights in enumerate(charges.a_byte):
            for path, weight in weights.items():
                a_number = self.model.bytes_per_element * weight
                each = [a_number if h == level else Fraction(0) for h in range(array.levels)]
                self._sums(ledger, path, [each] * len(self.work.layers))
                self._boundaries(ledger, path, [each] * len(self.work.boundaries))
        for one, a_mac, a_word in zip(array.classes, charges.a_mac, charges.a_word, strict=True):
            if a_mac or a_word:
                self._spend(ledger, one, one.count * a_mac, one.count * a_word)
        return self._graph(ledger)

    def memory(self, one: LeafClass) -> Capacity | None:
        """Return what has to fit into an accelerator of a class: what resides of weights and what layers read.

        None where its kind has no capacity.
        """
        limit = self.model.array.kinds[one.kind].accelerator.capacity
        if limit is None:
            return None
        ledger, size = Ledger(), self.model.bytes_per_element
        for i, layer in enumerate(self.work.layers):
            kept = {
                LayerTensor.WEIGHT: size * (2 + self.model.optimiser.states) * layer.weight,
                LayerTensor.F_IN: size * self.model.batch * layer.feature_in,
            }
            for tensor, count in kept.items() if not layer.is_join else ():
                layouts = [layout_of(split, tensor) for split in self.splits[i]]
                ledger.charge(ledger.unary, i, [self._whole(one.path, layouts, Fraction(count))])
        unit = ledger.unit
        usages = {i: WordUnary(word, ledger.unary_terms(i, unit)) for i, word in enumerate(self.words)}
        return Capacity(f"memory of {one.name}", floor(limit / unit), usages)

    def _graph(self, ledger: Ledger) -> CostGraph:
        unit = ledger.unit
        variables = tuple(
            Variable(layer.name, word.size, word, {"kind": layer.kind})
            for layer, word in zip(self.work.layers, self.words, strict=True)
        )
        unary = tuple({COST: WordUnary(word, ledger.unary_terms(i, unit))} for i, word in enumerate(self.words))
        edges = tuple(
            Edge(
                one.producer,
                one.reader,
                {COST: WordEdge(self.words[one.producer], self.words[one.reader], ledger.edge_terms(i, unit))},
            )
            for i, one in enumerate(self.work.boundaries)
        )
        return CostGraph(variables, unary, edges, Objective({COST: unit}))

    def _compute(self, ledger: Ledger, one: LeafClass, weights: Sequence[Fraction]) -> None:
        """Charge what a class computes: of every layer its part, whatever is split."""
        wait = self.model.barrier.wait
        for i, layer in enumerate(self.work.layers):
            weight = weights[wait(self.work, Part(i))]
            if weight and not layer.is_join:
                seconds = weight * self.model.seconds(layer, one.kind)
                worked = [Layout.N if split is Dimension.NOTHING else Layout.B for split in self.splits[i]]
                ledger.charge(ledger.unary, i, [self._whole(one.path, worked, seconds)])

    def _spend(self, ledger: Ledger, one: LeafClass, a_mac: Fraction, a_word: Fraction) -> None:
        """Charge what a class spends: for its part of the operations, and of every phase's tensors in its memory."""
        for i, layer in enumerate(self.work.layers):
            if layer.is_join:
                continue
            phases, batch = self.model.phases(layer), self.model.batch
            worked = [Layout.N if split is Dimension.NOTHING else Layout.B for split in self.splits[i]]
            macs = a_mac * phases * batch * layer.macs_on_input
            ledger.charge(ledger.unary, i, [self._whole(one.path, worked, macs)])
            held = {
                LayerTensor.F_IN: batch * layer.feature_in,
                LayerTensor.WEIGHT: layer.weight,
                LayerTensor.F_OUT: batch * layer.feature_out,
            }
            for tensor, size in held.items():
                layouts = [layout_of(split, tensor) for split in self.splits[i]]
                ledger.charge(ledger.unary, i, [self._whole(one.path, layouts, a_word * phases * size)])

    def _exchange(self, ledger: Ledger, one: LeafClass, weights: Sequence[Fraction]) -> None:
        """Charge what a class reads at every level."""
        array, wait = self.model.array, self.model.barrier.wait
        levels = range(array.levels)
        pace = [self.model.bytes_per_element / array.bandwidth(one.leaf, h) for h in levels]

        def paced(layer: int, boundary: int | None) -> list[Fraction]:
            return [weights[wait(self.work, Part(layer, boundary, h))] * pace[h] for h in levels]

        self._sums(ledger, one.path, [paced(i, None) for i in range(len(self.work.layers))])
        self._boundaries(ledger, one.path, [paced(edge.reader, i) for i, edge in enumerate(self.work.boundaries)])

    def _sums(self, ledger: Ledger, path: Path, weights: Sequence[Sequence[Fraction]]) -> None:
        """Charge partial sums: each half of a group reads the group's whole part."""
        for i, layer in enumerate(self.work.layers):
            if not any(weights[i]):
                continue
            summed = self.model.summed(layer)
            for letter, split in enumerate(self.splits[i]):
                tensor = split.partial_sums
                if tensor is None or not summed[tensor] or layer.is_join:
                    continue
                row = [Fraction(summed[tensor] if other == letter else 0) for other in range(len(self.splits[i]))]
                layouts = [layout_of(one, tensor) for one in self.splits[i]]
                above = self._scaled(path, weights[i])
                ledger.charge(ledger.unary, i, [weighed([row], 0, self._factors(path, layouts), above)])

    def _boundaries(self, ledger: Ledger, path: Path, weights: Sequence[Sequence[Fraction]]) -> None:
        """Charge F[l+1] on its way forward and E[l+1] on its way back."""
        rule = ACCOUNTINGS[self.model.accounting]
        parts = self._parts(path)
        for i, one in enumerate(self.work.boundaries):
            if not any(weights[i]):
                continue
            before, after = self.splits[one.producer], self.splits[one.reader]
            out = [layout_of(split, LayerTensor.F_OUT) for split in before]
            into = [layout_of(split, LayerTensor.F_IN) for split in after]
            free = [rule.free_after_mp and split.partial_sums is LayerTensor.F_OUT for split in before]
            elements = self.model.batch * one.feature
            above = self._scaled(path, weights[i])
            for box, forward in ((rule.feature_box, True), (rule.error_box, False)):
                layouts, side = (out, 0) if box is Side.PRODUCER else (into, 1)
                factors = self._factors(path, layouts)
                for part in dict.fromkeys(parts):  # levels that are cut alike are one term
                    here = [above[h] if part == other else Fraction(0) for h, other in enumerate(parts)]
                    here += [Fraction(0)] * (len(above) - len(here))
                    table = [
                        [elements * (part.read(a, b) if forward else part.read(b, a)) * (not skipped) for b in into]
                        for a, skipped in zip(out, free, strict=True)
                    ]
                    ledger.charge(ledger.edges, i, [weighed(table, side, factors, here)])

    def _parts(self, path: Path) -> list[HalfPart]:
        if path not in self._parts_of:
            self._parts_of[path] = [part_of(self.model.array, half, self.shares) for half in path]
        return self._parts_of[path]

    def _factors(self, path: Path, layouts: Sequence[Layout]) -> Factors:
        """Return what is left by every letter at every level, in parts of the denominator of the level's share."""
        key = path, tuple(layouts)
        if key not in self._factors_of:
            rows = [
                tuple(int(part.left(layout) * part.share.denominator) for layout in layouts)
                for part in self._parts(path)
            ]
            rows += [(1,) * len(layouts)] * (self.model.array.levels - len(rows))  # below what is charged
            self._factors_of[key] = tuple(rows)
        return self._factors_of[key]

    def _scaled(self, path: Path, weights: Sequence[Fraction]) -> list[Fraction]:
        """Return weights by level over the denominators of the factors above."""
        above = accumulate((part.share.denominator for part in self._parts(path)), mul, initial=1)
        found = [weight / scale for weight, scale in zip(weights, above, strict=False)]
        return found + [Fraction(0)] * (len(weights) - len(found))  # below what is charged

    def _whole(self, path: Path, layouts: Sequence[Layout], weight: Fraction) -> RationalTerm | None:
        """Return a term that is a weight times what is left by the letters of all levels."""
        *_, last = parts = self._parts(path)
        row = [last.left(layout) for layout in layouts]
        weights = [Fraction(0)] * (len(parts) - 1) + [weight]
        return weighed([row], 0, self._factors(path, layouts), self._scaled(path, weights))

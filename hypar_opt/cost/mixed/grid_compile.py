"""From a workload whose layers have shares of their own to a CostGraph over words with shares, as tables.

What a half reads of a boundary at a level is a product: of what the halves above leave of the tensor, by the word and
shares of one layer, and of what it needs and lacks, by the letters and shares of both at the level. So a table of two
layers is a sum, over levels, of products of a row and a small table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, gcd, lcm, prod
from operator import mul
from typing import TYPE_CHECKING, Final

import numpy as np

from hypar_opt.cost.mixed.compile import COST
from hypar_opt.cost.mixed.grid_charges import charges_of_bytes, charges_of_class
from hypar_opt.cost.mixed.grid_parts import GridParts
from hypar_opt.cost.mixed.grid_terms import GridTerms
from hypar_opt.cost.mixed.grid_words import same_words, words_on_grid
from hypar_opt.costgraph import Capacity, CostGraph, Edge, Objective, TableEdge, TableUnary, Variable
from hypar_opt.instance.choices import LayerTensor
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from hypar_opt.cost.mixed.grid_terms import OwnTerm, PairTerm
    from hypar_opt.cost.mixed.grid_words import GridWords
    from hypar_opt.cost.mixed.model import MixedModel, WaitSeconds, WaitWeights
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware.mixed import LeafClass
    from hypar_opt.instance.network import Boundary, Workload

MOST_PAIRS: Final = 2**21
"""Pairs of words with shares at one boundary."""
ROOM: Final = 2**62


@dataclass(frozen=True, eq=False)
class GridCompiler(GridTerms):
    """What a workload costs whose layers have shares of their own."""

    @classmethod
    def of(cls, work: Workload, model: MixedModel, grid: int) -> GridCompiler:
        """Return what compiles the costs of all words.

        Raises
        ------
        InputError
            If a layer may have none.
        Refusal
            If there are too many.
        """
        known: dict[Hashable, GridWords] = {}
        words = [
            known.setdefault(same_words(layer, model, grid), words_on_grid(layer, model, grid)) for layer in work.layers
        ]
        for edge in work.boundaries:
            sizes = words[edge.producer].size, words[edge.reader].size
            if prod(sizes) > MOST_PAIRS:
                names = " and ".join(f"'{work.layers[one].name}'" for one in (edge.producer, edge.reader))
                raise Refusal(
                    f"{names} have {sizes[0]:,} x {sizes[1]:,} pairs of words with shares of their own, and tables "
                    f"hold {MOST_PAIRS:,}; try a coarser grid than {grid:,}, or one share for all (parts={grid})"
                )
        return cls(work, model, tuple(words), GridParts(model.array, grid))

    def of_time(self, weights: WaitWeights) -> CostGraph:
        """Return the graph of seconds by wait and class, weighed."""
        own: list[OwnTerm] = []
        pairs: list[PairTerm] = []
        for place, weighed in enumerate(zip(*weights, strict=True)):
            if any(weighed):
                charges = charges_of_class(self.work, self.model, place, weighed)
                own += self.own(charges)
                pairs += self.pairs(charges)
        return self._graph(own, pairs)

    def of_bytes(self) -> CostGraph:
        """Return the graph of what all halves of all groups read, in bytes."""
        every = list(charges_of_bytes(self.work, self.model))
        return self._graph(
            [term for charges in every for term in self.own(charges)],
            [term for charges in every for term in self.pairs(charges)],
        )

    def seconds(self, choices: Sequence[int]) -> WaitSeconds:
        """Return the seconds by wait and class of one choice of words with shares."""
        waits, classes = self.model.barrier.waits(self.work, self.model.array.levels), len(self.model.array.classes)
        words = tuple(replace(words, rows=words.rows[[one]]) for words, one in zip(self.words, choices, strict=True))
        alone, found = replace(self, words=words), [[Fraction(0)] * classes for _ in range(waits)]
        for place in range(classes):
            charges = charges_of_class(self.work, self.model, place, [Fraction(1)] * waits)
            for own in alone.own(charges):
                found[self.model.barrier.wait(self.work, own.part)][place] += own.weight * int(own.amounts[0])
            for pair in alone.pairs(charges):
                edge = self.work.boundaries[pair.part.boundary or 0]
                here, there = (words[one].rows[0, pair.part.level] for one in (edge.producer, edge.reader))
                amount = int(pair.above[0]) * int(pair.read[here, there])
                found[self.model.barrier.wait(self.work, pair.part)][place] += pair.weight * amount
        return tuple(map(tuple, found))

    def memory(self, one: LeafClass) -> Capacity | None:
        """Return what has to fit into an accelerator of a class; None where its kind has no capacity."""
        limit = self.model.array.kinds[one.kind].accelerator.capacity
        if limit is None:
            return None
        size, usages = self.model.bytes_per_element, {}
        for i, layer in enumerate(self.work.layers):
            kept = {
                LayerTensor.WEIGHT: size * (2 + self.model.optimiser.states) * layer.weight,
                LayerTensor.F_IN: size * self.model.batch * layer.feature_in,
            }
            terms = (
                self.parts.above(self.words[i], one.path, tensor)[-1].astype(object) * (0 if layer.is_join else count)
                for tensor, count in kept.items()
            )
            usages[i] = TableUnary(np.sum(list(terms), axis=0))
        return Capacity(f"memory of {one.name}", floor(limit * self.whole(one.path)), usages)

    def _read(self, term: PairTerm) -> Array:
        """Return what is read by word of the side whose level above counts, and by letter of the other."""
        edge = self.work.boundaries[term.part.boundary or 0]
        words, level = self.words[(edge.producer, edge.reader)[term.side]], term.part.level
        return (term.read if term.side == 0 else term.read.T)[words.rows[:, level]]

    def _graph(self, own: Sequence[OwnTerm], pairs: Sequence[PairTerm]) -> CostGraph:
        """Return the graph of terms, over the unit that makes all of them whole."""
        unit = unit_of([*(term.weight for term in own), *(term.weight for term in pairs)])
        variables = tuple(
            Variable(layer.name, words.size, None, {"kind": layer.kind})
            for layer, words in zip(self.work.layers, self.words, strict=True)
        )
        unary = tuple(
            {COST: TableUnary(self._row(i, [term for term in own if term.part.layer == i], unit))}
            for i in range(len(variables))
        )
        edges = tuple(
            Edge(
                edge.producer,
                edge.reader,
                {COST: TableEdge(self._table(edge, [term for term in pairs if term.part.boundary == i], unit))},
            )
            for i, edge in enumerate(self.work.boundaries)
        )
        return CostGraph(variables, unary, edges, Objective({COST: unit}))

    def _row(self, place: int, terms: Sequence[OwnTerm], unit: Fraction) -> Array:
        """Return a layer's costs by word."""
        weights = [int(term.weight / unit) for term in terms]
        dtype = _room_for(sum(weight * int(term.amounts.max()) for weight, term in zip(weights, terms, strict=True)))
        found = np.zeros(self.words[place].size, dtype=dtype)
        for weight, term in zip(weights, terms, strict=True):
            found += term.amounts.astype(dtype) * weight
        return found

    def _table(self, edge: Boundary, terms: Sequence[PairTerm], unit: Fraction) -> Array:
        """Return a boundary's costs by words of both layers."""
        before, after = self.words[edge.producer], self.words[edge.reader]
        weights = [int(term.weight / unit) for term in terms]
        most = [int(term.above.max()) * int(term.read.max()) for term in terms]
        dtype = _room_for(sum(map(mul, weights, most)))
        rows: dict[tuple[int, int], Array] = {}
        for weight, term in zip(weights, terms, strict=True):
            key = term.side, term.part.level or 0
            more = (term.above.astype(dtype) * weight)[:, None] * self._read(term)
            rows[key] = rows[key] + more if key in rows else more
        found = np.zeros((before.size, after.size), dtype=dtype)
        for (side, level), row in rows.items():  # a row by word and letter, spread over the words with the letter
            found += row[:, after.rows[:, level]] if side == 0 else row.T[before.rows[:, level]]
        return found


def unit_of(weights: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all weights are multiples."""
    below = lcm(*(one.denominator for one in weights))
    above = gcd(*(int(one * below) for one in weights))
    return Fraction(above or 1, below)


def _room_for(most: int) -> type[np.int64] | type[object]:
    return np.int64 if most < ROOM else object

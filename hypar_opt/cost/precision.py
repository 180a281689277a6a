"""From the costs of words to those of words and bits: what is sent in fewer bits costs less, and packing costs time.

A tensor that is sent in b of B bits costs b / B of what its bytes cost; where b < B, every byte of it is packed where
it is and unpacked where it is needed. The choices of a layer are its allowed words, each with every way to send what it
sends; partial sums are its own, the feature map between two layers is sent by the producer, its error by the reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import floor, lcm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hypar_opt.cost.compile import partial_sums, words_of
from hypar_opt.costgraph import (
    Capacity,
    CostGraph,
    Edge,
    Objective,
    TableEdge,
    TableUnary,
    Variable,
    WordUnary,
)
from hypar_opt.costgraph.objective import combined_unary, weighted_edges
from hypar_opt.instance.choices import LayerTensor
from hypar_opt.instance.objective.components import COMMUNICATION, COMPUTE_TIME, ROUNDING, parts_of
from hypar_opt.instance.precision_schema import COVERED, FEATURE_MAP, GRADIENT, OF_ERROR, PrecisionSpec

if TYPE_CHECKING:
    from hypar_opt.cost.layout import CostModel
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.network import Workload

SENT: Final = "sent"
"""The one component of costs in which bits are chosen: all that is asked for, weighed."""
_TENSOR_OF: Final[Mapping[LayerTensor, str]] = {
    LayerTensor.WEIGHT: GRADIENT,
    LayerTensor.F_OUT: FEATURE_MAP,
    LayerTensor.F_IN: OF_ERROR,
}


@dataclass(frozen=True, eq=False)
class SentChoices:
    """The choices of a layer.

    Parameters
    ----------
    words
        By choice, the position of its word.
    ways
        By choice, the bits by what sensitivities are given of.
    errors
        By choice, exact.
    """

    words: Array
    ways: tuple[Mapping[str, int], ...]
    errors: tuple[Fraction, ...]

    def bits(self, tensor: str, full: int) -> Array:
        """Return by choice the bits of a tensor; in full where none are chosen."""
        given = next((name for name in self.ways[0] if tensor in COVERED[name]), None) if self.ways else None
        return np.array([full if given is None else way[given] for way in self.ways], dtype=object)


@dataclass(frozen=True, eq=False)
class PrecisionCosts:
    """The choices of all layers, and what they cost.

    Parameters
    ----------
    work, model, precision
        Of the instance.
    base
        The costs of words, each byte weighing 1.
    memory
        What has to fit into an accelerator's memory, by words; or None.
    """

    work: Workload
    model: CostModel
    precision: PrecisionSpec
    base: CostGraph
    memory: Capacity | None

    @property
    def full(self) -> int:
        """Bits of what is sent in full."""
        return 8 * self.model.bytes_per_element

    @cached_property
    def choices(self) -> tuple[SentChoices, ...]:
        """By layer."""
        found = []
        for variable in self.base.variables:
            allowed = np.arange(variable.size) if variable.mask is None else np.flatnonzero(variable.mask)
            ways = list(self.precision.options(variable.name))
            errors = [self.precision.error(variable.name, way) for way in ways]
            count = len(allowed)
            found.append(SentChoices(np.repeat(allowed, len(ways)), tuple(ways) * count, tuple(errors) * count))
        return tuple(found)

    def packing_rate(self, weights: Mapping[str, Fraction]) -> Fraction:
        """Return what a byte weighs that is packed and unpacked: a 2^H-th of them on every accelerator, twice."""
        if self.precision.packing is None:
            return Fraction(0)
        seconds = sum((one for name, one in weights.items() if COMPUTE_TIME in parts_of(name)), start=Fraction(0))
        return seconds * 2 * Fraction(self.precision.packing) / self.model.partition.leaves

    def weighed(self, words: CostGraph, weights: Mapping[str, Fraction], bounds: Sequence[Capacity] = ()) -> CostGraph:
        """Return the problem under weights.

        Parameters
        ----------
        words
            The costs of words under the same weights.
        weights
            By component.
        bounds
            What components may come to at most, by the same choices.
        """
        packed = Objective({COMMUNICATION: self.packing_rate(weights)}).divided(self.model.parts)
        of_error = weights.get(ROUNDING, Fraction(0))
        errors = [of_error * one for own in self.choices for one in own.errors]
        sent = words.objective.denominator * self.full
        unit = lcm(sent, packed.denominator, *(one.denominator for one in errors))
        tables = _Tables(self, words, packed, unit // sent, unit // packed.denominator)
        unary = tuple(
            {SENT: TableUnary(tables.of_layer(place) + _whole([of_error * unit * one for one in own.errors]))}
            for place, own in enumerate(self.choices)
        )
        edges = tuple(
            Edge(edge.first, edge.second, {SENT: TableEdge(tables.of_boundary(edge))}) for edge in self.base.edges
        )
        variables = tuple(
            Variable(one.name, len(own.words), None, one.attributes)
            for one, own in zip(self.base.variables, self.choices, strict=True)
        )
        memory = () if self.memory is None else (self._by_words(self.memory),)
        return CostGraph(variables, unary, edges, Objective({SENT: Fraction(1, unit)}), (*memory, *bounds))

    def _by_words(self, memory: Capacity) -> Capacity:
        """Return what has to fit, whose usages words alone decide, by choice."""
        usages = {
            place: TableUnary(use.dense(object)[self.choices[place].words]) for place, use in memory.usages.items()
        }
        return Capacity(memory.name, memory.limit, usages, memory.unit)

    def bound(self, name: str, most: Fraction, words: CostGraph) -> Capacity:
        """Return the constraint that a component comes to at most so much.

        Parameters
        ----------
        words
            The costs of words where that component alone weighs 1.
        """
        graph = self.weighed(words, {name: Fraction(1)})
        unit = graph.objective.denominator
        pairs = {} if name == ROUNDING else graph.edge_costs
        return Capacity(f"bound on {name}", floor(most * unit), dict(enumerate(graph.unary_costs)), unit, pairs)


@dataclass(frozen=True, eq=False)
class _Tables:
    """Costs by choices: of bytes by their bits, of packing, and of what depends on words alone.

    Parameters
    ----------
    costs, words, packed
        What is charged: bytes as `words` weighs them, bytes that are packed as `packed` does.
    of_sent, of_packed
        What the units of either are in the common one; of bytes that of one bit.
    """

    costs: PrecisionCosts
    words: CostGraph
    packed: Objective
    of_sent: int
    of_packed: int

    def of_layer(self, place: int) -> Array:
        """Return what a layer's choices cost by themselves; shape (choices,)."""
        one, own = self.costs, self.costs.choices[place]
        variable, word = self.words.variables[place], words_of(one.base)[place]
        computed = {name: cost for name, cost in self.words.unary[place].items() if name != COMMUNICATION}
        found = np.zeros(len(own.words), dtype=object)
        if computed:
            by_word = combined_unary(variable, computed, self.words.objective).dense(object)
            found = found + by_word[own.words] * (self.of_sent * one.full)
        for tensor, term in partial_sums(one.work.layers[place], word, one.model):
            sums = {COMMUNICATION: WordUnary(word, (term,))}
            costs = (combined_unary(variable, sums, each).dense(object)[own.words] for each in self.charged)
            found = found + self._scaled(costs, own.bits(_TENSOR_OF[tensor], one.full))
        return found

    def of_boundary(self, edge: Edge) -> Array:
        """Return what pairs of choices cost; shape (choices of the producer, choices of the reader)."""
        one = self.costs
        before, after = one.choices[edge.first], one.choices[edge.second]
        cost: Any = edge.costs[COMMUNICATION]
        middle = len(cost.terms) // 2  # the terms of F come first, then as many of E, by levels and by leaves
        bits = before.bits(FEATURE_MAP, one.full)[:, None], after.bits(OF_ERROR, one.full)[None, :]
        found = np.zeros((len(before.words), len(after.words)), dtype=object)
        for terms, own in zip((cost.terms[:middle], cost.terms[middle:]), bits, strict=True):
            by_words = Edge(edge.first, edge.second, {COMMUNICATION: replace(cost, terms=terms)})
            pairs = np.ix_(before.words, after.words)
            costs = (weighted_edges(by_words, each)[0].dense(object)[pairs] for each in self.charged)
            found = found + self._scaled(costs, own)
        return found

    @property
    def charged(self) -> tuple[Objective, ...]:
        """What bytes weigh, and packed ones where these weigh anything."""
        return (self.words.objective, self.packed) if any(self.packed.weights.values()) else (self.words.objective,)

    def _scaled(self, costs: Iterable[Array], bits: Array) -> Array:
        """Return what bytes cost of which so many bits of each element are sent, packed where these are not all."""
        of_bytes, *of_packing = costs
        found: Array = of_bytes * bits * self.of_sent
        for packed in of_packing:
            found = found + packed * (bits < self.costs.full) * self.of_packed
        return found


def _whole(numbers: Sequence[Fraction]) -> Array:
    return np.array([int(one) for one in numbers], dtype=object)

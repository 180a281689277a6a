"""What a boundary costs: HyPar's Table 2 on the slices that an accounting names, leaves' own boxes, or collectives."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.cost.collectives import Held, held
from hypar_opt.cost.layout import CostModel, TensorLayout, layout_of, local_quarters, needed_quarters, remote_quarters
from hypar_opt.costgraph import EdgeCost, EdgeTerm, ProductEdge, ProductTerm, WordEdge, Words
from hypar_opt.instance.accountings import ACCOUNTINGS, Accounting, Side
from hypar_opt.instance.choices import Dimension, LayerTensor, choices_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.costgraph.factors import Factors
    from hypar_opt.instance.network import Boundary, WorkLayer, Workload

    Quarters: TypeAlias = Callable[[TensorLayout, TensorLayout], int]


def boundary_cost(boundary: Boundary, work: Workload, words: list[Words], model: CostModel) -> EdgeCost:
    """Return the cost of a boundary by the words of its producer and of its reader."""
    rule = ACCOUNTINGS[model.accounting]
    cost = _by_collectives if rule.collectives else _by_leaves if rule.by_leaves else exchange_cost
    return cost(boundary, work, words, model)


def exchange_cost(
    boundary: Boundary, work: Workload, words: list[Words], model: CostModel, counted: Quarters = remote_quarters
) -> WordEdge:
    """HyPar, Table 2: F[l+1] on its way forward and E[l+1] on its way back, where an accounting has levels.

    Parameters
    ----------
    counted
        What is counted of either, by how it lies and is needed.
    """
    producer, reader = work.layers[boundary.producer], work.layers[boundary.reader]
    accounting = ACCOUNTINGS[model.accounting]
    first, second = words[boundary.producer], words[boundary.reader]
    before, after = _chosen(producer, first), _chosen(reader, second)
    if boundary.is_skip:
        return _skip(producer, first, second, before, after, model, counted)

    def term(box: Side, quarters: Quarters) -> EdgeTerm:
        unit = model.batch * boundary.feature * model.bytes_per_element // 2
        share = tuple(tuple(unit * _charged(a, b, accounting, quarters) for b in after) for a in before)
        sized_by = (first, producer, LayerTensor.F_OUT) if box is Side.PRODUCER else (second, reader, LayerTensor.F_IN)
        return EdgeTerm(share, box.value, factors(*sized_by), (1,) * model.levels)

    feature = term(accounting.feature_box, counted)
    error = term(accounting.error_box, lambda out, into: counted(into, out))
    return WordEdge(first, second, (feature, error))


def _skip(
    producer: WorkLayer,
    first: Words,
    second: Words,
    before: list[Dimension],
    after: list[Dimension],
    model: CostModel,
    counted: Quarters,
) -> WordEdge:
    """Return what passes by a block, as AccPar's released code counts it.

    Table 2 between the block's first layer and who reads the sum, of the block's input as it lies behind the level's
    own cut.
    """
    unit = model.batch * producer.feature_in * model.bytes_per_element // 2
    share = []
    for a in before:
        cut = 1 + a.halves(LayerTensor.F_IN)
        left = layout_of(a, LayerTensor.F_OUT)
        into = [layout_of(b, LayerTensor.F_IN) for b in after]
        share.append(tuple(unit * (counted(left, right) + counted(right, left)) // cut for right in into))
    term = EdgeTerm(tuple(share), 0, factors(first, producer, LayerTensor.F_IN), (1,) * model.levels)
    return WordEdge(first, second, (term,))


def _by_leaves(boundary: Boundary, work: Workload, words: list[Words], model: CostModel) -> ProductEdge:
    """2^H x (prod n_h - prod i_h) x size: the share needed less the share needed and had, of all leaves."""
    first, second = words[boundary.producer], words[boundary.reader]
    out = [layout_of(a, LayerTensor.F_OUT) for a in _chosen(work.layers[boundary.producer], first)]
    into = [layout_of(b, LayerTensor.F_IN) for b in _chosen(work.layers[boundary.reader], second)]
    size = model.batch * boundary.feature * model.bytes_per_element * model.parts

    def term(sign: int, quarters: Quarters) -> ProductTerm:
        return ProductTerm(sign * size, tuple(tuple(quarters(a, b) for b in into) for a in out))

    terms = (
        term(1, lambda _, b: needed_quarters(b)),
        term(-1, local_quarters),
        term(1, lambda a, _: needed_quarters(a)),
        term(-1, lambda a, b: local_quarters(b, a)),
    )
    return ProductEdge(first, second, terms)


def _by_collectives(boundary: Boundary, work: Workload, words: list[Words], model: CostModel) -> ProductEdge:
    """2^H x size x (prod sliced + prod needed - prod reduced - prod kept), each on the map that it is of.

    Forward partial sums are added up on what the producer writes, and all else moves behind its pools. Backward it is
    the other way around: what was scattered there is gathered there, behind the pools' backward phase.
    """
    first, second = words[boundary.producer], words[boundary.reader]
    before, after = _chosen(work.layers[boundary.producer], first), _chosen(work.layers[boundary.reader], second)
    unit = model.batch * model.bytes_per_element * model.parts
    written, read = unit * work.layers[boundary.producer].written, unit * boundary.feature
    forward = [[held(a, LayerTensor.F_OUT, b, LayerTensor.F_IN) for b in after] for a in before]
    backward = [[held(b, LayerTensor.F_IN, a, LayerTensor.F_OUT) for b in after] for a in before]

    def term(size: int, ways: list[list[Held]], stage: Callable[[Held], int]) -> ProductTerm:
        return ProductTerm(size, tuple(tuple(stage(way) for way in row) for row in ways))

    terms = (
        term(written, forward, lambda way: way.sliced),
        term(-written, forward, lambda way: way.reduced),
        term(-read, forward, lambda way: way.kept),
        term(read, forward, lambda way: way.needed),
        term(read, backward, lambda way: way.sliced),
        term(-read, backward, lambda way: way.kept),
        term(-written, backward, lambda way: way.reduced),
        term(written, backward, lambda way: way.needed),
    )
    return ProductEdge(first, second, terms)


def _charged(a: Dimension, b: Dimension, accounting: Accounting, quarters: Quarters) -> int:
    """Return the quarters of the tensor that one side reads when the producer splits a and the reader b."""
    if accounting.free_after_mp and a.partial_sums is LayerTensor.F_OUT:
        return 0
    return quarters(layout_of(a, LayerTensor.F_OUT), layout_of(b, LayerTensor.F_IN))


def _chosen(layer: WorkLayer, words: Words) -> list[Dimension]:
    """Return what each of a layer's letters splits."""
    return [choices_of(layer)[letter] for letter in words.alphabet]


def factors(words: Words, layer: WorkLayer, tensor: LayerTensor) -> Factors:
    """By level and letter: 2 where the choice leaves the tensor whole, so that its bytes double with the groups."""
    return (tuple(2 - split.halves(tensor) for split in _chosen(layer, words)),) * words.length

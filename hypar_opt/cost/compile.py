"""From a workload and an accounting to a CostGraph over strategies.

Bytes of level h (from 0) are 2^h x 2 x bytes_per_element x amount: 2^h groups, both sides of each.
A tensor of an amount is halved by every choice above that splits one of its dimensions, so that what is
left of the factor 2^h is one doubling for every choice above that does not.

Under `leaf-exact` boundaries are counted over the 2^H leaves' own boxes instead, under `collective` by what the
collectives of a program move. Those are products over the levels and multiples of 2^-H bytes, so that all costs are
then in that unit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.cost.boundaries import boundary_cost, factors
from hypar_opt.costgraph import CostGraph, Edge, Objective, UnaryTerm, Variable, Words, WordUnary
from hypar_opt.instance.choices import ANYWHERE, LETTERS, Dimension, choices_of, letters_of
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.cost.layout import CostModel
    from hypar_opt.instance.choices import LayerTensor
    from hypar_opt.instance.network import WorkLayer, Workload


def compile_workload(work: Workload, model: CostModel, objective: Objective) -> CostGraph:
    """Return the CostGraph: a variable a layer, its words the strategies, communication as the component.

    Parameters
    ----------
    objective
        Weighs bytes.
    """
    words = [_words(layer, model) for layer in work.layers]
    blocks = _beside_path(work)
    variables = tuple(
        Variable(layer.name, word.size, word, {"kind": layer.kind, **blocks.get(place, {})})
        for place, (layer, word) in enumerate(zip(work.layers, words, strict=True))
    )
    unary = tuple(
        {COMMUNICATION: WordUnary(word, tuple(term for _, term in partial_sums(layer, word, model)))}
        for layer, word in zip(work.layers, words, strict=True)
    )
    edges = tuple(
        Edge(boundary.producer, boundary.reader, {COMMUNICATION: boundary_cost(boundary, work, words, model)})
        for boundary in work.boundaries
    )
    return CostGraph(variables, unary, edges, objective.divided(model.parts))


def _beside_path(work: Workload) -> Mapping[int, Mapping[str, str]]:
    """Return by who reads a sum as released from whom it is charged beside the layer before it: the block's first one.

    Where there are several, or a layer besides that it reads as well, all are named.
    """
    behind = {edge.reader for edge in work.boundaries if edge.is_skip}
    found: dict[int, list[str]] = {reader: [] for reader in behind}
    for edge in work.boundaries:
        if edge.reader in behind and (edge.is_skip or edge.producer != edge.reader - 1):
            found[edge.reader].append(str(edge.producer))
    return {reader: {"block": " ".join(places)} for reader, places in found.items()}


def words_of(graph: CostGraph) -> tuple[Words, ...]:
    """Return every layer's words."""
    return tuple(variable.words for variable in graph.variables if variable.words is not None)


def _words(layer: WorkLayer, model: CostModel) -> Words:
    known = choices_of(layer)
    alphabet = letters_of(layer, model.choices)
    if not alphabet:
        in_groups = f"convolution '{layer.name}' in {layer.groups} groups"
        what = {"join": f"join '{layer.name}'", "grouped": in_groups, "weighted": f"layer '{layer.name}'"}[layer.role]
        *names, last = [name for name in ANYWHERE if LETTERS[name] in known]
        there = "neither is there" if len(names) == 1 else "none is there"
        raise InputError(f"the {what} chooses {', '.join(names)} or {last} only, and {there}", field="cost.choices")
    limits = tuple(_limit(layer, known[letter], model) for letter in alphabet)
    fixed = (model.fix or {}).get(layer.name)
    return Words(alphabet, model.levels, None if set(limits) == {None} else limits, fixed)


def _limit(layer: WorkLayer, split: Dimension, model: CostModel) -> int | None:
    """Return how often a dimension can be halved: groups stay whole, others where they must."""
    in_groups = split is Dimension.GROUPS and not layer.is_join
    if not split.is_split or not (model.divisible or in_groups):
        return None
    sizes = {
        Dimension.BATCH: (model.batch // model.microbatches,),
        Dimension.INPUT: layer.in_sizes,
        Dimension.OUTPUT: layer.out_sizes,
        Dimension.GROUPS: layer.in_sizes if layer.is_join else (layer.groups,),
    }
    return min((size & -size).bit_length() - 1 for size in sizes[split])


def partial_sums(layer: WorkLayer, words: Words, model: CostModel) -> Iterator[tuple[LayerTensor, UnaryTerm]]:
    """HyPar, Table 1: yield the partial sums of a choice, one term a letter that leaves any, and what is summed."""
    summed = model.summed(layer)
    for letter in words.alphabet:
        tensor = choices_of(layer)[letter].partial_sums
        if tensor is None or not summed[tensor]:
            continue
        cost = 2 * model.bytes_per_element * summed[tensor] * model.parts
        share = tuple(cost if other == letter else 0 for other in words.alphabet)
        yield tensor, UnaryTerm(share, factors(words, layer, tensor), (1,) * model.levels)

"""From a workload and an accounting to a CostGraph over strategies.

Bytes of level h (from 0) are 2^h x 2 x bytes_per_element x amount: 2^h groups, both sides of each.
A tensor of an amount is halved by every choice above that splits one of its dimensions, so that what is
left of the factor 2^h is one doubling for every choice above that does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.cost.accounting import ACCOUNTINGS, Accounting, Side
from hypar_opt.cost.layout import CHOICES, DP, MP, Choice, Dimension, Layout, Tensor, remote_quarters
from hypar_opt.costgraph import CostGraph, Edge, EdgeTerm, UnaryTerm, Variable, WordEdge, Words, WordUnary
from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.costgraph import Objective
    from hypar_opt.network import Boundary, WorkLayer, Workload

COMMUNICATION = "communication"
"""The component that counts bytes exchanged, over all levels and in both directions."""


@dataclass(frozen=True)
class CostModel:
    """What a compilation needs beside the workload.

    Parameters
    ----------
    batch
        Samples of one step.
    levels
        H.
    accounting
        A name of `ACCOUNTINGS`.
    choices
        Letters, in the order d, m, o.
    bytes_per_element
        An even number.
    divisible
        Whether a strategy is allowed only where every split dimension divides.
    fix
        Given strategies, by layer.
    """

    batch: int
    levels: int
    accounting: str = "published"
    choices: str = "dm"
    bytes_per_element: int = 4
    divisible: bool = False
    fix: Mapping[str, str] | None = None


def compile_workload(work: Workload, model: CostModel, objective: Objective) -> CostGraph:
    """Return the CostGraph: a variable a layer, its words the strategies, communication as the component."""
    words = [_words(layer, model) for layer in work.layers]
    variables = tuple(
        Variable(layer.name, word.size, word, {"kind": layer.kind})
        for layer, word in zip(work.layers, words, strict=True)
    )
    unary = tuple(
        {COMMUNICATION: WordUnary(word, _intra(layer, word, model))}
        for layer, word in zip(work.layers, words, strict=True)
    )
    edges = tuple(_edge(boundary, work, words, model) for boundary in work.boundaries)
    return CostGraph(variables, unary, edges, objective)


def letters_of(layer: WorkLayer, choices: str) -> str:
    """Return the letters a layer may choose: a join has no out dimension, so d and m only."""
    return "".join(x for x in choices if x in (DP.letter, MP.letter)) if layer.is_join else choices


def _words(layer: WorkLayer, model: CostModel) -> Words:
    alphabet = letters_of(layer, model.choices)
    if not alphabet:
        raise InputError(f"the join '{layer.name}' chooses dp or mp only, and neither is there", field="cost.choices")
    limits = tuple(_halvings(layer, CHOICES[letter], model.batch) for letter in alphabet) if model.divisible else None
    return Words(alphabet, model.levels, limits, (model.fix or {}).get(layer.name))


def _halvings(layer: WorkLayer, choice: Choice, batch: int) -> int:
    """Return how often the dimension that a choice splits can be halved and stay whole."""
    sizes = {Dimension.BATCH: (batch,), Dimension.IN: layer.in_sizes, Dimension.OUT: layer.out_sizes}
    return min((size & -size).bit_length() - 1 for size in sizes[choice.splits])


def _intra(layer: WorkLayer, words: Words, model: CostModel) -> tuple[UnaryTerm, ...]:
    """HyPar, Table 1: the partial sums of a choice, one term a letter; a join has none."""
    if layer.is_join:
        return ()
    elements = {
        Tensor.F_IN: model.batch * layer.feature_in,
        Tensor.WEIGHT: layer.weight,
        Tensor.F_OUT: model.batch * layer.feature_out,
    }
    terms = []
    for letter in words.alphabet:
        tensor = CHOICES[letter].partial_sums
        share = tuple(
            2 * model.bytes_per_element * elements[tensor] if other == letter else 0 for other in words.alphabet
        )
        terms.append(UnaryTerm(share, _growing(words, layer, tensor), (1,) * model.levels))
    return tuple(terms)


def _edge(boundary: Boundary, work: Workload, words: list[Words], model: CostModel) -> Edge:
    """HyPar, Table 2: F[l+1] on its way forward and E[l+1] on its way back."""
    producer, reader = work.layers[boundary.producer], work.layers[boundary.reader]
    accounting = ACCOUNTINGS[model.accounting]
    first, second = words[boundary.producer], words[boundary.reader]

    def term(box: Side, quarters: Callable[[Layout, Layout], int]) -> EdgeTerm:
        unit = model.batch * boundary.feature * model.bytes_per_element // 2
        share = tuple(
            tuple(unit * _charged(producer, a, b, accounting, quarters) for b in second.alphabet)
            for a in first.alphabet
        )
        growing = (
            _growing(first, producer, Tensor.F_OUT) if box is Side.PRODUCER else _growing(second, reader, Tensor.F_IN)
        )
        return EdgeTerm(share, box.value, growing, (1,) * model.levels)

    feature = term(accounting.feature_box, remote_quarters)
    error = term(accounting.error_box, lambda out, into: remote_quarters(into, out))
    return Edge(boundary.producer, boundary.reader, {COMMUNICATION: WordEdge(first, second, (feature, error))})


def _charged(
    producer: WorkLayer, a: str, b: str, accounting: Accounting, quarters: Callable[[Layout, Layout], int]
) -> int:
    """Return the quarters of the tensor that one side reads when the producer chose a and the reader b."""
    if accounting.free_after_mp and a == MP.letter and not producer.is_join:
        return 0
    out = layout_of(producer, CHOICES[a], Tensor.F_OUT)
    # a reader's input layout follows the rule whether it is weighted or a join: a join offers d and m only
    return quarters(out, CHOICES[b].layout(Tensor.F_IN))


def layout_of(layer: WorkLayer, choice: Choice, tensor: Tensor) -> Layout:
    """Return a tensor's layout; a join lays its output out as its input."""
    return choice.layout(Tensor.F_IN if layer.is_join else tensor)


def _growing(words: Words, layer: WorkLayer, tensor: Tensor) -> tuple[bool, ...]:
    """By letter: whether the choice leaves the tensor whole, so that its bytes double with the groups."""
    own = Tensor.F_IN if layer.is_join else tensor
    return tuple(not CHOICES[letter].halves(own) for letter in words.alphabet)

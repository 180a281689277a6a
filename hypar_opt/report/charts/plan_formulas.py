"""The formula of every number of a plan's grid, with the numbers filled in.

Written from the layout rule and the accountings; the numbers beside it come from the boxes, and tests compare the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.cost.layout import TensorLayout, layout_of, remote_quarters
from hypar_opt.instance.accountings import ACCOUNTINGS, Side
from hypar_opt.instance.choices import LayerTensor, choices_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.network import Boundary, WorkLayer
    from hypar_opt.solver.network_problem import NetworkProblem

GENERAL: Final = (
    "Formulae: 2^(h-1) groups of level h × 2 sides × bytes of an element × the share that a side reads × elements of "
    "the whole tensor / 2^(choices above that split it)."
)
"""What all of them are."""
BY_LEAVES: Final = "no formula of one level: what the leaves' own boxes lack, counted leaf by leaf"
COLLECTIVES: Final = "no formula of one level: what the collectives of all levels together move"
ELSEWHERE: Final = "nothing here: its partial sums are part of what the boundary exchanges"
NO_INPUT_ERROR: Final = "nothing: training needs no error of the network's input"
NAMES: Final[Mapping[LayerTensor, str]] = MappingProxyType(
    {LayerTensor.F_IN: "E[l]", LayerTensor.WEIGHT: "dW[l]", LayerTensor.F_OUT: "F[l+1]"}
)
"""What is summed over halves, of the size of which tensor."""
SHARES: Final[Mapping[int, str]] = MappingProxyType({1: "1/4 × ", 2: "1/2 × ", 4: ""})
"""By quarters of the tensor."""


@dataclass(frozen=True)
class Amount:
    """The bytes that all groups of a level exchange of a tensor.

    Parameters
    ----------
    level
        From 0: the groups are 2^level.
    element
        Bytes.
    quarters
        Of the tensor, that each side reads.
    elements
        Of the whole tensor.
    halvings
        Choices above that split the tensor.
    """

    level: int
    element: int
    quarters: int
    elements: int
    halvings: int

    @property
    def held(self) -> Fraction:
        """Elements of the tensor that a group of the level holds."""
        return Fraction(self.elements, 1 << self.halvings)

    @property
    def value(self) -> Fraction:
        """Bytes."""
        return (2 * self.element << self.level) * self.held * self.quarters / 4

    def __str__(self) -> str:
        share = SHARES[self.quarters]
        return f"2^{self.level} × 2 × {self.element} B × {share}{self.elements:,} / 2^{self.halvings}"


def summed(problem: NetworkProblem, layer: WorkLayer, word: str, h: int) -> tuple[str, Amount] | str:
    """Return which tensor's partial sums a layer exchanges at a level (HyPar, Table 1), and how much, or why none."""
    tensor = choices_of(layer)[word[h]].partial_sums
    if layer.is_join:
        return "nothing: it has no weights"
    if tensor is None:
        return f"nothing: {word[h]} splits its {layer.groups:,} groups"
    elements = problem.model.summed(layer)[tensor]
    if not elements:
        return NO_INPUT_ERROR if tensor is LayerTensor.F_IN and layer.reads_input else ELSEWHERE
    amount = Amount(h, problem.instance.bytes_per_element, 4, elements, _halvings(layer, word[:h], tensor))
    return NAMES[tensor], amount


def crossed(
    problem: NetworkProblem, edge: Boundary, words: Mapping[str, str], h: int
) -> tuple[Amount | str, Amount | str]:
    """Return what a boundary's F and E come to at a level (HyPar, Table 2), or why there is no formula for them."""
    rule = ACCOUNTINGS[problem.instance.accounting]
    producer, reader = problem.work.layers[edge.producer], problem.work.layers[edge.reader]
    before, after = words[producer.name], words[reader.name]
    if rule.by_leaves:
        why = COLLECTIVES if rule.collectives else BY_LEAVES
        return why, why
    left, right = choices_of(producer)[before[h]], choices_of(reader)[after[h]]
    if rule.free_after_mp and left.partial_sums is LayerTensor.F_OUT:
        why = "0: this accounting charges nothing behind mp"
        return why, why
    written, needed = layout_of(left, LayerTensor.F_OUT), layout_of(right, LayerTensor.F_IN)
    above = {
        Side.PRODUCER: _halvings(producer, before[:h], LayerTensor.F_OUT),
        Side.READER: _halvings(reader, after[:h], LayerTensor.F_IN),
    }
    instance = problem.instance

    def read(has: TensorLayout, needs: TensorLayout, box: Side) -> Amount | str:
        quarters = remote_quarters(has, needs)
        if not quarters:
            return f"0: has {has.name}, needs {needs.name}"
        return Amount(h, instance.bytes_per_element, quarters, instance.batch * edge.feature, above[box])

    return read(written, needed, rule.feature_box), read(needed, written, rule.error_box)


def _halvings(layer: WorkLayer, above: str, tensor: LayerTensor) -> int:
    known = choices_of(layer)
    return sum(known[letter].halves(tensor) for letter in above)

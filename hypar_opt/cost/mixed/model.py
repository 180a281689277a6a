"""How plans on an array of several kinds are charged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol, TypeAlias

from hypar_opt.cost.counting import Counter
from hypar_opt.cost.mixed.dividing import dividing
from hypar_opt.costgraph import Words
from hypar_opt.instance.choices import Dimension, LayerTensor, choices_of, letters_of
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from hypar_opt.costgraph import Capacity, CostGraph
    from hypar_opt.instance.barriers import Barrier
    from hypar_opt.instance.hardware.accelerator import Optimiser
    from hypar_opt.instance.hardware.mixed import LeafClass, MixedArray
    from hypar_opt.instance.network import WorkLayer

Shares: TypeAlias = tuple[Fraction, ...]
"""By split, what its first half gets."""
WaitWeights: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""By wait and class, what a second weighs."""
WaitSeconds: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""By wait and class."""


class MixedCompiler(Protocol):
    """Says what a workload costs."""

    def of_time(self, weights: WaitWeights) -> CostGraph:
        """Return the graph of seconds by wait and class, weighed."""

    def of_bytes(self) -> CostGraph:
        """Return the graph of what all halves of all groups read, in bytes."""

    def memory(self, one: LeafClass) -> Capacity | None:
        """Return what has to fit into an accelerator of a class; None where its kind has no capacity."""


@dataclass(frozen=True)
class MixedModel:
    """How a workload is charged.

    Parameters
    ----------
    batch, accounting, choices, bytes_per_element, fix, input_error, optimiser
        Of the instance.
    array
        Its kinds.
    barrier
        Where groups wait.
    divided
        The shares at which whatever is cut has to be cut into whole numbers; None where it need not.
    """

    batch: int
    array: MixedArray
    barrier: Barrier
    optimiser: Optimiser
    accounting: str = "published"
    choices: str = "dmo"
    bytes_per_element: int = 4
    fix: Mapping[str, str] | None = None
    input_error: bool = True
    divided: Shares | None = None

    def words(self, layer: WorkLayer) -> Words:
        """Return what a layer may have: letters that split nothing only where all groups of a level are splits.

        Raises
        ------
        InputError
            If there is none.
        """
        split = choices_of(layer)
        alphabet = letters_of(layer, self.choices)
        cutting = "".join(letter for letter in alphabet if split[letter] is not Dimension.NOTHING)
        by_level = tuple(alphabet if one else cutting for one in self.array.may_idle)
        if not all(by_level):
            where = f"and at level {by_level.index('') + 1} not all groups have unlike halves, one of which could idle"
            raise InputError(f"'{layer.name}' has no choice that splits it, {where}", field="cost.choices")
        limits = tuple(
            (layer.groups & -layer.groups).bit_length() - 1
            if split[letter] is Dimension.GROUPS and not layer.is_join
            else None
            for letter in alphabet
        )
        fixed = (self.fix or {}).get(layer.name)
        divided = self.divided
        patterns = None if divided is None else tuple(dividing(layer, alphabet, self.batch, self.array, divided))
        return Words(
            alphabet,
            self.array.levels,
            None if set(limits) == {None} else limits,
            fixed,
            letters_at=None if alphabet == cutting or not cutting else by_level,
            patterns=patterns or None,
        )

    def seconds(self, layer: WorkLayer, kind: int) -> Fraction:
        """Return how long one accelerator of a kind computes a whole layer, alone."""
        one = Counter(
            self.array.kinds[kind].accelerator,
            self.optimiser,
            self.batch,
            self.array.partition,
            self.bytes_per_element,
            self.input_error,
        )
        return one.work(layer, "", ()).seconds

    def phases(self, layer: WorkLayer) -> int:
        """Return how many phases a layer has: without backward where nobody asks for the error of the input."""
        return 3 if self.input_error or not layer.reads_input else 2

    def summed(self, layer: WorkLayer) -> Mapping[LayerTensor, int]:
        """Return the elements of what the phases of a layer end in where the dimension that they sum over is split."""
        has_error = self.input_error or not layer.reads_input
        return {
            LayerTensor.F_IN: self.batch * layer.feature_in if has_error else 0,
            LayerTensor.WEIGHT: layer.weight,
            LayerTensor.F_OUT: self.batch * layer.feature_out,
        }

"""What of a layer one accelerator holds: every level splits one dimension."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from hypar_opt.evaluation.choices import halving_of
from hypar_opt.evaluation.legality import Rules, allowed_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.hardware.accelerator import Accelerator, Optimiser
    from hypar_opt.instance.network import WorkLayer, Workload
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Slice:
    """An accelerator's share of a weighted layer.

    Parameters
    ----------
    samples
        Of the batch.
    inputs, outputs, groups
        Shares of the layer's input and output dimension, and of its groups.
    """

    samples: Fraction
    inputs: Fraction = Fraction(1)
    outputs: Fraction = Fraction(1)
    groups: Fraction = Fraction(1)

    @staticmethod
    def of(layer: WorkLayer, word: str, batch: int, partition: Partition, leaf: int = 0) -> Slice:
        """Follow a layer's word from the root to a leaf."""
        sizes = {"batch": Fraction(batch)} | dict.fromkeys(("input", "output", "groups"), Fraction(1))
        for level, letter in enumerate(word):
            split = halving_of(layer, letter).splits
            if split is not None:
                sizes[split] *= partition.share(leaf, level)
        return Slice(sizes["batch"], sizes["input"], sizes["output"], sizes["groups"])

    def weight(self, layer: WorkLayer) -> Fraction:
        """Return elements of W[l]."""
        return layer.weight * self.groups * self.inputs * self.outputs

    def feature_in(self, layer: WorkLayer) -> Fraction:
        """Return elements of F[l]."""
        return layer.feature_in * self.samples * self.groups * self.inputs

    def feature_out(self, layer: WorkLayer) -> Fraction:
        """Return elements of F[l+1], as the next layer reads it."""
        return layer.feature_out * self.samples * self.groups * self.outputs

    def written(self, layer: WorkLayer) -> Fraction:
        """Return elements of what the layer makes: filters on every position of its output map."""
        filters = Fraction(layer.weight, prod(layer.kernel) * layer.in_sizes[0])
        return filters * prod(layer.map_out) * self.samples * self.groups * self.outputs

    def macs(self, layer: WorkLayer) -> Fraction:
        """Return multiply-accumulates of a phase: every weight on every position of the output map."""
        return self.weight(layer) * prod(layer.map_out) * self.samples

    def macs_on_input(self, layer: WorkLayer) -> Fraction:
        """Return the same, counted on the positions of the input map."""
        return self.weight(layer) * prod(layer.map_in) * self.samples


@dataclass(frozen=True)
class StepSetting:
    """The machine and the training.

    Parameters
    ----------
    accelerator, optimiser
        Every accelerator is alike.
    batch, partition, bytes_per_element, input_error
        As in the instance.

    Raises
    ------
    ValueError
        If no leaf stands for all: what follows counts what one accelerator does.
    """

    accelerator: Accelerator
    optimiser: Optimiser
    batch: int
    partition: Partition
    bytes_per_element: int
    input_error: bool = True

    def __post_init__(self) -> None:
        if not self.partition.uniform:
            raise ValueError("leaves of unequal shares or types of accelerators, and one is counted for all")


def resident(work: Workload, strategies: Mapping[str, str], setting: StepSetting) -> dict[str, Fraction]:
    """Return the bytes of every layer: W, dW, what the optimiser keeps, and F[l] from forward to backward.

    Joins keep nothing; what only passes through (errors, partial sums, chunks) is not counted.
    """
    return {layer.name: resident_of(layer, strategies[layer.name], setting) for layer in work.layers}


def resident_of(layer: WorkLayer, word: str, setting: StepSetting) -> Fraction:
    """Return the bytes of one layer."""
    if layer.is_join:
        return Fraction(0)
    part = Slice.of(layer, word, setting.batch, setting.partition)
    elements = (2 + setting.optimiser.states) * part.weight(layer) + part.feature_in(layer)
    return elements * setting.bytes_per_element


def kept_by_kind(work: Workload, strategies: Mapping[str, str], setting: StepSetting) -> tuple[Fraction, Fraction]:
    """Return two parts of what is resident in bytes: W of all layers, and F[l] of all from forward to backward."""
    parts = [
        (layer, Slice.of(layer, strategies[layer.name], setting.batch, setting.partition))
        for layer in work.layers
        if not layer.is_join
    ]
    weights = sum((part.weight(layer) for layer, part in parts), start=Fraction(0))
    maps = sum((part.feature_in(layer) for layer, part in parts), start=Fraction(0))
    return setting.bytes_per_element * weights, setting.bytes_per_element * maps


def least_resident(work: Workload, rules: Rules, setting: StepSetting) -> dict[str, Fraction] | None:
    """Return the least that every layer can keep, whatever the others do; None where one has no allowed word."""
    found = {}
    for layer in work.layers:
        kept = [resident_of(layer, word, setting) for word in allowed_words(layer, rules)]
        if not kept:
            return None
        found[layer.name] = min(kept)
    return found

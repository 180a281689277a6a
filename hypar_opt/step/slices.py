"""What of a layer one accelerator holds: every choice halves one dimension."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.network import WorkLayer


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
    def of(layer: WorkLayer, word: str, batch: int) -> Slice:
        """Follow a layer's word from the root to a leaf."""
        part = Slice(Fraction(batch))
        for letter in word:
            if letter == "d":
                part = replace(part, samples=part.samples / 2)
            elif letter == "m" and layer.groups > 1:
                part = replace(part, groups=part.groups / 2)
            elif letter == "m":
                part = replace(part, inputs=part.inputs / 2)
            else:
                part = replace(part, outputs=part.outputs / 2)
        return part

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

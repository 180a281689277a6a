"""What stays in an accelerator's memory during a training step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.boxes import allowed_words
from hypar_opt.step.slices import Slice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.boxes import Rules
    from hypar_opt.network import WorkLayer, Workload
    from hypar_opt.step.setting import Setting


def resident(work: Workload, strategies: Mapping[str, str], setting: Setting) -> dict[str, Fraction]:
    """Return the bytes of every layer: W, dW, what the optimiser keeps, and F[l] from forward to backward.

    Joins keep nothing; what only passes through (errors, partial sums, chunks) is not counted.
    """
    return {layer.name: resident_of(layer, strategies[layer.name], setting) for layer in work.layers}


def resident_of(layer: WorkLayer, word: str, setting: Setting) -> Fraction:
    """Return the bytes of one layer."""
    if layer.is_join:
        return Fraction(0)
    part = Slice.of(layer, word, setting.batch)
    elements = (2 + setting.optimiser.states) * part.weight(layer) + part.feature_in(layer)
    return elements * setting.bytes_per_element


def least_resident(work: Workload, rules: Rules, setting: Setting) -> dict[str, Fraction] | None:
    """Return the least that every layer can keep, whatever the others do; None where one has no allowed word."""
    found = {}
    for layer in work.layers:
        kept = [resident_of(layer, word, setting) for word in allowed_words(layer, rules)]
        if not kept:
            return None
        found[layer.name] = min(kept)
    return found

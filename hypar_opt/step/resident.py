"""What stays in an accelerator's memory during a training step."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.step.slices import Slice

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.network import Workload
    from hypar_opt.step.setting import Setting


def resident(work: Workload, strategies: Mapping[str, str], setting: Setting) -> dict[str, Fraction]:
    """Return the bytes of every layer: W, dW, what the optimiser keeps, and F[l] from forward to backward.

    Joins keep nothing; what only passes through (errors, partial sums, chunks) is not counted.
    """
    found = {}
    for layer in work.layers:
        part = Slice.of(strategies[layer.name], setting.batch)
        weights = 2 + setting.optimiser.states
        elements = Fraction(0) if layer.is_join else weights * part.weight(layer) + part.feature_in(layer)
        found[layer.name] = elements * setting.bytes_per_element
    return found

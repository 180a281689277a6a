"""Softmax that is written out: exp(x - max(x)) over its sum."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.importers.draft import DraftLayer
    from hypar_opt.importers.rules import LayerMap


def softmax(known: LayerMap, layer: DraftLayer) -> None:
    """Have softmax for a function of x - m(x) over its own sum, m being anything over the same dimension."""
    if layer.kind != "elementwise" or len(layer.inputs) != 2:
        return
    above, below = layer.inputs
    summed = known.sum_of(below)
    if summed is None or summed[0] != above:
        return
    less = known.get(known.below(above))
    if less is None or less.kind != "elementwise" or len(less.inputs) != 2:
        return
    largest = known.sum_of(less.inputs[1])
    if largest is not None and largest[0] == less.inputs[0] and largest[1:] == summed[1:]:
        known.change(layer, "softmax", {"over": summed[2]}, less.inputs[0])

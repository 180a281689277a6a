"""Normalisations that are written out: x over the root of a mean of squares, x less its mean before that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.importers.draft import DraftLayer
    from hypar_opt.importers.rules import LayerMap


def rms_norm(known: LayerMap, layer: DraftLayer) -> None:
    """Have a normalisation for x times a function of a sum over functions of x."""
    if layer.kind != "elementwise" or len(layer.inputs) != 2:
        return
    for x, other in (layer.inputs, layer.inputs[::-1]):
        summed = known.sum_of(other)
        if summed is None or summed[2] == "channels" or not summed[1].partition(" -> ")[0].endswith(summed[2]):
            continue
        if summed[0] != x and known.below(summed[0]) == x and known.get(other) is not None:
            known.change(layer, "norm", {"kind": "rms", "parameters": False}, x)
            return


def layer_norm(known: LayerMap, layer: DraftLayer) -> None:
    """Have one normalisation for x less its mean, normalised."""
    if layer.kind != "norm" or layer.fields != {"kind": "rms", "parameters": False}:
        return
    less = known.get(layer.inputs[0])
    if less is None or less.kind != "elementwise" or len(less.inputs) != 2:
        return
    mean = known.sum_of(less.inputs[1])
    if mean is not None and mean[0] == less.inputs[0]:
        known.change(layer, "norm", {"kind": "layer", "parameters": False}, less.inputs[0])


def scaled_norm(known: LayerMap, layer: DraftLayer) -> None:
    """Have the trained numbers by which what is normalised is multiplied as those of the normalisation."""
    if layer.kind != "einsum" or len(layer.inputs) != 1 or "weight" not in layer.weights or layer.shared is not None:
        return
    norm = known.get(layer.inputs[0])
    if norm is None or norm.kind != "norm" or norm.fields.get("parameters", True) or known.readers(norm.name) != 1:
        return
    read, _, made = layer.fields["equation"].partition(" -> ")
    own, _, trained = read.partition(", ")
    is_scale = own == made and trained == own.split()[-1]
    wanted = norm.fields["kind"] == "rms" and not layer.fields.get("bias")
    if is_scale and (wanted or (norm.fields["kind"] == "layer" and bool(layer.fields.get("bias")))):
        known.change(layer, "norm", {"kind": norm.fields["kind"]}, norm.inputs[0])

"""Matrices of several layers in one, as those of queries, keys and values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.importers.draft import Layer
    from hypar_opt.importers.rules import LayerMap


def unpacked(known: LayerMap, layer: Layer) -> None:
    """Have a linear layer for each part into which what a larger one writes is cut: each can be split by itself."""
    if layer.kind != "split" or layer.fields["over"] != "features":
        return
    whole = known.get(layer.inputs[0])
    if whole is None or whole.kind != "linear" or known.readers(whole.name) != 1:
        return
    if whole.shared is not None or known.is_shared(whole.name):
        return
    into = layer.fields["into"]
    sizes = [whole.fields["features"] // into] * into if isinstance(into, int) else list(into.values())
    parts = list(map(str, range(into))) if isinstance(into, int) else list(into)
    made = [
        replace(whole, name=f"{whole.name}.{part}", fields={**whole.fields, "features": size})
        for part, size in zip(parts, sizes, strict=True)
    ]
    if any(one.name in known for one in made):
        return
    known.replace(whole.name, made)
    known.rename({f"{layer.name}.{part}": one.name for part, one in zip(parts, made, strict=True)})

"""Matrices of several layers in one, as those of queries, keys and values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.importers.draft import DraftLayer
    from hypar_opt.importers.rules import LayerMap


def unpacked(known: LayerMap, layer: DraftLayer) -> None:
    """Have a linear layer for each part into which what a larger one writes is cut: each can be split by itself."""
    if layer.kind == "reshape":
        _selected(known, layer)
    if layer.kind != "split" or layer.fields["over"] != "features":
        return
    whole = _packed(known, layer)
    if whole is None:
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


def _packed(known: LayerMap, layer: DraftLayer) -> DraftLayer | None:
    """Return the linear layer that one reads alone, if its parameters are its own."""
    whole = known.get(layer.inputs[0])
    if whole is None or whole.kind != "linear" or known.readers(whole.name) != 1:
        return None
    return None if whole.shared is not None or known.is_shared(whole.name) else whole


def _selected(known: LayerMap, layer: DraftLayer) -> None:
    """Have a linear layer for each place that is read of the outermost dimension into which its features fall."""
    whole, (*_, outer, _) = _packed(known, layer), (*layer.fields, "", "")[: max(2, len(layer.fields))]
    readers = [one for one in known.all() if layer.name in one.inputs]
    count = layer.fields.get(outer)
    if whole is None or count is None or {one.kind for one in readers} != {"part"} or len(readers) != count:
        return
    if any(one.fields != {"over": outer, "size": 1} for one in readers):
        return
    if sorted(-1 if one.place is None else one.place for one in readers) != list(range(count)):
        return
    if whole.fields["features"] != count * list(layer.fields.values())[-1]:
        return
    features = whole.fields["features"] // count
    made = {
        one.name: replace(whole, name=f"{whole.name}.{one.place}", fields={**whole.fields, "features": features})
        for one in readers
    }
    if any(one.name in known for one in made.values()):
        return
    known.replace(whole.name, list(made.values()))
    for one in readers:
        known.change(one, "reshape", {**layer.fields, outer: 1}, made[one.name].name)

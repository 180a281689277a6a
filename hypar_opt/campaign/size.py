"""How large a document is: the order in which shrinking goes down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hypar_opt.campaign.drawing import Document

Size: TypeAlias = tuple[int, int, int, int]
"""Layers (pools and the like included), levels, convolutions, the sum of all sizes. Compared in this order, in
which nothing can shrink for ever."""
Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a value."""


def size(document: Document) -> Size:
    """Return a document's size."""
    layers = document["network"]["layers"]
    convs = sum("conv" in layer for layer in layers)
    return len(layers), document["array"]["levels"], convs, sum(at(document, place) for place in numbers(document))


def numbers(document: Document) -> list[Place]:
    """Return where a document has sizes: batch, input, and every layer's."""
    places: list[Place] = [("batch",)]
    places += [("network", "input", i) for i in range(len(document["network"]["input"]))]
    for i, layer in enumerate(document["network"]["layers"]):
        for kind, fields in layer.items():
            if isinstance(fields, dict):
                places += _of_layer(("network", "layers", i, kind), fields)
    return places


def _of_layer(place: Place, fields: Document) -> list[Place]:
    found: list[Place] = []
    for field, value in fields.items():
        if isinstance(value, int):
            found.append((*place, field))
        elif isinstance(value, list | tuple):
            found += [(*place, field, n) for n in range(len(value))]
    return found


def at(document: Document, place: Place) -> Any:
    """Return a value of a document."""
    found: Any = document
    for key in place:
        found = found[key]
    return found

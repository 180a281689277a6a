"""How large a document is, and every document that is one step smaller."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.campaign.drawing import Document

Size: TypeAlias = tuple[int, int, int, int]
"""Layers (pools and the like included), levels, convolutions, the sum of all sizes. Compared in this order, in
which nothing can shrink for ever."""
Place: TypeAlias = tuple[str | int, ...]
"""Keys and positions that lead to a number."""
_LEAST: Final = {"pad": 0}
"""The least of a number where it is not 1."""


def size(document: Document) -> Size:
    """Return a document's size."""
    layers = document["network"]["layers"]
    convs = sum("conv" in layer for layer in layers)
    return len(layers), document["array"]["levels"], convs, sum(_at(document, place) for place in numbers(document))


def numbers(document: Document) -> list[Place]:
    """Return where a document has sizes: batch, input, and every layer's."""
    places: list[Place] = [("batch",)]
    places += [("network", "input", i) for i in range(len(document["network"]["input"]))]
    for i, layer in enumerate(document["network"]["layers"]):
        for kind, fields in layer.items():
            if not isinstance(fields, dict):
                continue
            for field, value in fields.items():
                if isinstance(value, int):
                    places.append(("network", "layers", i, kind, field))
                elif isinstance(value, list | tuple):
                    places += [("network", "layers", i, kind, field, n) for n in range(len(value))]
    return places


def smaller(document: Document) -> Iterator[Document]:
    """Yield every document that is one step smaller, the largest steps first; not each of them fits together."""
    before = size(document)
    for candidate in _candidates(document):
        if size(candidate) < before:
            yield candidate


def _candidates(document: Document) -> Iterator[Document]:
    layers = document["network"]["layers"]
    for i in range(len(layers) if len(layers) > 1 else 0):
        yield _with(document, ("network", "layers"), layers[:i] + layers[i + 1 :])
    for levels in range(1, document["array"]["levels"]):
        yield _with(document, ("array", "levels"), levels)
    for i, layer in enumerate(layers):
        if "conv" in layer:
            linear = {"name": layer["name"], "linear": {"features": layer["conv"]["filters"]}}
            yield _with(document, ("network", "layers", i), linear)
    if len(document["network"]["input"]) == 3:
        yield _with(document, ("network", "input"), document["network"]["input"][:1])
    for place in numbers(document):
        for value in _lower(_at(document, place), _LEAST.get(str(place[-1]), 1)):
            yield _with(document, place, value)


def _lower(value: int, least: int) -> list[int]:
    """Return lower numbers: the least, then less and less below: by a half, a quarter, ..., one."""
    steps = [value >> k for k in range(1, value.bit_length())]
    return list(dict.fromkeys([least, *(value - step for step in steps)])) if value > least else []


def _at(document: Document, place: Place) -> int:
    found = document
    for key in place:
        found = found[key]  # type: ignore[index]
    return int(found)  # type: ignore[call-overload, no-any-return]


def _with(document: Document, place: Place, value: object) -> Document:
    """Return a copy with one value replaced."""
    copy = deepcopy(document)
    inner = copy
    for key in place[:-1]:
        inner = inner[key]  # type: ignore[index]
    inner[place[-1]] = value  # type: ignore[index]
    return copy

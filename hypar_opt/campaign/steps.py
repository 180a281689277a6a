"""Every document that is one step smaller than another, the largest steps first."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.campaign.document import instance_of
from hypar_opt.campaign.size import Place, at, numbers, size
from hypar_opt.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.campaign.drawing import Document

_LEAST: Final = {"pad": 0}
"""The least of a number where it is not 1."""
_WEIGHTED: Final = ("conv", "linear")


def smaller(document: Document) -> Iterator[Document]:
    """Yield every document that is one step smaller; not each of them fits together."""
    before = size(document)
    for step in (_fewer_layers, _fewer_levels, _linear_instead, _flat_input, _all_halved, _lower_number, _lower_pair):
        yield from (candidate for candidate in step(document) if size(candidate) < before)


def _fewer_layers(document: Document) -> Iterator[Document]:
    layers = document["network"]["layers"]
    for i in range(len(layers) if len(layers) > 1 else 0):
        yield _with(document, {("network", "layers"): layers[:i] + layers[i + 1 :]})


def _fewer_levels(document: Document) -> Iterator[Document]:
    for levels in range(1, document["array"]["levels"]):
        yield _with(document, {("array", "levels"): levels})


def _linear_instead(document: Document) -> Iterator[Document]:
    """Put a linear layer for a convolution and the pools behind it: with as many filters, or as many outputs."""
    layers, shapes = document["network"]["layers"], _shapes(document)
    for i, layer in enumerate(layers):
        if "conv" not in layer:
            continue
        end = i + 1
        while end < len(layers) and not any(kind in layers[end] for kind in _WEIGHTED):
            end += 1
        for features in (layer["conv"]["filters"], prod(shapes.get(layers[end - 1]["name"], (1,)))):
            linear = {"name": layer["name"], "linear": {"features": features}}
            yield _with(document, {("network", "layers"): [*layers[:i], linear, *layers[end:]]})


def _flat_input(document: Document) -> Iterator[Document]:
    """Put features for a map: as many as there are channels, or elements, or as the first layer leaves."""
    shape, layers = document["network"]["input"], document["network"]["layers"]
    if len(shape) == 3:
        for features in (shape[0], prod(shape)):
            yield _with(document, {("network", "input"): [features]})
        if len(layers) > 1:
            first = _shapes(document).get(layers[0]["name"], (1,))
            yield _with(document, {("network", "input"): list(first), ("network", "layers"): layers[1:]})


def _all_halved(document: Document) -> Iterator[Document]:
    halves = {place: max(_least(place), at(document, place) // 2) for place in numbers(document)}
    yield _with(document, halves)


def _lower_number(document: Document) -> Iterator[Document]:
    for place in numbers(document):
        for value in _lower(at(document, place), _least(place)):
            yield _with(document, {place: value})


def _lower_pair(document: Document) -> Iterator[Document]:
    """Lower two numbers at once, to a half or by one: where neither can go down alone."""
    for pair in combinations(numbers(document), 2):
        for halve in (True, False):
            values = {place: at(document, place) // 2 if halve else at(document, place) - 1 for place in pair}
            if all(value >= _least(place) for place, value in values.items()):
                yield _with(document, values)


def _lower(value: int, least: int) -> list[int]:
    """Return lower numbers: the least, then less and less below: by a half, a quarter, ..., one."""
    steps = [value >> k for k in range(1, value.bit_length())]
    return list(dict.fromkeys([least, *(value - step for step in steps)])) if value > least else []


def _least(place: Place) -> int:
    return next((_LEAST[key] for key in place if isinstance(key, str) and key in _LEAST), 1)


def _shapes(document: Document) -> Mapping[str, tuple[int, ...]]:
    try:
        return instance_of(document).network.shapes
    except InputError:
        return {}


def _with(document: Document, values: Mapping[Place, object]) -> Document:
    """Return a copy with some values replaced."""
    copy = deepcopy(document)
    for place, value in values.items():
        at(copy, place[:-1])[place[-1]] = value
    return copy

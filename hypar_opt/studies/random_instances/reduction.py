"""Shrinking a chain that shows a gap, until no smaller one beside it does."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hypar_opt.formulation.run import Limits
from hypar_opt.studies.random_instances.generator import Document, instance_of
from hypar_opt.studies.random_instances.measurement import Keeps, missed
from hypar_opt.studies.random_instances.row import relative
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


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
    return 0 if "pad" in place else 1


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


@dataclass(frozen=True)
class Shrunk:
    """A chain on which the greedy plan misses the optimum, and no single step makes it smaller.

    Parameters
    ----------
    document
        The instance.
    greedy, optimum
        What hypar-dp's plan costs, and what joint-dp proved to be least.
    tries
        How many smaller ones were looked at.
    finished
        Whether all that are one step smaller were looked at; not where a limit came first.
    origin
        The drawn chain that it was shrunk from, where it was one.
    """

    document: Document
    greedy: Fraction
    optimum: Fraction
    tries: int
    finished: bool
    origin: int | None = None

    @property
    def accounting(self) -> str:
        """Under which the gap is."""
        return str(instance_of(self.document).accounting)

    @property
    def gap(self) -> Fraction:
        """Relative to the optimum."""
        return relative(self.greedy, self.optimum)

    @property
    def size(self) -> str:
        """Its size in words."""
        layers, levels, _, total = size(self.document)
        return f"{layers} layers, {levels} levels, sizes that sum to {total}"


def shrink(document: Document, *, keeps: Keeps = missed, limits: Limits | None = None) -> Shrunk:
    """Make a chain smaller for as long as it keeps a gap; the same result for the same document.

    Parameters
    ----------
    document
        An instance with everything inline.
    keeps
        Says of a document what the greedy plan and the optimum cost where it shows what is looked for, else None.
    limits
        Where they are over, the smallest so far is returned.

    Raises
    ------
    InputError
        If the document is no instance, or shows no gap to begin with.
    """
    instance_of(document)
    both = keeps(document)
    if both is None:
        raise InputError("the greedy plan of this instance is optimal, or its optimum is not known")
    tries, before = 0, None
    while document is not before:
        before = document
        for candidate in smaller(document):
            if limits is not None and limits.over:
                return Shrunk(document, *both, tries, finished=False)
            tries += 1
            try:
                found = keeps(candidate)
            except InputError:  # not each step leads to something that fits together
                continue
            if found is not None:
                document, both = candidate, found
                break
    return Shrunk(_named_anew(document), *both, tries, finished=True)


def _named_anew(document: Document) -> Document:
    """Return a document whose layers are named by their kind and counted anew."""
    layers: list[Document] = []
    for layer in document["network"]["layers"]:
        kind = next(key for key in layer if key != "name")
        number = sum(kind in other for other in layers) + 1
        layers.append({"name": f"{'fc' if kind == 'linear' else kind}{number}", kind: layer[kind]})
    return {**document, "network": {**document["network"], "layers": layers}}


def smallest_first(one: Shrunk) -> tuple[Size, Fraction, str]:
    """Return a key that orders by size; of equal sizes the larger gap first."""
    nameless = sorted((key, value) for key, value in one.document.items() if key != "name")
    return size(one.document), -one.gap, repr(nameless)

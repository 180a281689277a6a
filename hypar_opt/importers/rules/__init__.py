"""Rules by which layers become one: each looks at one layer, and at what it reads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hypar_opt.importers.items import whole_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.importers.draft import DraftLayer

PURE = ("activation", "elementwise")
"""Kinds of layers that are functions of every element, where they read one tensor."""


class LayerMap:
    """Layers by name, in order, as rules change them."""

    def __init__(self, layers: Sequence[DraftLayer], outputs: Sequence[str]) -> None:
        self._layers = {one.name: one for one in layers}
        self._outputs = outputs
        self._count()

    def _count(self) -> None:
        self._readers = Counter(name for one in self._layers.values() for name in one.inputs)
        self._readers.update(self._outputs)
        self._shared = {one.shared for one in self._layers.values()}

    def __contains__(self, name: str) -> bool:
        return name in self._layers

    def __getitem__(self, name: str) -> DraftLayer:
        return self._layers[name]

    def get(self, name: str) -> DraftLayer | None:
        """Return a layer, or None if it is an input or a part of a layer."""
        return self._layers.get(name)

    def all(self) -> tuple[DraftLayer, ...]:
        """Return the layers in order."""
        return tuple(self._layers.values())

    def readers(self, name: str) -> int:
        """Return how often a layer is read, or returned by the model."""
        return self._readers[name]

    def is_shared(self, name: str) -> bool:
        """Return whether another layer uses its parameters."""
        return name in self._shared

    def change(self, layer: DraftLayer, kind: str, fields: Any, *inputs: str, **others: Any) -> None:
        """Have another kind of layer under the name of one."""
        self._layers[layer.name] = replace(layer, kind=kind, fields=fields, inputs=inputs, **others)
        self._count()

    def replace(self, old: str, layers: Sequence[DraftLayer]) -> None:
        """Have other layers in the place of one."""
        made: dict[str, DraftLayer] = {}
        for name, one in self._layers.items():
            made.update({new.name: new for new in layers} if name == old else {name: one})
        self._layers = made
        self._count()

    def rename(self, names: Mapping[str, str]) -> None:
        """Have other names of what is read."""
        self._layers = {
            name: replace(one, inputs=tuple(names.get(read, read) for read in one.inputs))
            for name, one in self._layers.items()
        }
        self._count()

    def prune(self) -> None:
        """Leave layers out on which nothing depends any more."""
        todo, needed = list(self._outputs), set[str]()
        while todo:
            name = whole_of(todo.pop(), self._layers)
            if name is None or name in needed:
                continue
            needed.add(name)
            one = self._layers[name]
            todo += [*one.inputs, *([one.shared] if one.shared else [])]
        self._layers = {name: one for name, one in self._layers.items() if name in needed}
        self._count()

    def below(self, name: str) -> str:
        """Return what a function of every element, and of views of it, is a function of."""
        while True:
            layer = self.get(name)
            if layer is None or layer.kind not in (*PURE, "reshape") or len(layer.inputs) != 1:
                return name
            name = layer.inputs[0]

    def sum_of(self, name: str) -> tuple[str, str, str] | None:
        """Return of a sum over one dimension, or of a function of one: what is summed, the equation, the dimension."""
        layer = self.get(self.below(name))
        if layer is None or layer.kind != "einsum" or len(layer.inputs) != 1 or layer.weights:
            return None
        read, _, made = layer.fields["equation"].partition(" -> ")
        gone = [one for one in read.split() if one not in made.split()]
        return (layer.inputs[0], layer.fields["equation"], gone[0]) if len(gone) == 1 else None

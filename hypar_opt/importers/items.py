"""Layers and folded blocks of layers, as they are compared and named anew."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from hypar_opt.importers.draft import DraftLayer


@dataclass(frozen=True, eq=False)
class Item:
    """A layer, or a block of layers that is repeated."""

    name: str
    kind: str
    fields: Any
    inputs: tuple[str, ...]
    shared: str | None = None
    body: tuple[Item, ...] = ()

    @cached_property
    def references(self) -> tuple[str, ...]:
        """What it names of what stands outside of it, in order."""
        own = (*self.inputs, *([self.shared] if self.shared is not None else ()))
        inside = {one.name for one in self.body} | {"block"}
        return (*own, *(name for one in self.body for name in one.references if whole_of(name, inside) is None))

    @cached_property
    def form(self) -> Hashable:
        """What it is beside its own name and what it refers to outside."""
        inside = {one.name for one in self.body} | {"block"}
        bodies = tuple(
            (one.name, one.form, tuple(n for n in one.references if whole_of(n, inside))) for one in self.body
        )
        return self.kind, repr(self.fields), len(self.inputs), self.shared is not None, bodies


def item_of(layer: DraftLayer) -> Item:
    """Return a layer as it is compared."""
    return Item(layer.name, layer.kind, layer.fields, layer.inputs, layer.shared)


def whole_of(name: str, known: Mapping[str, Any] | set[str]) -> str | None:
    """Return which of some layers a name means, the layer or one of its parts; None if none."""
    if name in known:
        return name
    whole = name.rpartition(".")[0]
    return whole if whole in known else None


def renamed(item: Item, names: Mapping[str, str]) -> Item:
    """Return the same where layers that it refers to have other names."""
    inside = {one.name for one in item.body}
    left = {old: new for old, new in names.items() if old not in inside}
    body = tuple(renamed(one, left) for one in item.body)
    shared = None if item.shared is None else names.get(item.shared, item.shared)
    return replace(item, inputs=tuple(_new(one, names) for one in item.inputs), shared=shared, body=body)


def _new(name: str, names: Mapping[str, str]) -> str:
    whole = whole_of(name, dict(names))
    return name if whole is None else names[whole] + name[len(whole) :]


def places(items: Mapping[str, int], item: Item) -> Iterator[tuple[str, int | None, str]]:
    """Yield what an item refers to: the name, the place of the layer that is meant, and which part of it."""
    for name in item.references:
        whole = whole_of(name, items)
        yield name, None if whole is None else items[whole], "" if whole is None else name[len(whole) :]

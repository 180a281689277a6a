"""Layers as they are written, one after the other, and what the framework's tensors are meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from hypar_opt.importers.held import Constant, Viewed, Weight, plain
from hypar_opt.importers.naming import Names, clean
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.graph import Tensor
from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.instance.operators.layers.maker import Graph, Maker
from hypar_opt.instance.operators.layers.value import BATCH, fresh

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hypar_opt.importers.graph import FrameworkGraph, Node
    from hypar_opt.importers.held import Held
    from hypar_opt.instance.operators.layers.value import Value


SAME: Final = ("reshape", "transpose", "expand")
"""Kinds of layers of which two that say the same of one layer are the same."""


class Unreadable(Exception):
    """An operator that no layer is like; the text says why."""


@dataclass(frozen=True)
class DraftLayer:
    """A layer as it is written down.

    Parameters
    ----------
    name, kind
        As in instance files.
    fields
        What stands under its kind.
    inputs
        Names of what it reads, or of its parts.
    weights
        By the end of their names, the framework's parameters that it trains.
    shared
        The layer whose parameters it uses.
    module
        The framework's module that it is of.
    place
        Of one place of a dimension, which it is, as far as that is known; files do not say it.
    """

    name: str
    kind: str
    fields: Any
    inputs: tuple[str, ...]
    weights: Mapping[str, Weight] = field(default_factory=dict)
    shared: str | None = None
    module: str = ""
    place: int | None = None


@dataclass
class Sketch:
    """What has been written of a model."""

    source: FrameworkGraph
    batch: int
    names: Names
    held: dict[str, Held]
    scratch: Graph
    layers: dict[str, DraftLayer] = field(default_factory=dict)
    owners: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the framework's parameter, the layer that trains it, and the end of its name there."""
    readers: dict[str, int] = field(default_factory=dict)
    """By tensor of the framework, how often it is read."""
    warnings: list[str] = field(default_factory=list)
    views: dict[tuple[str, ...] | None, Viewed] = field(default_factory=dict)
    """By kind, fields and what is read, views that are written down already."""
    node: Node | None = None
    """The operator that is read."""

    def add(
        self,
        kind: str,
        fields: Any,
        reads: Sequence[tuple[str, Value]],
        weights: Mapping[str, Weight] | None = None,
        *,
        what: str = "",
        place: int | None = None,
    ) -> Viewed:
        """Write a layer down, and return what it writes.

        Parameters
        ----------
        kind, fields
            As in instance files.
        reads
            Names and values of what it reads.
        weights
            The parameters that it trains, by the ends of their names there.
        what
            What it is called where the module has several layers; its kind unless given.
        place
            As `DraftLayer` has it.

        Raises
        ------
        Unreadable
            If there can be no such layer.
        """
        view = (kind, repr(fields), *(layer for layer, _ in reads)) if kind in SAME else None
        if view in self.views:
            return self.views[view]
        name = self.names.layer(self.node, what or kind)
        trained = dict(weights or {})
        shared = self._shared(trained)
        maker = Maker(name, self.scratch, shared)
        try:
            spec = checked_fields(kind, fields)
            value = KINDS[kind].build(maker, spec, [value for _, value in reads])
        except ShapeError as error:
            raise Unreadable(str(error)) from None
        except ValidationError as error:
            raise Unreadable("; ".join(one["msg"] for one in error.errors())) from None
        self.names.take(name)
        self.layers[name] = DraftLayer(
            name, kind, fields, tuple(layer for layer, _ in reads), trained, shared, self.module, place
        )
        for suffix, weight in trained.items():
            self.owners.setdefault(weight.name, (name, suffix))
        if value is None:
            raise Unreadable(f"nothing can read {kind}")
        made = self._distinct(plain(name, value))
        if view is not None:
            self.views[view] = made
        return made

    def add_bias(self, seen: Viewed, weight: Weight) -> None:
        """Give a layer a trained number for each of its features."""
        layer = self.layers[seen.layer]
        made = replace(layer, fields={**layer.fields, "bias": True}, weights={**layer.weights, "bias": weight})
        self.layers[seen.layer] = made
        self.owners.setdefault(weight.name, (seen.layer, "bias"))
        Maker(seen.layer, self.scratch, None).parameter("bias", [("out", weight.sizes[-1])])

    def split(
        self,
        read: tuple[str, Value],
        over: str,
        into: int | dict[str, int],
        count: int,
        restored: Callable[[Viewed], Viewed],
    ) -> Iterator[Viewed]:
        """Write down a layer that cuts another, and yield its parts as `restored` makes them."""
        name = self.names.layer(self.node, "split")
        maker = Maker(name, self.scratch)
        try:
            spec = checked_fields("split", {"over": over, "into": into})
            KINDS["split"].build(maker, spec, [read[1]])
        except ShapeError as error:
            raise Unreadable(str(error)) from None
        self.names.take(name)
        self.layers[name] = DraftLayer(name, "split", {"over": over, "into": into}, (read[0],), module=self.module)
        for part, value in list(maker.parts.items())[:count]:
            yield restored(plain(f"{name}.{part}", value))

    @property
    def module(self) -> str:
        """That of the operator that is read."""
        return "" if self.node is None else clean(self.node.module)

    def _shared(self, weights: Mapping[str, Weight]) -> str | None:
        """Return the layer that has parameters already which another one needs."""
        owners = {self.owners[one.name] for one in weights.values() if one.name in self.owners}
        if not owners:
            return None
        layers = {layer for layer, _ in owners}
        same = all(self.owners.get(one.name, ("", suffix))[1] == suffix for suffix, one in weights.items())
        if len(layers) > 1 or not same:
            raise Unreadable(f"it shares parameters with {', '.join(sorted(layers))} in a way that no layer can")
        return layers.pop()

    def _distinct(self, seen: Viewed) -> Viewed:
        """Return what a layer writes with another name for each of its dimensions, for layers mean them by names."""
        names = distinct(seen.value.names)
        if names == seen.value.names:
            return seen
        return self.add("reshape", dict(zip(names[1:], seen.value.sizes[1:], strict=True)), [(seen.layer, seen.value)])

    def input(self, name: str, dims: Sequence[tuple[str, int]]) -> Viewed:
        """Note an input of the network."""
        sizes = ((BATCH, self.batch), *dims)
        tensor = Tensor(name, tuple(n for _, n in sizes), "input", self.scratch.element_bytes, has_gradient=False)
        self.scratch.tensors[name] = tensor
        self.names.take(name)
        return plain(name, fresh(name, sizes))

    def reads(self, node: Node, place: int) -> Held:
        """Return what an operator reads, by its place.

        Raises
        ------
        Unreadable
            If it reads nothing there.
        """
        if place >= len(node.inputs) or not node.inputs[place]:
            raise Unreadable(f"it has no input {place}")
        return self.held[node.inputs[place]]

    def optional(self, node: Node, place: int) -> Held | None:
        """Return what an operator reads, or None if it reads nothing there."""
        return self.reads(node, place) if place < len(node.inputs) and node.inputs[place] else None

    def seen(self, held: Held) -> Viewed:
        """Return a tensor as what a layer writes; trained numbers get a layer of their own.

        Raises
        ------
        Unreadable
            If it is a constant.
        """
        if isinstance(held, Viewed):
            return held
        if isinstance(held, Constant):
            raise Unreadable("it reads a constant where an activation is expected")
        places = [i for i, size in enumerate(held.sizes) if size > 1] or [len(held.sizes) - 1]
        fields = {generic(i, len(places), held.sizes[place]): held.sizes[place] for i, place in enumerate(places)}
        made = self.add("learned", fields or {"features": 1}, [], {"weight": held}, what=held.name.rpartition(".")[2])
        axes = tuple((1 + places.index(i),) if i in places else () for i in range(len(held.sizes)))
        return replace(made, axes=axes)

    def size_of(self, name: str) -> tuple[int, ...]:
        """Return the size of a framework's tensor."""
        return self.source.sizes[name]


def checked_fields(kind: str, fields: Any) -> Any:
    """Return the fields of a layer as its kind has them; raises pydantic's error where they are not so."""
    return TypeAdapter[Any](KINDS[kind].spec).validate_python(fields)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Return names, each unlike those before it."""
    known: list[str] = []
    for name in names:
        other, number = name, 2
        while other in known:
            other, number = f"{name}{number}", number + 1
        known.append(other)
    return tuple(known)


def generic(place: int, count: int, _: int) -> str:
    """Return the name of a dimension of which only its place is known."""
    if place == count - 1:
        return "features"
    return "sequence" if place == count - 2 else f"axis{place}"

"""Which layers are meant by names, and the order in which they can be made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import networkx as nx

from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.util.errors import NetworkError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from hypar_opt.instance.operators.layers.value import Value
    from hypar_opt.instance.operators.network_schema import LayerFields


@dataclass(frozen=True)
class Scope:
    """Layers that stand beside each other, inside of a repetition or in none.

    Parameters
    ----------
    prefix
        Before their names in full.
    values
        What there is to read, by name; None where it cannot be read.
    full
        The names in full of the layers that are made, by name.
    names
        Of all layers that stand here, made or not.
    outer
        Where the repetition stands.
    """

    prefix: str
    values: dict[str, Value | None]
    full: dict[str, str]
    names: Sequence[str]
    outer: Scope | None

    def value(self, name: str, reader: str) -> Value:
        """Return what a name means here; what is inside hides what is outside.

        Raises
        ------
        NetworkError
            If there is nothing of that name, or nothing that can be read.
        """
        scope: Scope | None = self
        while scope is not None and name not in scope.values:
            scope = scope.outer
        value = None if scope is None else scope.values[name]
        if value is None:
            what = "which no layer is called" if scope is None else "which has no output that could be read"
            hint = did_you_mean(name, self.readable()) if scope is None else ""
            raise NetworkError(f"reads '{name}', {what}{hint}", reader)
        return value

    def layer(self, name: str, reader: str) -> str:
        """Return the name in full of a layer that has been made.

        Raises
        ------
        NetworkError
            If there is none.
        """
        scope: Scope | None = self
        while scope is not None and name not in scope.full:
            scope = scope.outer
        if scope is None:
            hint = did_you_mean(name, self.readable())
            raise NetworkError(f"shares parameters with '{name}', which no layer is called{hint}", reader, ("shared",))
        return scope.full[name]

    def readable(self) -> list[str]:
        """Return the names that mean something here."""
        return [*dict.fromkeys((*self.values, *self.names)), *([] if self.outer is None else self.outer.readable())]


@dataclass(frozen=True)
class Reader:
    """A layer with the names of all that it reads."""

    layer: LayerFields
    sources: tuple[str, ...]


def ordered(layers: Sequence[LayerFields], first: str | None, taken: Sequence[str], prefix: str) -> list[Reader]:
    """Return layers that stand beside each other as they can be made, as near to the given order as it goes.

    Parameters
    ----------
    first
        What the first of them reads unless it says otherwise; None where it has to.
    taken
        Names that mean something else.
    prefix
        Before their names in full.

    Raises
    ------
    NetworkError
        If two have one name, or they read each other in a cycle.
    """
    _check_names(layers, taken, prefix)
    readers = [
        Reader(layer, _sources(layer, above, prefix))
        for layer, above in zip(layers, _above(layers, first), strict=False)
    ]
    ranks = {reader.layer.name: rank for rank, reader in enumerate(readers)}
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(readers)))
    for rank, reader in enumerate(readers):
        names = {*reader.sources, *_free(reader.layer)}
        graph.add_edges_from((ranks[name], rank) for name in map(partial(_layer_of, ranks=ranks), names) if name)
    try:
        return [readers[rank] for rank in nx.lexicographical_topological_sort(graph)]
    except nx.NetworkXUnfeasible:
        cycle = [prefix + readers[rank].layer.name for rank, _ in nx.find_cycle(graph)]
        raise NetworkError(f"a cycle: {' -> '.join([*cycle, cycle[0]])}", cycle[0]) from None


def _check_names(layers: Sequence[LayerFields], taken: Sequence[str], prefix: str) -> None:
    seen = set(taken)
    faults = []
    for layer in layers:
        if layer.name in seen:
            what = "an input" if layer.name in taken else "another layer"
            faults.append(NetworkError(f"'{layer.name}' is the name of {what}", prefix + layer.name))
        seen.add(layer.name)
    if faults:
        faults[0].others = tuple(faults[1:])
        raise faults[0]


def _above(layers: Sequence[LayerFields], first: str | None) -> Iterator[str | None]:
    yield first
    yield from (layer.name for layer in layers)


def _sources(layer: LayerFields, above: str | None, prefix: str) -> tuple[str, ...]:
    if layer.inputs is not None:
        return layer.inputs
    if layer.kind in KINDS and KINDS[layer.kind].most == 0:
        return ()
    if above is None:
        raise NetworkError("expected `inputs`: the network has several", prefix + layer.name)
    return (above,)


def _free(layer: LayerFields) -> Iterator[str]:
    """Yield the names that a layer mentions beside what it reads by default, also inside of a repetition."""
    if layer.shared is not None:
        yield layer.shared
    if layer.repeat is None:
        return
    inside = {one.name for one in layer.repeat.layers}
    for one in layer.repeat.layers:
        yield from (name for name in (*(one.inputs or ()), *_free(one)) if _layer_of(name, inside) is None)


def _layer_of(name: str, ranks: Container[str]) -> str | None:
    """Return which of the layers a name means, its output or one of its parts; None if none."""
    if name in ranks:
        return name
    whole = name.rpartition(".")[0]
    return whole if whole in ranks else None

"""A network: a directed acyclic graph of layers with inferred shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import networkx as nx

from hypar_opt.errors import NetworkError, did_you_mean
from hypar_opt.network.layers import Add, Concat, Conv, Layer, Linear, Shape, ShapeError

if TYPE_CHECKING:
    from collections.abc import Mapping

INPUT = "input"
"""The reserved name of the network's input, which is free."""


@dataclass(frozen=True)
class Network:
    """Layers in any order; the constructor checks names, cycles and shapes.

    Parameters
    ----------
    input_shape
        Of one sample: (channels, height, width) or (features,).
    layers
        Each names what it reads.

    Raises
    ------
    NetworkError
        With the name of the offending layer.
    """

    input_shape: Shape
    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        _check_names(self.layers)
        _ = self.shapes

    @cached_property
    def graph(self) -> nx.DiGraph[str]:
        """Layers as nodes (attribute `layer`), an edge from what is read to its reader."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_node(INPUT)
        graph.add_nodes_from((layer.name, {"layer": layer}) for layer in self.layers)
        graph.add_edges_from((source, layer.name) for layer in self.layers for source in layer.inputs)
        return graph

    @cached_property
    def ordered(self) -> tuple[Layer, ...]:
        """The layers in topological order, as near to the given order as it goes."""
        rank = {layer.name: i for i, layer in enumerate(self.layers)}
        try:
            names = list(nx.lexicographical_topological_sort(self.graph, key=lambda name: rank.get(name, -1)))
        except nx.NetworkXUnfeasible:
            cycle = [source for source, _ in nx.find_cycle(self.graph)]
            raise NetworkError(f"a cycle: {' -> '.join([*cycle, cycle[0]])}", layer=cycle[0]) from None
        return tuple(self.layers[rank[name]] for name in names if name != INPUT)

    @cached_property
    def shapes(self) -> Mapping[str, Shape]:
        """Output shape of every layer, and of the input, for one sample."""
        shapes = {INPUT: self.input_shape}
        for layer in self.ordered:
            if len(layer.inputs) != 1 and not isinstance(layer.op, Add | Concat):
                raise NetworkError(f"{layer.op.kind} reads one tensor, got {len(layer.inputs)}", layer=layer.name)
            try:
                shapes[layer.name] = layer.op.infer(*(shapes[source] for source in layer.inputs))
            except ShapeError as error:
                raise NetworkError(str(error), layer=layer.name, field=error.field) from None
        return shapes

    @cached_property
    def decision_names(self) -> tuple[str, ...]:
        """The layers that a plan decides: weighted layers and joins, in topological order."""
        return tuple(x.name for x in self.ordered if isinstance(x.op, Conv | Linear | Add | Concat))


def _check_names(layers: tuple[Layer, ...]) -> None:
    names = {layer.name for layer in layers}
    seen: set[str] = {INPUT}
    for layer in layers:
        if layer.name in seen:
            what = "is the name of the network's input" if layer.name == INPUT else "is the name of another layer"
            raise NetworkError(f"'{layer.name}' {what}", layer=layer.name)
        seen.add(layer.name)
    for layer in layers:
        for source in layer.inputs:
            if source not in seen:
                raise NetworkError(
                    f"reads '{source}', which no layer is called{did_you_mean(source, [*names, INPUT])}",
                    layer=layer.name,
                )

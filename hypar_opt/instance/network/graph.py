"""A network: a directed acyclic graph of layers with inferred shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import networkx as nx

from hypar_opt.instance.network.layers import (
    OPS,
    Add,
    Concat,
    Conv,
    Layer,
    Linear,
    Op,
    Shape,
    ShapeError,
    Skip,
    operation_of,
)
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, NetworkError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.instance.network_schema import LayerSpec, NetworkSpec

INPUT = "input"
"""The reserved name of the network's input, which is free."""


@dataclass(frozen=True, init=False, repr=False)
class Network:
    """Layers in any order; the constructor checks names, cycles and shapes.

    Parameters
    ----------
    input
        Of one sample: (channels, height, width) or (features,).
    layers
        Each names what it reads, or reads the one above it; or as instance files have them.

    Raises
    ------
    InputError
        If a field of a layer is wrong; names it.
    NetworkError
        If layers do not go together; with the name of the offending layer.
    """

    input: Shape
    layers: tuple[Layer, ...]

    def __init__(self, input: Shape, layers: Sequence[Layer | Mapping[str, Any]]) -> None:
        from hypar_opt.instance.faults import validated
        from hypar_opt.instance.network_schema import NetworkSpec

        said = list(map(_said, range(len(layers)), layers)) if isinstance(layers, list | tuple) else layers
        vars(self).update(vars(Network.from_spec(validated(NetworkSpec, {"input": input, "layers": said}))))

    @classmethod
    def from_spec(cls, spec: NetworkSpec) -> Network:
        """Return the network that fields say which were checked one by one.

        Raises
        ------
        NetworkError
            If layers do not go together; with the name of the offending layer.
        """
        above = (INPUT, *(layer.name for layer in spec.layers))
        return cls.from_layers(spec.input, tuple(map(_layer, spec.layers, above)))

    @classmethod
    def from_layers(cls, shape: Shape, layers: tuple[Layer, ...]) -> Network:
        """Return the network of layers whose fields are right, each with what it reads.

        Parameters
        ----------
        shape
            Of the input.
        layers
            In any order.

        Raises
        ------
        NetworkError
            If layers do not go together; with the name of the offending layer.
        """
        made = object.__new__(cls)
        vars(made).update(input=shape, layers=layers)
        _raise_first(_name_faults(made.layers))
        _ = made.shapes
        return made

    @property
    def document(self) -> dict[str, Any]:
        """The network as an instance file has it."""
        above = ((INPUT,), *((layer.name,) for layer in self.layers))
        pairs = zip(self.layers, above, strict=False)
        short = [replace(layer, inputs=()) if layer.inputs == usual else layer for layer, usual in pairs]
        return {"input": self.input, "layers": list(map(_said, range(len(self.layers)), short))}

    def with_adds(self, *, decided: bool) -> Network:
        """Return the network with adds that a plan decides, or that lie as AccPar's released code has them.

        Raises
        ------
        NetworkError
            If an add joins more than two layers, which that code does not know.
        """
        before, after = (Skip, Add()) if decided else (Add, Skip())
        if not any(isinstance(layer.op, before) for layer in self.layers):
            return self
        layers = tuple(replace(one, op=after) if isinstance(one.op, before) else one for one in self.layers)
        made = object.__new__(Network)
        vars(made).update(input=self.input, layers=layers)
        _ = made.shapes
        return made

    def __repr__(self) -> str:
        return f"Network(input={list(self.input)}, {len(self.layers)} layers)"

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
        shapes, faults = {INPUT: self.input}, []
        for layer in self.ordered:
            if not all(source in shapes for source in layer.inputs):
                continue  # behind a layer without a shape nothing can be told
            try:
                shapes[layer.name] = _shape(layer, [shapes[source] for source in layer.inputs])
            except NetworkError as fault:
                faults.append(fault)
        _raise_first(faults)
        return shapes

    @cached_property
    def decision_names(self) -> tuple[str, ...]:
        """The layers that a plan decides: weighted layers and joins, in topological order."""
        return tuple(x.name for x in self.ordered if isinstance(x.op, Conv | Linear | Add | Concat))


def _said(position: int, layer: object) -> object:
    """Return a layer as an instance file has it; what is none is left for the schema to refuse."""
    if isinstance(layer, Op):
        raise InputError(f"expected a Layer, got an operation without a name: {layer}", field=f"layers[{position}]")
    if not isinstance(layer, Layer):
        return layer
    if not isinstance(layer.op, Op):
        names = ", ".join(op.__name__ for op in OPS.values())
        raise InputError(f"expected one of {names}, got {shown(layer.op)}", field=f"layers[{position}].op")
    said = {"name": layer.name, layer.op.layer_kind: vars(layer.op)}
    return {**said, "inputs": layer.inputs} if layer.inputs else said


def _layer(spec: LayerSpec, above: str) -> Layer:
    kind = next(kind for kind in OPS if getattr(spec, kind) is not None)
    return Layer(spec.name, operation_of(kind, getattr(spec, kind)), spec.inputs or (above,))


def _shape(layer: Layer, inputs: Sequence[Shape]) -> Shape:
    """Return the shape of a layer's output; raise `NetworkError` where it has none."""
    if len(inputs) != 1 and not isinstance(layer.op, Add | Concat | Skip):
        raise NetworkError(f"{layer.op.layer_kind} reads one tensor, got {len(inputs)}", layer=layer.name)
    try:
        return layer.op.infer(*inputs)
    except ShapeError as error:
        raise NetworkError(str(error), layer=layer.name, field=error.field) from None


def _raise_first(faults: Iterable[NetworkError]) -> None:
    """Raise the first of the errors, if there is one; it knows the others."""
    every = tuple(faults)
    if every:
        every[0].others = every[1:]
        raise every[0]


def _name_faults(layers: tuple[Layer, ...]) -> Iterator[NetworkError]:
    names = {layer.name for layer in layers}
    seen: set[str] = {INPUT}
    for layer in layers:
        if layer.name in seen:
            yield NetworkError(f"'{layer.name}' is the name of another layer", layer=layer.name)
        seen.add(layer.name)
    for layer in layers:
        for source in layer.inputs:
            if source not in seen:
                hint = did_you_mean(source, [*names, INPUT])
                yield NetworkError(f"reads '{source}', which no layer is called{hint}", layer=layer.name)

"""What a plan decides about: weighted layers and joins, and the tensors between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Literal

from hypar_opt.instance.network.graph import INPUT, Network
from hypar_opt.instance.network.layers import Add, Assume, Concat, Conv, Layer, Linear, Shape, Skip
from hypar_opt.util.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class WorkLayer:
    """A weighted layer or a join, with its sizes for one sample.

    Parameters
    ----------
    name, kind
        As in the network; the kind is conv, linear, add or concat.
    feature_in
        Elements of F[l].
    weight
        Elements of W[l], biases left out; 0 for a join.
    feature_out
        Elements of F[l+1] where the next decided layer reads it; the largest over its readers.
    in_sizes
        The input dimension of W (channels per group, or features); for a join, the channels of each input.
    out_sizes
        The output dimension of W (filters per group, or features); for a join, its channels.
    macs
        Multiply-accumulates of the forward phase, counted on the output positions as is usual.
    macs_on_input
        The same counted on the input positions, stride and border ignored, as the paper's evaluation does.
    kernel
        Height and width; of a linear layer one each.
    map_in, map_out
        Height and width of what a convolution reads, and of what it writes before any pooling.
    groups
        Of a convolution: each group of filters reads its own group of channels.
    reads_input
        Whether all that the layer reads is the network's input, as it is or behind pools, activations and the like: the
        error of that is what training does not need.
    writes_output
        Whether no decided layer reads what the layer writes: it leaves the network, as it is or behind pools.
    """

    name: str
    kind: str
    feature_in: int
    weight: int
    feature_out: int
    in_sizes: tuple[int, ...]
    out_sizes: tuple[int, ...]
    macs: int
    macs_on_input: int
    kernel: tuple[int, int] = (1, 1)
    map_in: tuple[int, int] = (1, 1)
    map_out: tuple[int, int] = (1, 1)
    groups: int = 1
    reads_input: bool = False
    writes_output: bool = False

    @property
    def written(self) -> int:
        """Elements of what a weighted layer writes for one sample, before any pooling."""
        return self.macs // (prod(self.kernel) * self.in_sizes[0])

    @property
    def is_join(self) -> bool:
        """Whether the layer has no weights."""
        return self.kind in (Add.layer_kind, Concat.layer_kind)

    @property
    def role(self) -> Literal["weighted", "grouped", "join"]:
        """What decides which choices there are, and what they split."""
        return "join" if self.is_join else "grouped" if self.groups > 1 else "weighted"

    @property
    def keeps_layout(self) -> bool:
        """Whether the output always lies as the input does: in a join, and where groups are what mp splits."""
        return self.is_join or self.groups > 1


@dataclass(frozen=True)
class Boundary:
    """A tensor that one decided layer writes and another reads.

    Parameters
    ----------
    producer, reader
        Positions in `Workload.layers`.
    feature
        Elements for one sample, as the reader reads it (behind pooling).
    is_skip
        Whether it stands for what passes by a block and is added behind it, as AccPar's released code has it: from the
        first layer of the block, which reads the same, to who reads the sum.
    """

    producer: int
    reader: int
    feature: int
    is_skip: bool = False


@dataclass(frozen=True)
class Workload:
    """The decided layers in topological order and the boundaries between them."""

    layers: tuple[WorkLayer, ...]
    boundaries: tuple[Boundary, ...]

    @cached_property
    def further_reads(self) -> Mapping[int | None, int]:
        """The boundaries whose reader has another in front of them, by position, numbered from 0."""
        read: set[int] = set()
        found: dict[int | None, int] = {}
        for position, edge in enumerate(self.boundaries):
            if edge.reader in read:
                found[position] = len(found)
            read.add(edge.reader)
        return found

    @property
    def is_chain(self) -> bool:
        """Whether layer i is read by layer i + 1 and by nothing else."""
        pairs = [(edge.producer, edge.reader) for edge in self.boundaries]
        return pairs == [(i, i + 1) for i in range(len(self.layers) - 1)]


def workload(network: Network) -> Workload:
    """Reduce a network to its decided layers: pools, activations and the like pass their producer on."""
    index = {name: i for i, name in enumerate(network.decision_names)}
    source = _sources(network, index)
    boundaries = tuple(
        Boundary(index[source[name]], index[layer.name], prod(network.shapes[name]))
        for layer in network.ordered
        if layer.name in index
        for name in layer.inputs
        if source[name] != INPUT
    )
    boundaries += tuple(_skips(network, index, source))
    read = {boundary.producer for boundary in boundaries}
    largest = _largest_read(network, index, source)
    layers = tuple(
        replace(
            _work_layer(layer, network.shapes, largest[layer.name]),
            reads_input=all(source[name] == INPUT for name in layer.inputs),
            writes_output=index[layer.name] not in read,
        )
        for layer in network.ordered
        if layer.name in index
    )
    return Workload(layers, boundaries)


def _sources(network: Network, index: Mapping[str, int]) -> dict[str, str]:
    """For every tensor the decided layer (or the input) that it comes from; of a sum as released, the last."""
    source = {INPUT: INPUT}
    for layer in network.ordered:
        come = [source[name] for name in layer.inputs]
        source[layer.name] = layer.name if layer.name in index else max(come, key=lambda name: index.get(name, -1))
    return source


def _skips(network: Network, index: Mapping[str, int], source: Mapping[str, str]) -> Iterator[Boundary]:
    """Yield what passes by blocks, where adds are as AccPar's released code has them."""
    for layer in network.ordered:
        if not isinstance(layer.op, Skip):
            continue
        blocks = [index[name] for one in layer.inputs for name in network.graph.successors(one) if name in index]
        if not blocks:
            named = " or ".join(f"'{one}'" for one in layer.inputs)
            message = (
                f"is an add as released, and no layer with weights reads {named}; expected a block that begins with "
                "one and no projection beside it"
            )
            raise NetworkError(message, layer=layer.name)
        for name in _readers(network, layer.name, index):
            yield Boundary(min(blocks), index[name], prod(network.shapes[layer.name]), is_skip=True)


def _readers(network: Network, tensor: str, index: Mapping[str, int]) -> Iterator[str]:
    """Yield the decided layers that read a tensor, as it is or behind pools and the like, but not a further sum."""
    for name in network.graph.successors(tensor):
        if name in index:
            yield name
        elif not isinstance(network.graph.nodes[name]["layer"].op, Skip):
            yield from _readers(network, name, index)


def _largest_read(network: Network, index: Mapping[str, int], source: Mapping[str, str]) -> dict[str, int]:
    """For every decided layer the largest size at which its output is read, or leaves the network, as it is written."""
    largest = dict.fromkeys(index, 0)
    layers = {layer.name: layer for layer in network.ordered}
    assumed: set[str] = set()  # tensors that are of a shape that is no longer what their layer wrote
    for name, origin in source.items():
        if origin == INPUT:
            continue
        own = layers[name]
        passed = (one for one in own.inputs if origin != name and source[one] == origin)
        if isinstance(own.op, Assume) or any(one in assumed for one in passed):
            assumed.add(name)
            continue
        readers = list(network.graph.successors(name))
        if not readers or any(reader in index or isinstance(layers[reader].op, Assume) for reader in readers):
            largest[origin] = max(largest[origin], prod(network.shapes[name]))
    return largest


def _work_layer(layer: Layer, shapes: Mapping[str, Shape], feature_out: int) -> WorkLayer:
    reads = [shapes[name] for name in layer.inputs]
    out = shapes[layer.name]
    op = layer.op
    if isinstance(op, Conv):
        group_in, group_out = reads[0][0] // op.groups, op.filters // op.groups
        map_in, map_out = (reads[0][1], reads[0][2]), (out[1], out[2])
        taps = prod(op.kernel) * group_in
        return WorkLayer(
            layer.name, op.layer_kind, prod(reads[0]), op.filters * taps, feature_out, (group_in,), (group_out,),
            prod(out) * taps, prod(map_in) * op.filters * taps, op.kernel, map_in, map_out, op.groups,
        )  # fmt: skip
    if isinstance(op, Linear):
        n_in = prod(reads[0])
        weight = n_in * op.features
        return WorkLayer(
            layer.name, op.layer_kind, n_in, weight, feature_out, (n_in,), (op.features,), weight, weight
        )  # fmt: skip
    channels = tuple(shape[0] for shape in reads)
    return WorkLayer(layer.name, op.layer_kind, sum(map(prod, reads)), 0, feature_out, channels, (out[0],), 0, 0)

"""From a network's layers to its operators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.limits import MOST_LAYERS
from hypar_opt.instance.network.layers import ShapeError
from hypar_opt.instance.operators.block_template import BlockTemplate
from hypar_opt.instance.operators.blocks import Copies, alike
from hypar_opt.instance.operators.graph import OperatorGraph, Tensor
from hypar_opt.instance.operators.layers import KINDS
from hypar_opt.instance.operators.layers.maker import Graph, Maker
from hypar_opt.instance.operators.layers.value import BATCH, Value, fresh
from hypar_opt.instance.operators.made import MadeLayer
from hypar_opt.instance.operators.network_schema import BLOCK, named
from hypar_opt.instance.operators.order import Scope, ordered
from hypar_opt.util.errors import NetworkError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.operators.network_schema import LayerFields, OperatorNetworkSpec, RepeatSpec
    from hypar_opt.instance.operators.order import Reader
    from hypar_opt.instance.text import FieldPath

DEEPEST_REPEAT: Final = 3
"""Repeated layers inside of repeated layers."""
INPUT: Final = "input"
"""The name of the one input that has no other."""


@dataclass(frozen=True)
class LayerRow:
    """A layer as it is understood; its sizes are of a whole batch.

    Parameters
    ----------
    layer
        Its name in full.
    kind
        As in instance files.
    inputs
        Of each tensor that it reads, the dimensions by name.
    output
        The dimensions of what it writes, by name; None where nothing can read it.
    parameters
        Trained numbers that it does not share with a layer before it.
    multiply_adds
        Of the forward phase.
    """

    layer: str
    kind: str
    inputs: tuple[Mapping[str, int], ...]
    output: Mapping[str, int] | None
    parameters: int
    multiply_adds: int


def compile_network(spec: OperatorNetworkSpec, batch: int, element_bytes: int) -> OperatorGraph:
    """Return a network's operators.

    Parameters
    ----------
    spec
        Checked field by field.
    batch
        Samples in a step.
    element_bytes
        Of one number.

    Raises
    ------
    NetworkError
        If layers do not go together; with the name of the offending layer, in full where it is repeated, and its field.
    """
    compiler = _Compiler(Graph(batch, element_bytes))
    copies = compiler.run(spec)
    operators = tuple(compiler.graph.operators)
    return OperatorGraph(compiler.graph.tensors, operators, alike(operators, compiler.graph.tensors, copies))


def describe(spec: OperatorNetworkSpec, batch: int, element_bytes: int) -> tuple[LayerRow, ...]:
    """Return a row for each layer, those of a repetition each time; as `compile_network` takes and raises it."""
    rows: list[LayerRow] = []
    _Compiler(Graph(batch, element_bytes), rows).run(spec)
    return tuple(rows)


def made_layers(spec: OperatorNetworkSpec, batch: int, element_bytes: int) -> tuple[MadeLayer, ...]:
    """Return which operators each layer is; as `compile_network` takes and raises it."""
    made: list[MadeLayer] = []
    _Compiler(Graph(batch, element_bytes), made=made).run(spec)
    return tuple(made)


def path_of_layer(spec: OperatorNetworkSpec, name: str | None) -> FieldPath:
    """Return where a layer stands in an instance, by its name in full; of two with one name, the second."""
    path: FieldPath = ("network",)
    layers: Sequence[LayerFields] = spec.layers
    rest = name or ""
    while rest:
        exact = [i for i, layer in enumerate(layers) if layer.name == rest][:2]
        inside = [i for i, layer in enumerate(layers) if layer.repeat and rest.startswith(f"{layer.name}.")]
        if not exact and not inside:
            return path
        place = exact[-1] if exact else inside[0]
        path = (*path, "layers", place)
        repeat = layers[place].repeat
        if exact or repeat is None:
            return path
        _, _, rest = rest.removeprefix(f"{layers[place].name}.").partition(".")
        path, layers = (*path, "repeat"), repeat.layers
    return path


def _count(layers: Sequence[LayerFields], prefix: str, depth: int) -> int:
    """Return how many layers and parts of layers there are when all repetitions are written out.

    Raises
    ------
    NetworkError
        If there are too many, or repetitions too deep within each other.
    """
    total = 0
    for layer in layers:
        name = prefix + layer.name
        if layer.repeat is None:
            total += KINDS[layer.kind].parts(getattr(layer, layer.kind))
        elif depth == DEEPEST_REPEAT:
            raise NetworkError(f"expected repeat in repeat {DEEPEST_REPEAT} deep at most", name, ("repeat",))
        else:
            total += layer.repeat.times * _count(layer.repeat.layers, f"{name}.0.", depth + 1)
        if total > MOST_LAYERS:
            message = f"expected at most {MOST_LAYERS:,} layers in all, got {total:,}"
            at = (layer.kind,) if layer.repeat is None else ("repeat", "times")
            raise NetworkError(message, name, at)
    return total


@dataclass
class _Compiler:
    """What has been made of the layers so far, and what is to be said of them if anything is."""

    graph: Graph
    rows: list[LayerRow] | None = None
    made: list[MadeLayer] | None = None

    def run(self, spec: OperatorNetworkSpec) -> list[Copies]:
        """Make all operators, and return the repetitions."""
        _count(spec.layers, "", 0)
        shapes = spec.inputs if spec.inputs is not None else {INPUT: {} if spec.input is None else spec.input}
        values: dict[str, Value | None] = {}
        for name, shape in shapes.items():
            dims = ((BATCH, self.graph.batch), *named(shape))
            sizes = tuple(size for _, size in dims)
            self.graph.tensors[name] = Tensor(name, sizes, "input", self.graph.element_bytes, has_gradient=False)
            values[name] = fresh(name, dims)
        first = next(iter(values)) if len(values) == 1 else None
        readers = ordered(spec.layers, first, tuple(values), "")
        return self._layers(readers, Scope("", values, {}, _names(readers), None))

    def _layers(self, readers: Sequence[Reader], scope: Scope) -> list[Copies]:
        """Make layers that stand beside each other; return the repetitions."""
        copies: list[Copies] = []
        for reader in readers:
            layer = reader.layer
            full = scope.prefix + layer.name
            inputs = [scope.value(source, full) for source in reader.sources]
            scope.full[layer.name] = full
            if layer.repeat is None:
                self._layer(reader, inputs, scope)
            else:
                copies.append(self._repeat(layer, layer.repeat, inputs, scope))
        return copies

    def _repeat(self, layer: LayerFields, repeat: RepeatSpec, inputs: Sequence[Value], scope: Scope) -> Copies:
        """Make layers as often as they are repeated."""
        full = scope.prefix + layer.name
        if len(inputs) != 1:
            raise NetworkError(f"repeat reads one tensor, got {len(inputs)}", full, ("inputs",))
        if layer.shared is not None:
            raise NetworkError("repeat has no parameters to share; its layers have", full, ("shared",))
        prefixes = tuple(f"{full}.{i}." for i in range(repeat.times))
        readers = ordered(repeat.layers, BLOCK, (BLOCK,), prefixes[0])
        values: list[Value | None] = [inputs[0]]
        starts: list[int] = []
        inside: list[tuple[Copies, ...]] = []
        for number, prefix in enumerate(prefixes, start=1):
            starts.append(len(self.graph.operators))
            before = len(self.graph.tensors)
            inner = Scope(prefix, {BLOCK: values[-1]}, {}, _names(readers), scope)
            inside.append(tuple(self._layers(readers, inner)))
            values.append(inner.values[repeat.layers[-1].name])
            if self.rows is None and self.made is None:  # of layers, which a template does not have
                template = BlockTemplate.of(self.graph, prefixes[:number], starts[-1], values, before)
                if template is not None and number < repeat.times:
                    values.append(template.write(self.graph, prefixes[number:]))
                    length = len(template.operators)
                    for old, new in pairwise(prefixes[number - 1 :]):
                        starts.append(starts[-1] + length)
                        inside.append(tuple(one.moved(old, new, length) for one in inside[-1]))
                    break
        made = number
        scope.values[layer.name] = values[-1]
        return Copies((*starts, len(self.graph.operators)), prefixes, tuple(chain.from_iterable(inside)), made)

    def _layer(self, reader: Reader, inputs: Sequence[Value], scope: Scope) -> None:
        layer = reader.layer
        full = scope.prefix + layer.name
        kind = KINDS[layer.kind]
        fault = kind.arity_fault(len(inputs))
        if fault is not None:
            raise NetworkError(fault, full, ("inputs",) if layer.inputs else ())
        shares = None if layer.shared is None else scope.layer(layer.shared, full)
        maker = Maker(full, self.graph, shares)
        first = len(self.graph.operators)
        try:
            value = kind.build(maker, getattr(layer, layer.kind), inputs)
        except ShapeError as error:
            read = ", ".join(f"'{source}'" for source in reader.sources)
            said = f"{error}; '{layer.name}' reads {read}" if read else str(error)
            raise NetworkError(said, full, error.field) from None
        if shares is not None and not maker.has_shared:
            raise NetworkError(f"'{shares}' has no parameters that {kind.name} could use", full, ("shared",))
        scope.values[layer.name] = value
        scope.values.update({f"{layer.name}.{suffix}": part for suffix, part in maker.parts.items()})
        if self.made is not None:
            there = range(first, len(self.graph.operators))
            self.made.append(MadeLayer(full, kind.name, getattr(layer, layer.kind), tuple(inputs), there))
        if self.rows is not None:
            dims = None if value is None else _dims(value)
            self.rows.append(
                LayerRow(full, kind.name, tuple(map(_dims, inputs)), dims, maker.parameters, maker.multiply_adds)
            )


def _names(readers: Sequence[Reader]) -> tuple[str, ...]:
    return tuple(reader.layer.name for reader in readers)


def _dims(value: Value) -> Mapping[str, int]:
    return dict(zip(value.names, value.sizes, strict=True))

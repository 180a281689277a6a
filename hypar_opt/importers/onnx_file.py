"""An ONNX file as it is read: bounded, without its weights, and without a look at any other file."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.limits import LARGEST_SIZE, MOST_LAYERS
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MOST_BYTES: Final = 2**31 - 1
"""Of a file: the most that protobuf reads."""
LARGE: Final = 1024
"""From so many numbers on, an initialiser is a weight, and never the shape of something."""
MOST_ROUNDS: Final = 100
"""In which more shapes are found out."""
LIKE_FIRST: Final = ("GroupNormalization", "Swish", "SimplifiedLayerNormalization")
"""Operators whose output is as their first input, and which ONNX's inference leaves out."""
INTEGERS: Final = (6, 7)
"""ONNX's INT32 and INT64."""


@dataclass(frozen=True)
class Model:
    """A file that was parsed; `proto` is changed where sizes are fixed."""

    path: Path
    proto: Any
    initializers: tuple[Any, ...]
    worked_out: dict[str, list[Any]] = field(default_factory=dict)
    """By tensor that the file computes from shapes, its numbers."""

    @cached_property
    def initializer_names(self) -> frozenset[str]:
        """Of weights and constants."""
        return frozenset(one.name for one in self.initializers)

    def inputs(self) -> list[Any]:
        """Return what is given for every sample."""
        return [one for one in self.proto.graph.input if one.name not in self.initializer_names]

    def small_integers(self) -> Iterator[Any]:
        """Yield the tensors that may say axes or margins."""
        from onnx import TensorProto

        for one in self.initializers:
            if one.data_type in INTEGERS and prod(one.dims) <= LARGE and one.data_location != TensorProto.EXTERNAL:
                yield one
        for node in self.proto.graph.node:
            if node.op_type == "Constant" and node.attribute and node.attribute[0].HasField("t"):
                made = node.attribute[0].t
                if made.data_type in INTEGERS and prod(made.dims) <= LARGE:
                    copied = TensorProto()
                    copied.CopyFrom(made)
                    copied.name = node.output[0]
                    yield copied

    def inferred(self) -> Any:
        """Return the graph with the shapes of all tensors that follow, those that the file computes included.

        Raises
        ------
        InputError
            If they contradict each other.
        """
        from onnx.numpy_helper import from_array

        from hypar_opt.importers.onnx_constants import worked_out

        model = self._without_weights()
        for _ in range(MOST_ROUNDS):
            made = self._inferred(model)
            known = shapes_of(made)
            if all(name in known for node in made.node for name in node.output if name):
                break
            values = worked_out(model, known | {one.name: tuple(one.dims) for one in self.initializers})
            nodes = [one for one in model.graph.node if one.output[0] not in values]
            if len(nodes) == len(model.graph.node) and not _like_first(model, made, known):
                break
            del model.graph.node[:]
            model.graph.node.extend(nodes)
            model.graph.initializer.extend(from_array(value, name) for name, value in values.items())
            self.worked_out.update({name: value.reshape(-1).tolist() for name, value in values.items()})
        return made

    def _inferred(self, model: Any) -> Any:
        import onnx

        try:
            return onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
        except (onnx.shape_inference.InferenceError, ValueError, RuntimeError, TypeError) as error:
            said = " ".join(str(error).split())[:500]
            raise InputError(f"its shapes do not fit together: {said}", file=self.path) from None

    def _without_weights(self) -> Any:
        """Return the model with large initialisers as inputs: of them the shapes are enough."""
        import onnx

        made = onnx.ModelProto()
        made.CopyFrom(self.proto)
        named = {one.name for one in made.graph.input}
        for one in self.initializers:
            if _is_large(one) and one.name not in named:
                made.graph.input.append(onnx.helper.make_tensor_value_info(one.name, one.data_type, list(one.dims)))
        return made


def _like_first(model: Any, made: Any, known: Mapping[str, tuple[int, ...]]) -> bool:
    """Say of operators that write what is like their first input, and of which ONNX does not know it, that it is so."""
    from onnx import helper

    types = {one.name: one.type.tensor_type.elem_type for one in (*made.input, *made.value_info)}
    found = [
        helper.make_tensor_value_info(node.output[0], types.get(node.input[0], 1), known[node.input[0]])
        for node in made.node
        if node.op_type in LIKE_FIRST and node.output[0] not in known and node.input[0] in known
    ]
    model.graph.value_info.extend(found)
    return bool(found)


def shapes_of(graph: Any) -> dict[str, tuple[int, ...]]:
    """Return the sizes of tensors, as far as they are known."""
    return {
        one.name: tuple(dim.dim_value for dim in one.type.tensor_type.shape.dim)
        for one in (*graph.input, *graph.value_info, *graph.output)
        if one.type.tensor_type.HasField("shape")
        and all(dim.HasField("dim_value") for dim in one.type.tensor_type.shape.dim)
    }


def model_of(path: Path) -> Model:
    """Return a file that was parsed, its functions written out.

    Raises
    ------
    InputError
        If it cannot be read, is too large, or is no ONNX model.
    """
    import onnx
    from google.protobuf.message import DecodeError

    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError("expected at most 2 GiB, the most that ONNX allows", file=path)
        proto = onnx.ModelProto()
        proto.ParseFromString(path.read_bytes())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    except (DecodeError, RuntimeError, RecursionError):
        raise InputError("is no ONNX model", file=path) from None
    if not proto.graph.node or not proto.opset_import:
        raise InputError("is no ONNX model: it has no nodes, or no version of its operators", file=path)
    _check_names(proto, path)
    count = _count(proto, path)
    if count > MOST_LAYERS:
        raise InputError(f"expected at most {MOST_LAYERS:,} nodes, got {count:,}", file=path)
    if proto.functions:
        proto = _written_out(proto, path)
    initializers = tuple(_header(one, path) for one in proto.graph.initializer)
    _check_order(proto, path)
    small = [one for one in proto.graph.initializer if not _is_large(one)]
    del proto.graph.initializer[:]
    proto.graph.initializer.extend(small)
    return Model(path, proto, initializers)


def _check_order(proto: Any, path: Path) -> None:
    """Raise `InputError` where something is read before it is written, or written twice."""
    graph = proto.graph
    there = {one.name for one in (*graph.input, *graph.initializer)}
    for node in graph.node:
        if not node.output:
            raise InputError(f"{node.op_type} writes nothing", file=path)
        early = next((name for name in node.input if name and name not in there), None)
        if early is not None:
            said = f"{node.op_type} reads '{early[:100]}' before it is written: a cycle, or nodes out of order"
            raise InputError(said, file=path)
        twice = next((name for name in node.output if name and name in there), None)
        if twice is not None:
            raise InputError(f"'{twice[:100]}' is written twice", file=path)
        there |= set(node.output)
    missing = next((one.name for one in graph.output if one.name not in there), None)
    if missing is not None:
        raise InputError(f"returns '{missing[:100]}', which nothing writes", file=path)


def _check_names(proto: Any, path: Path) -> None:
    """Raise `InputError` where names are no text, which protobuf lets through."""
    graph = proto.graph
    of_nodes = (name for node in graph.node for name in (node.name, node.op_type, *node.input, *node.output))
    of_tensors = (one.name for one in (*graph.input, *graph.output, *graph.initializer, *graph.value_info))
    if any(not isinstance(name, str) for name in (*of_nodes, *of_tensors)):
        raise InputError("is no ONNX model: it has names that are no text", file=path)


def _count(proto: Any, path: Path) -> int:
    """Return how many nodes there are when functions are written out.

    Raises
    ------
    InputError
        If functions call each other in a cycle.
    """
    functions = {(one.domain, one.name): one for one in proto.functions}
    known: dict[tuple[str, str], int] = {}

    def of(nodes: Any, inside: tuple[tuple[str, str], ...]) -> int:
        total = 0
        for node in nodes:
            key = (node.domain, node.op_type)
            if key in inside or len(inside) > 50:
                raise InputError(f"function '{node.op_type}' calls itself, or functions are too deep", file=path)
            if key in functions and key not in known:
                known[key] = of(functions[key].node, (*inside, key))
            total += known.get(key, 1)
        return total

    return of(proto.graph.node, ())


def _written_out(proto: Any, path: Path) -> Any:
    from onnx import inliner

    try:
        return inliner.inline_local_functions(proto)
    except (ValueError, RuntimeError) as error:
        raise InputError(f"its functions cannot be written out: {str(error)[:200]}", file=path) from None


def _is_large(one: Any) -> bool:
    return bool(prod(one.dims) > LARGE or one.data_location == 1)


def _header(one: Any, path: Path) -> Any:
    """Return an initialiser without its numbers where it has many of them."""
    from onnx import TensorProto

    if any(size < 0 for size in one.dims) or len(one.dims) > 64:
        raise InputError(f"expected sizes of '{one.name[:100]}', got {list(one.dims)[:8]}", file=path)
    if prod(one.dims) > LARGEST_SIZE:
        raise InputError(f"expected at most 2^40 numbers in '{one.name[:100]}', got {list(one.dims)[:8]}", file=path)
    if not _is_large(one):
        return one
    made = TensorProto()
    made.name, made.data_type, made.data_location = one.name, one.data_type, one.data_location
    made.dims.extend(one.dims)
    return made

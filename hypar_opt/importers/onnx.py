"""ONNX files: operators with the shapes that follow from them. Weights are not needed, and not looked at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.importers.graph import FrameworkGraph, Node
from hypar_opt.importers.onnx_constants import numbers_of
from hypar_opt.importers.onnx_file import Model, model_of, shapes_of
from hypar_opt.importers.onnx_names import module_of
from hypar_opt.instance.limits import LARGEST_SIZE
from hypar_opt.util.errors import InputError, did_you_mean
from hypar_opt.util.extras import require, version_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FLOATS: Final[Mapping[int, int]] = {1: 4, 10: 2, 11: 8, 16: 2}
"""Bytes of ONNX's types of which trained numbers are: FLOAT, FLOAT16, DOUBLE, BFLOAT16."""
COUNTED: Final = ("BatchNormalization",)
"""Whose last two inputs are counted while training, and not trained."""


def read_onnx(path: Path, sizes: Mapping[str, int] | None = None, batch: int | None = None) -> FrameworkGraph:
    """Return what an ONNX file says.

    Parameters
    ----------
    path
        Of the file; other files that it names are never opened.
    sizes
        Of dimensions without a size, by name; one without a name is `INPUT.AXIS`.
    batch
        The size of first dimensions of inputs that have none.

    Raises
    ------
    InputError
        If it is none, has dimensions whose sizes nobody says, or its shapes contradict each other.
    MissingPackage
        If the package onnx is not installed.
    """
    require("onnx")
    model = model_of(path)
    _fix(model, dict(sizes or {}), batch)
    return _OnnxReader(model, model.inferred()).graph()


def _fix(model: Model, sizes: dict[str, int], batch: int | None) -> None:
    """Give a size to every dimension of the inputs.

    Raises
    ------
    InputError
        If some have none, or a size is given that no dimension needs.
    """
    open_names: dict[str, None] = {}
    used = set()
    for one in model.inputs():
        for axis, dim in enumerate(one.type.tensor_type.shape.dim):
            if dim.HasField("dim_value") and dim.dim_value > 0:
                continue
            name = dim.dim_param or f"{one.name}.{axis}"
            size = sizes.get(name, batch if axis == 0 else None)
            used.add(name)
            if size is None:
                open_names[name] = None
            else:
                dim.dim_value = size
    unknown = next((name for name in sizes if name not in used), None)
    if unknown is not None:
        known = f"; there are {', '.join(used)}" if used else "; all have sizes"
        raise InputError(
            f"no dimension without a size is called '{unknown}'{did_you_mean(unknown, used) or known}", field="--dim"
        )
    if open_names:
        first = " ".join(f"--dim {name}=8" for name in list(open_names)[:5])
        listed = ", ".join(list(open_names)[:5])
        raise InputError(f"expected sizes of {listed}, which the file leaves open; say {first}", file=model.path)


class _OnnxReader:
    """What is known of a model's tensors."""

    def __init__(self, model: Model, inferred: Any) -> None:
        self.model = model
        self.inferred = inferred
        self.types: dict[str, int] = {}
        self.sizes: dict[str, tuple[int, ...]] = {}
        self.types.update({one.name: one.type.tensor_type.elem_type for one in inferred.input})
        for name, found in shapes_of(inferred).items():
            self.sizes[name] = _checked(found, name, model.path)
        for one in inferred.initializer:
            self.sizes[one.name] = _checked(tuple(one.dims), one.name, model.path)
        for one in model.initializers:
            self.sizes[one.name] = _checked(tuple(one.dims), one.name, model.path)
            self.types[one.name] = one.data_type
        self.small = dict(self._small())

    def _small(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the constants that say along which axes, and how much."""
        yield from self.model.worked_out.items()
        for one in self.model.small_integers():
            made = numbers_of(one)
            if made is not None:
                yield one.name, made.reshape(-1).tolist()

    def graph(self) -> FrameworkGraph:
        """Return the neutral form."""
        nodes = tuple(self._node(one) for one in self.inferred.node if one.op_type != "Constant")
        trained = tuple(self._trained(nodes))
        size = {FLOATS[self.types[name]] for name in trained}
        return FrameworkGraph(
            self.model.path.stem,
            f"onnx {version_of('onnx')}",
            tuple(one.name for one in self.model.inputs()),
            trained,
            self._with_scalars(nodes),
            nodes,
            tuple(one.name for one in self.inferred.output),
            max(size) if size else 4,
        )

    def _with_scalars(self, nodes: Sequence[Node]) -> Mapping[str, tuple[int, ...]]:
        """Return the sizes of all that nodes read or write.

        Raises
        ------
        InputError
            If a node writes something whose shape does not follow.
        """
        for node in nodes:
            for name in node.outputs:
                if name and name not in self.sizes:
                    raise InputError(
                        f"the shape of '{name}', which {node.where} writes, does not follow; expected it in the file's "
                        f"value_info{self._newer()}",
                        file=self.model.path,
                    )
        return self.sizes

    def _newer(self) -> str:
        """Return what is to be said of a file of operators that are newer than the package onnx; '' of others."""
        from onnx.defs import onnx_opset_version

        own = max((one.version for one in self.model.proto.opset_import if one.domain in ("", "ai.onnx")), default=0)
        newest = onnx_opset_version()
        said = f"; the file is of opset {own}, and onnx {version_of('onnx')} knows those up to {newest}"
        return said if own > newest else ""

    def _node(self, one: Any) -> Node:
        attributes = {attribute.name: _plain(attribute) for attribute in one.attribute}
        attributes = {name: value for name, value in attributes.items() if value is not None}
        attributes |= {f"input{i}": self.small[name] for i, name in enumerate(one.input) if name in self.small}
        # a domain of its own may mean anything by the names that ONNX has
        kind = one.op_type if one.domain in ("", "ai.onnx", "com.microsoft") else f"{one.domain}.{one.op_type}"
        trained = [name for name in one.input if name in self.model.initializer_names]
        return Node(kind, tuple(one.input), tuple(one.output), attributes, module_of(one, trained))

    def _trained(self, nodes: Sequence[Node]) -> Iterator[str]:
        """Yield what is trained: initialisers of more than one number, but those that are counted."""
        counted = {name for node in nodes if node.kind in COUNTED for name in node.inputs[3:5]}
        for one in self.model.initializers:
            if one.data_type in FLOATS and one.name not in counted and _elements(self.sizes[one.name]) > 1:
                yield one.name


def _plain(attribute: Any) -> Any:
    """Return the value of an attribute as JSON has it; None of tensors and graphs, which are not looked into."""
    if attribute.type == 1:
        return attribute.f
    if attribute.type == 2:
        return attribute.i
    if attribute.type == 3:
        return attribute.s.decode("utf-8", "replace")
    lists = {6: attribute.floats, 7: attribute.ints}
    return list(lists[attribute.type]) if attribute.type in lists else None


def _checked(sizes: tuple[int, ...], name: str, path: Path) -> tuple[int, ...]:
    if any(size < 0 or size > LARGEST_SIZE for size in sizes) or _elements(sizes) > LARGEST_SIZE:
        raise InputError(f"expected at most 2^40 numbers in '{name[:100]}', got {list(sizes)[:8]}", file=path)
    if 0 in sizes:
        return tuple(size or 1 for size in sizes)  # nothing that is trained or computed is empty
    return sizes


def _elements(sizes: Sequence[int]) -> int:
    total = 1
    for size in sizes:
        total *= size
    return total

"""The kinds of layers, each with its shape rule; their arguments are checked as the fields of an instance file."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.element_functions import ActivationName
    from hypar_opt.instance.fields import Spec

Shape: TypeAlias = tuple[int, ...]
"""Of one sample: (channels, height, width) or (features,)."""
Pair: TypeAlias = tuple[int, int]
"""(vertical, horizontal)."""


class ShapeError(ValueError):
    """A layer cannot take the shape that it is given.

    Parameters
    ----------
    message
        What does not fit.
    field
        Where in the layer's entry of an instance file, if one field is to blame.
    """

    def __init__(self, message: str, field: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.field = field


def window(size: int, kernel: int, stride: int, pad: int, dilation: int = 1) -> int:
    """Return the number of positions of a sliding window, rounded down.

    Raises
    ------
    ShapeError
        If the kernel is larger than the padded map.
    """
    reach = dilation * (kernel - 1) + 1
    if reach > size + 2 * pad:
        raise ShapeError(f"a kernel that spans {reach} does not fit a map of {size} with padding {pad}")
    return (size + 2 * pad - reach) // stride + 1


def _fill(op: Conv | Linear | Pool | GlobalPool | Activation | Assume, **given: object) -> None:
    """Set the fields of an operation: a pair may be given as one number, None stands for the default.

    Raises
    ------
    InputError
        If there can be no such layer; names the argument.
    """
    from hypar_opt.instance.faults import validated
    from hypar_opt.instance.network_schema import KIND_SPECS

    _set(op, validated(KIND_SPECS[op.layer_kind], {name: value for name, value in given.items() if value is not None}))


def _set(op: Op, checked: Spec) -> None:
    fields = vars(checked)
    for name, value in fields.items():
        object.__setattr__(op, name, fields["kernel"] if name == "stride" and value is None else value)


def _map(shape: Shape, kind: str) -> tuple[int, int, int]:
    if len(shape) != 3:
        raise ShapeError(f"{kind} reads [channels, height, width], got {list(shape)}")
    return shape[0], shape[1], shape[2]


@dataclass(frozen=True, init=False)
class Conv:
    """A convolution with `groups` groups; biases carry no cost. A single number stands for (height, width)."""

    filters: int
    kernel: Pair
    stride: Pair
    pad: Pair
    groups: int
    dilation: Pair
    layer_kind: ClassVar[str] = "conv"

    def __init__(
        self,
        filters: int,
        kernel: Pair | int,
        stride: Pair | int = 1,
        pad: Pair | int = 0,
        groups: int = 1,
        dilation: Pair | int = 1,
    ) -> None:
        _fill(self, filters=filters, kernel=kernel, stride=stride, pad=pad, groups=groups, dilation=dilation)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        channels, *size = _map(shape, "conv")
        for what, count in (("input channels", channels), ("filters", self.filters)):
            if count % self.groups:
                raise ShapeError(f"{count} {what} are not divisible into {self.groups} groups")
        windows = zip(size, self.kernel, self.stride, self.pad, self.dilation, strict=True)
        return (self.filters, *(window(*args) for args in windows))


@dataclass(frozen=True, init=False)
class Linear:
    """A fully connected layer; flattens what it gets, and checks its size where `in_features` says it."""

    features: int
    in_features: int | None
    layer_kind: ClassVar[str] = "linear"

    def __init__(self, features: int, in_features: int | None = None) -> None:
        _fill(self, features=features, in_features=in_features)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        if self.in_features not in (None, prod(shape)):
            raise ShapeError(
                f"linear reads {self.in_features} features, got {prod(shape)} from {list(shape)}",
                ("linear", "in_features"),
            )
        return (self.features,)


@dataclass(frozen=True, init=False)
class Pool:
    """Max or average pooling; rounds down. The stride is the kernel's size unless given."""

    kernel: Pair
    stride: Pair
    pad: Pair
    kind: Literal["max", "avg"]
    layer_kind: ClassVar[str] = "pool"

    def __init__(
        self,
        kernel: Pair | int,
        stride: Pair | int | None = None,
        pad: Pair | int = 0,
        kind: Literal["max", "avg"] = "max",
    ) -> None:
        _fill(self, kernel=kernel, stride=stride, pad=pad, kind=kind)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        channels, *size = _map(shape, "pool")
        windows = zip(size, self.kernel, self.stride, self.pad, strict=True)
        return (channels, *(window(*args) for args in windows))


@dataclass(frozen=True, init=False)
class GlobalPool:
    """Pooling over the whole map, to one value a channel."""

    kind: Literal["max", "avg"]
    layer_kind: ClassVar[str] = "global_pool"

    def __init__(self, kind: Literal["max", "avg"] = "avg") -> None:
        _fill(self, kind=kind)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return (_map(shape, "global_pool")[0],)


@dataclass(frozen=True)
class Flatten:
    """Make features of a map."""

    layer_kind: ClassVar[str] = "flatten"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return (prod(shape),)


@dataclass(frozen=True, init=False)
class Activation:
    """An element-wise function."""

    kind: ActivationName
    layer_kind: ClassVar[str] = "activation"

    def __init__(self, kind: ActivationName = "relu") -> None:
        _fill(self, kind=kind)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return shape


@dataclass(frozen=True)
class Add:
    """An element-wise sum of two or more tensors of one shape."""

    layer_kind: ClassVar[str] = "add"

    def infer(self, *shapes: Shape) -> Shape:
        """Return the output shape."""
        _several(shapes, "add")
        if len(set(shapes)) > 1:
            raise ShapeError(f"add reads tensors of one shape, got {_listed(shapes)}")
        return shapes[0]


@dataclass(frozen=True)
class Concat:
    """Two or more tensors side by side along the channels (or features)."""

    layer_kind: ClassVar[str] = "concat"

    def infer(self, *shapes: Shape) -> Shape:
        """Return the output shape."""
        _several(shapes, "concat")
        if len({(len(shape), shape[1:]) for shape in shapes}) > 1:
            raise ShapeError(f"concat reads maps of one height and width, got {_listed(shapes)}")
        return (sum(shape[0] for shape in shapes), *shapes[0][1:])


@dataclass(frozen=True)
class Skip:
    """An add that nothing decides, as AccPar's released code has it: the last layer's place is the sum's."""

    layer_kind: ClassVar[str] = "add"

    def infer(self, *shapes: Shape) -> Shape:
        """Return the output shape."""
        if len(shapes) != 2:
            raise ShapeError(f"an add as released joins two tensors, got {len(shapes)}")
        return Add().infer(*shapes)


@dataclass(frozen=True, init=False)
class Assume:
    """A shape that is taken as given, whatever is read: of networks whose sources say no layer that makes it."""

    shape: Shape
    layer_kind: ClassVar[str] = "assume"

    def __init__(self, shape: Shape) -> None:
        _fill(self, shape=shape)

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return self.shape


def _several(shapes: tuple[Shape, ...], kind: str) -> None:
    if len(shapes) < 2:
        raise ShapeError(f"{kind} joins two or more tensors, got {len(shapes)}")


def _listed(shapes: tuple[Shape, ...]) -> str:
    return ", ".join(str(list(shape)) for shape in shapes)


Op: TypeAlias = Conv | Linear | Pool | GlobalPool | Flatten | Activation | Add | Concat | Assume | Skip
OPS: Final[Mapping[str, type[Op]]] = MappingProxyType(
    {op.layer_kind: op for op in (Conv, Linear, Pool, GlobalPool, Flatten, Activation, Add, Concat, Assume)}
)
"""By what instance files call them."""


def operation_of(kind: str, checked: Spec) -> Op:
    """Return the operation of a kind whose fields were checked before."""
    op: Op = object.__new__(OPS[kind])
    _set(op, checked)
    return op


@dataclass(frozen=True)
class Layer:
    """A named operation and the names of what it reads.

    Parameters
    ----------
    name
        Unique in the network.
    op
        For example `Conv(32, kernel=3)`.
    inputs
        Names of layers, or `input`; the layer above it unless given, which a network fills in.
    """

    name: str
    op: Op
    inputs: tuple[str, ...] = ()

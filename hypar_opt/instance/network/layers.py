"""The kinds of layers, each with its shape rule."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import ClassVar, Literal, TypeAlias

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


def _map(shape: Shape, kind: str) -> tuple[int, int, int]:
    if len(shape) != 3:
        raise ShapeError(f"{kind} reads [channels, height, width], got {list(shape)}")
    return shape[0], shape[1], shape[2]


@dataclass(frozen=True)
class Conv:
    """A convolution with `groups` groups; biases carry no cost."""

    filters: int
    kernel: Pair
    stride: Pair = (1, 1)
    pad: Pair = (0, 0)
    groups: int = 1
    dilation: Pair = (1, 1)
    kind: ClassVar[str] = "conv"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        channels, *size = _map(shape, "conv")
        for what, count in (("input channels", channels), ("filters", self.filters)):
            if count % self.groups:
                raise ShapeError(f"{count} {what} are not divisible into {self.groups} groups")
        windows = zip(size, self.kernel, self.stride, self.pad, self.dilation, strict=True)
        return (self.filters, *(window(*args) for args in windows))


@dataclass(frozen=True)
class Linear:
    """A fully connected layer; flattens what it gets, and checks its size where `in_features` says it."""

    features: int
    in_features: int | None = None
    kind: ClassVar[str] = "linear"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        if self.in_features not in (None, prod(shape)):
            raise ShapeError(
                f"linear reads {self.in_features} features, got {prod(shape)} from {list(shape)}",
                ("linear", "in_features"),
            )
        return (self.features,)


@dataclass(frozen=True)
class Pool:
    """Max or average pooling; rounds down."""

    kernel: Pair
    stride: Pair
    pad: Pair = (0, 0)
    mode: Literal["max", "avg"] = "max"
    kind: ClassVar[str] = "pool"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        channels, *size = _map(shape, "pool")
        windows = zip(size, self.kernel, self.stride, self.pad, strict=True)
        return (channels, *(window(*args) for args in windows))


@dataclass(frozen=True)
class GlobalPool:
    """Pooling over the whole map, to one value a channel."""

    mode: Literal["max", "avg"] = "avg"
    kind: ClassVar[str] = "global_pool"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return (_map(shape, "global_pool")[0],)


@dataclass(frozen=True)
class Flatten:
    """Make features of a map."""

    kind: ClassVar[str] = "flatten"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return (prod(shape),)


@dataclass(frozen=True)
class Activation:
    """An element-wise function."""

    kind: ClassVar[str] = "activation"

    def infer(self, shape: Shape) -> Shape:
        """Return the output shape."""
        return shape


@dataclass(frozen=True)
class Add:
    """An element-wise sum of two or more tensors of one shape."""

    kind: ClassVar[str] = "add"

    def infer(self, *shapes: Shape) -> Shape:
        """Return the output shape."""
        _several(shapes, "add")
        if len(set(shapes)) > 1:
            raise ShapeError(f"add reads tensors of one shape, got {_listed(shapes)}")
        return shapes[0]


@dataclass(frozen=True)
class Concat:
    """Two or more tensors side by side along the channels (or features)."""

    kind: ClassVar[str] = "concat"

    def infer(self, *shapes: Shape) -> Shape:
        """Return the output shape."""
        _several(shapes, "concat")
        if len({(len(shape), shape[1:]) for shape in shapes}) > 1:
            raise ShapeError(f"concat reads maps of one height and width, got {_listed(shapes)}")
        return (sum(shape[0] for shape in shapes), *shapes[0][1:])


def _several(shapes: tuple[Shape, ...], kind: str) -> None:
    if len(shapes) < 2:
        raise ShapeError(f"{kind} joins two or more tensors, got {len(shapes)}")


def _listed(shapes: tuple[Shape, ...]) -> str:
    return ", ".join(str(list(shape)) for shape in shapes)


Op: TypeAlias = Conv | Linear | Pool | GlobalPool | Flatten | Activation | Add | Concat


@dataclass(frozen=True)
class Layer:
    """A named operation and the names of what it reads (`input` is the network's input)."""

    name: str
    op: Op
    inputs: tuple[str, ...]

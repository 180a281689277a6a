"""Arrays of accelerators along dimensions: meshes, and tori, whose lines are closed to rings."""

from __future__ import annotations

from functools import partial
from math import prod
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.hardware.machine import Machine
from hypar_opt.instance.hardware.shape import Shape, Size
from hypar_opt.instance.hardware.topology import Topology, connect, numbered
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Iterator


def grid(topology: str, shape: Shape) -> Machine:
    """Return accelerators with a link to the next one along every dimension.

    In a torus the last one of every line is linked with the first. A line of two has one link, not two side by side; a
    line of one has none.
    """
    dims = grid_dims(shape)
    links = tuple(connect(*ends, shape.wire) for ends in _joined(dims, topology == "torus"))
    return Machine(topology, numbered("a", prod(dims)), (), links, rule="dimension-order", dims=dims)


def grid_size(topology: str, shape: Shape) -> Size:
    """Return the product of the dimensions, and the links along their lines, in a torus those of rings."""
    dims = grid_dims(shape)
    count = prod(dims)
    return Size(count, 0, sum(count // size * _links_of_line(size, topology == "torus") for size in dims))


def grid_dims(shape: Shape) -> tuple[int, ...]:
    """Return the shape's dimensions, or for 2^H accelerators two, as equal as can be, the larger first."""
    if shape.dims is not None:
        return shape.dims
    smaller = shape.levels // 2
    return halves(shape.levels - smaller).leaves, halves(smaller).leaves


def _links_of_line(size: int, wraps: bool) -> int:
    return size if wraps and size > 2 else size - 1


def _joined(dims: tuple[int, ...], wraps: bool) -> Iterator[tuple[int, int]]:
    """Yield the ends of all links: each accelerator's with the next one along every dimension."""
    for node in range(prod(dims)):
        stride = 1
        for size in reversed(dims):
            here = node // stride % size
            if here < _links_of_line(size, wraps):
                yield node, node + ((here + 1) % size - here) * stride
            stride *= size


TOPOLOGIES: Final = tuple(
    Topology(name, summary, partial(grid, name), partial(grid_size, name), ("dims",), "dimension-order", "grid", rank)
    for name, summary, rank in (("torus", "grid whose lines are rings", 30), ("mesh", "grid", 40))
)

"""Arrays that are trees: accelerators at the leaves, switches above them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hypar_opt.array.machine import Link, Machine

if TYPE_CHECKING:
    from hypar_opt.array.shape import Shape


def h_tree(shape: Shape) -> Machine:
    """Return a binary tree whose bandwidth doubles from every level to the one above it.

    Every level has the same bandwidth in all (HyPar, Section 6.5).
    """
    return _binary(shape, "h-tree", widening=2)


def _binary(shape: Shape, topology: str, widening: int) -> Machine:
    """Node 2^H - 1 + i of a heap's numbering is accelerator i; the switches are the nodes before, the root first."""
    leaves = 1 << shape.levels
    node = {heap: heap - leaves if heap >= leaves else leaves + heap - 1 for heap in range(1, 2 * leaves)}
    links = []
    for heap in range(2, 2 * leaves):
        height = shape.levels - (heap.bit_length() - 1)
        bandwidth = None if shape.wire.bandwidth is None else shape.wire.bandwidth * Fraction(widening) ** height
        links.append(Link((node[heap], node[heap // 2]), bandwidth, shape.wire.latency, shape.wire.energy))
    return Machine(
        topology,
        tuple(f"a{i}" for i in range(leaves)),
        tuple(f"s{i}" for i in range(leaves - 1)),
        tuple(links),
    )

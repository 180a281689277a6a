"""Arrays that are trees: accelerators at the leaves, switches above them."""

from __future__ import annotations

from typing import Final

from hypar_opt.instance.hardware.machine import Machine
from hypar_opt.instance.hardware.shape import Shape, Size, power_of_two
from hypar_opt.instance.hardware.topology import Topology, connect, numbered, widened


def h_tree(shape: Shape) -> Machine:
    """Return a binary tree whose bandwidth doubles from every level to the one above it.

    Every level has the same bandwidth in all (HyPar, Section 6.5).
    """
    return _binary(shape, "h-tree", widening=2)


def binary_tree(shape: Shape) -> Machine:
    """Return a binary tree whose links are all alike."""
    return _binary(shape, "binary-tree", widening=1)


def star(shape: Shape) -> Machine:
    """Return accelerators around one switch."""
    size = star_size(shape)
    links = [connect(node, size.accelerators, shape.wire) for node in range(size.accelerators)]
    return Machine("star", numbered("a", size.accelerators), ("s0",), tuple(links))


def binary_size(shape: Shape) -> Size:
    """Return 2^n leaves below 2^n - 1 switches.

    Raises
    ------
    MachineError
        If the number of accelerators is no power of two.
    """
    leaves = power_of_two(shape)
    return Size(leaves, leaves - 1, 2 * leaves - 2)


def star_size(shape: Shape) -> Size:
    """Return any number of accelerators and one switch."""
    return Size(shape.count, 1, shape.count)


def _binary(shape: Shape, topology: str, widening: int) -> Machine:
    """Node 2^H - 1 + i of a heap's numbering is accelerator i; the switches are the nodes before, the root first."""
    leaves = binary_size(shape).accelerators
    height = leaves.bit_length() - 1
    wires = [widened(shape.wire, widening**above) for above in range(height)]
    node = {heap: heap - leaves if heap >= leaves else leaves + heap - 1 for heap in range(1, 2 * leaves)}
    links = [
        connect(node[heap], node[heap // 2], wires[height + 1 - heap.bit_length()]) for heap in range(2, 2 * leaves)
    ]
    return Machine(topology, numbered("a", leaves), numbered("s", leaves - 1), tuple(links))


TOPOLOGIES: Final = (
    Topology("h-tree", "binary tree, bandwidth doubling towards the root", h_tree, binary_size, layout="tree", rank=10),
    Topology("binary-tree", "binary tree, all links alike", binary_tree, binary_size, layout="tree", rank=20),
    Topology("star", "one switch", star, star_size, layout="circle", rank=80),
)

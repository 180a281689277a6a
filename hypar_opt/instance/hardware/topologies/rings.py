"""Arrays without switches in which every accelerator has a few neighbours, or all."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from hypar_opt.instance.hardware.machine import Machine
from hypar_opt.instance.hardware.shape import Shape, Size, power_of_two
from hypar_opt.instance.hardware.topology import Topology, connect, numbered, widened

HMC_LINKS_A_NEIGHBOUR = 2
"""A cube has four links; in a row it gives two to either neighbour."""


def ring(shape: Shape) -> Machine:
    """Return accelerators in a circle; two have one link, one has none."""
    count = shape.count
    links = [connect(node, node + 1, shape.wire) for node in range(count - 1)]
    if count > 2:
        links.append(connect(count - 1, 0, shape.wire))
    return Machine("ring", numbered("a", count), (), tuple(links))


def hmc_chain(shape: Shape) -> Machine:
    """Return memory cubes in a row, each with two of its four links to either neighbour.

    Neighbours are joined by one link of the array that stands for both: twice the bandwidth of a single one, its
    latency and its energy a byte. The outer cubes keep two links for the host (Hybrid Memory Cube Specification
    2.1, chaining).
    """
    bundle = widened(shape.wire, HMC_LINKS_A_NEIGHBOUR)
    links = [connect(node, node + 1, bundle) for node in range(shape.count - 1)]
    return Machine("hmc-chain", numbered("a", shape.count), (), tuple(links))


def hypercube(shape: Shape) -> Machine:
    """Return 2^n accelerators, linked where their positions differ in one bit."""
    count = hypercube_size(shape).accelerators
    bits = [1 << i for i in range(count.bit_length() - 1)]
    links = [connect(node, node | bit, shape.wire) for node in range(count) for bit in bits if not node & bit]
    return Machine("hypercube", numbered("a", count), (), tuple(links), rule="e-cube")


def fully_connected(shape: Shape) -> Machine:
    """Return accelerators with a link for every two of them."""
    links = [connect(first, second, shape.wire) for first, second in combinations(range(shape.count), 2)]
    return Machine("fully-connected", numbered("a", shape.count), (), tuple(links))


def ring_size(shape: Shape) -> Size:
    """Return as many links as accelerators, from three on."""
    return Size(shape.count, 0, shape.count if shape.count > 2 else shape.count - 1)


def chain_size(shape: Shape) -> Size:
    """Return one link fewer than accelerators."""
    return Size(shape.count, 0, shape.count - 1)


def hypercube_size(shape: Shape) -> Size:
    """Return 2^n accelerators with n links each.

    Raises
    ------
    MachineError
        If the number of accelerators is no power of two.
    """
    count = power_of_two(shape)
    return Size(count, 0, count * (count.bit_length() - 1) // 2)


def fully_connected_size(shape: Shape) -> Size:
    """Return a link for every two accelerators."""
    return Size(shape.count, 0, shape.count * (shape.count - 1) // 2)


TOPOLOGIES: Final = (
    Topology("ring", "every accelerator between two others", ring, ring_size, layout="circle", rank=50),
    Topology(
        "hypercube", "links where positions differ in one bit", hypercube, hypercube_size,
        rule="e-cube", layout="cube", rank=60,
    ),
    Topology(
        "fully-connected", "a link for every two accelerators", fully_connected, fully_connected_size,
        layout="circle", rank=70,
    ),
    Topology(
        "hmc-chain", "memory cubes in a row, two links to a neighbour", hmc_chain, chain_size, layout="row", rank=110
    ),
)  # fmt: skip

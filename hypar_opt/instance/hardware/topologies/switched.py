"""Arrays whose accelerators hang below several layers or sides of switches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.hardware.machine import Machine
from hypar_opt.instance.hardware.shape import Shape, Size
from hypar_opt.instance.hardware.topology import Topology, connect, numbered
from hypar_opt.util.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterator


SWITCHES_A_SIDE = 2
"""Of a BiGraph, unless the shape says otherwise."""


def fat_tree(shape: Shape) -> Machine:
    """Return the fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008, Section 3).

    k pods have k/2 edge and k/2 aggregation switches each, all joined with all; an edge switch has k/2
    accelerators, and aggregation switch j of every pod is joined with core switches j k/2 .. (j+1) k/2 - 1.
    The switches are the edge ones, pod by pod, then the aggregation ones, then the cores.
    """
    half = _ports(shape) // 2
    size = fat_tree_size(shape)
    links = tuple(connect(*ends, shape.wire) for ends in _fat_links(half, size.accelerators))
    return Machine("fat-tree", numbered("a", size.accelerators), numbered("s", size.switches), links)


def bigraph(shape: Shape) -> Machine:
    """Return two sides of switches, every one joined with all of the other side (EFLOPS, Dong et al., HPCA 2020).

    The accelerators are spread over all switches in order, as evenly as can be; the switches of one side come
    before those of the other.
    """
    size, side = bigraph_size(shape), _side(shape)
    below = size.accelerators
    links = [connect(node, below + node * size.switches // below, shape.wire) for node in range(below)]
    links += [connect(below + one, below + side + other, shape.wire) for one in range(side) for other in range(side)]
    return Machine("bigraph", numbered("a", below), numbered("s", size.switches), tuple(links))


def fat_tree_size(shape: Shape) -> Size:
    """Return k^3 / 4 accelerators and 5 k^2 / 4 switches.

    Raises
    ------
    MachineError
        If the number of ports is odd.
    """
    ports = _ports(shape)
    if ports % 2:
        raise MachineError(f"expected an even number of ports, got {ports}", field="ports")
    return Size(ports**3 // 4, 5 * ports**2 // 4, 3 * ports**3 // 4)


def bigraph_size(shape: Shape) -> Size:
    """Return any number of accelerators and both sides' switches."""
    side = _side(shape)
    return Size(shape.count, 2 * side, shape.count + side * side)


def _side(shape: Shape) -> int:
    return SWITCHES_A_SIDE if shape.switches is None else shape.switches


def _ports(shape: Shape) -> int:
    """Return the shape's ports, or the least even number that gives 2^H accelerators."""
    if shape.ports is not None:
        return shape.ports
    ports = 2
    while ports**3 // 4 < shape.count:
        ports += 2
    return ports


def _fat_links(half: int, accelerators: int) -> Iterator[tuple[int, int]]:
    edges = range(accelerators, accelerators + 2 * half * half)
    aggregations, cores = edges.stop, edges.stop + len(edges)
    for node in range(accelerators):
        yield node, edges[node // half]
    for number, edge in enumerate(edges):
        pod = number // half * half
        yield from ((edge, aggregations + pod + j) for j in range(half))
    for number in range(len(edges)):
        first = number % half * half
        yield from ((aggregations + number, cores + first + j) for j in range(half))


TOPOLOGIES: Final = (
    Topology(
        "fat-tree", "three layers of k-port switches in k pods", fat_tree, fat_tree_size, ("ports",),
        layout="layers", rank=90,
    ),
    Topology(
        "bigraph", "two sides of switches, all joined", bigraph, bigraph_size, ("accelerators", "switches"),
        layout="two-sides", rank=100,
    ),
)  # fmt: skip

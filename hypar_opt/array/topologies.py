"""The known topologies."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.array.grids import mesh, mesh_size, torus, torus_size
from hypar_opt.array.rings import (
    chain_size,
    fully_connected,
    fully_connected_size,
    hmc_chain,
    hypercube,
    hypercube_size,
    ring,
    ring_size,
)
from hypar_opt.array.sizes import check_buildable, check_enough, check_fields
from hypar_opt.array.switched import bigraph, bigraph_size, fat_tree, fat_tree_size
from hypar_opt.array.trees import binary_size, binary_tree, h_tree, star, star_size
from hypar_opt.errors import MachineError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import NoReturn

    from hypar_opt.array.machine import Machine, Rule
    from hypar_opt.array.shape import Shape
    from hypar_opt.array.sizes import Size


@dataclass(frozen=True)
class Topology:
    """A way of linking accelerators.

    Parameters
    ----------
    name
        As in instance files.
    summary
        One line for tables.
    build
        From a shape to the array, unchecked; `machine_of` checks the shape first.
    size
        From a shape to the numbers of its parts, without building them.
    parameters
        What it takes beside levels and link.
    rule
        How routes are chosen unless they are split.
    """

    name: str
    summary: str
    build: Callable[[Shape], Machine]
    size: Callable[[Shape], Size]
    parameters: tuple[str, ...] = ("accelerators",)
    rule: Rule = "shortest"


def machine_of(topology: str, shape: Shape) -> Machine:
    """Return an array.

    Parameters
    ----------
    topology
        A name of `TOPOLOGIES`.
    shape
        How large it is, and what its links can do.

    Raises
    ------
    MachineError
        If there is no such topology, the shape cannot be, or the array has too many nodes or links to be built.
    """
    known = _known(topology)
    check_buildable(topology, _size(known, shape))
    return known.build(shape)


def accelerator_count(topology: str, shape: Shape) -> int:
    """Return how many accelerators an array has, without building it; they are called a0, a1, ...

    Raises
    ------
    MachineError
        If there is no such topology or the shape cannot be. Any size is counted.
    """
    return _size(_known(topology), shape).accelerators


def _known(topology: str) -> Topology:
    if topology not in TOPOLOGIES:
        raise MachineError(f"unknown topology '{topology}'{did_you_mean(topology, TOPOLOGIES)}", field="topology")
    return TOPOLOGIES[topology]


def _size(topology: Topology, shape: Shape) -> Size:
    check_fields(topology.name, shape, topology.parameters)
    size = topology.size(shape)
    given = next((field for field in topology.parameters if getattr(shape, field, None) is not None), "levels")
    check_enough(size.accelerators, shape.levels, given)
    return size


def _needs_a_graph(shape: Shape) -> NoReturn:
    raise MachineError("a custom topology is its nodes and links, not a shape", field="graph")


_DIMS = ("dims",)
_ALL: Final = (
    Topology("h-tree", "binary tree, bandwidth doubling towards the root", h_tree, binary_size),
    Topology("binary-tree", "binary tree, all links alike", binary_tree, binary_size),
    Topology("torus", "grid whose lines are rings", torus, torus_size, _DIMS, "dimension-order"),
    Topology("mesh", "grid", mesh, mesh_size, _DIMS, "dimension-order"),
    Topology("ring", "every accelerator between two others", ring, ring_size),
    Topology("hypercube", "links where positions differ in one bit", hypercube, hypercube_size, rule="e-cube"),
    Topology("fully-connected", "a link for every two accelerators", fully_connected, fully_connected_size),
    Topology("star", "one switch", star, star_size),
    Topology("fat-tree", "three layers of k-port switches in k pods", fat_tree, fat_tree_size, ("ports",)),
    Topology("bigraph", "two sides of switches, all joined", bigraph, bigraph_size, ("accelerators", "switches")),
    Topology("hmc-chain", "memory cubes in a row, two links to a neighbour", hmc_chain, chain_size),
    Topology("custom", "nodes and links of your own", _needs_a_graph, _needs_a_graph, ("graph",)),
)
TOPOLOGIES: Final[Mapping[str, Topology]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""

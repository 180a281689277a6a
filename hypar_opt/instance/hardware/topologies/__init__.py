"""The known topologies: every module here says in `TOPOLOGIES` what it adds."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.hardware.shape import Shape, Size, check_buildable, check_enough, check_fields
from hypar_opt.util.errors import MachineError, did_you_mean
from hypar_opt.util.lazy import records_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.hardware.machine import Machine
    from hypar_opt.instance.hardware.topology import Topology

TOPOLOGIES: Final[Mapping[str, Topology]] = MappingProxyType(
    {one.name: one for one in records_of(__name__, __path__, "TOPOLOGIES")}
)
"""By name, in the order of their ranks."""


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

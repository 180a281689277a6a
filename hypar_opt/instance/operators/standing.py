"""Devices of an array of axes on the graph of a topology: which graph, and where each stands."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING

from hypar_opt.instance.array import build_machine, machine_fault, names_of, placement_fault
from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.hardware import TOPOLOGIES
from hypar_opt.util.errors import MachineError

if TYPE_CHECKING:
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.text import FieldPath


@dataclass(frozen=True, eq=False)
class Standing:
    """Where devices stand.

    Parameters
    ----------
    machine
        The graph.
    sites
        By device, its accelerator's position.
    """

    machine: Machine
    sites: tuple[int, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """By device, its accelerator's name."""
        return tuple(self.machine.accelerators[site] for site in self.sites)


def with_article(topology: str) -> str:
    """Return a topology's name as sentences have it."""
    return f"{'an' if topology.startswith(('a', 'e', 'h-', 'hm', 'i', 'o')) else 'a'} {topology}"


def graph_spec(array: AxesArraySpec) -> ArraySpec:
    """Return an array's graph alone; a size that is not given is that of its axes, a grid as square as can be."""
    assert array.topology is not None  # asked for where there is one
    devices, takes = array.partition.leaves, TOPOLOGIES[array.topology].parameters
    dims, ports = array.dims, array.ports
    if "dims" in takes and dims is None:
        smaller = next(size for size in range(isqrt(devices), 0, -1) if devices % size == 0)
        dims = (devices // smaller, smaller)
    if "ports" in takes and ports is None:
        ports = next(one for one in range(2, 2 * devices + 2, 2) if one**3 // 4 >= devices)
    return ArraySpec.model_construct(
        topology=array.topology,
        levels=0,
        accelerators=devices if "accelerators" in takes else None,
        dims=dims,
        ports=ports,
        switches=array.switches,
        link=array.link,
        routing=array.routing,
        graph=array.graph,
    )


def machine_of_axes(array: AxesArraySpec) -> Machine | None:
    """Return the graph that an array's devices stand on; None where it has no topology.

    Raises
    ------
    MachineError
        If it is too large to be built.
    """
    return None if array.topology is None else build_machine(graph_spec(array))


def standing_fault(array: AxesArraySpec) -> tuple[FieldPath, str] | None:
    """Return the field of an array whose graph cannot be, or has not the axes' devices, and why; or None."""
    if array.topology is None:
        return None
    spec, devices = graph_spec(array), array.partition.leaves
    cut = "axes" if array.axes is not None else "levels"
    try:
        names = names_of(spec)
    except MachineError as error:
        if error.field == "accelerators":  # which are those of the axes
            return (
                "array",
                cut,
            ), f"{with_article(array.topology)} does not take the product of the axes: {error.message}"
        return ("array", *machine_fault(error, spec)), error.message
    count = names if isinstance(names, int) else len(names)
    if count != devices:
        product = " x ".join(str(axis.size) for axis in array.partition.axes)
        said = product if len(array.partition.axes) == 1 else f"{product} = {devices:,}"
        on = f"{with_article(array.topology)} of {count:,} accelerators"
        return ("array", cut), f"{said} devices on {on}; expected as many"
    if array.link is not None and array.link.at == "root" and array.topology != "h-tree":
        return (
            "array",
            "link",
            "at",
        ), f"a root's bandwidth is given of an h-tree only, and this is {with_article(array.topology)}"
    return placement_fault(array.placement, devices, names, "device")

"""An array as the dimensions of ASTRA-sim's analytical network, where it is made of rings, switches and full groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.instance.hardware import Machine

Block: TypeAlias = Literal["FullyConnected", "Ring", "Switch"]
"""What the analytical network calls a dimension."""
GIB: Final = 2**30
"""Bytes in what it calls a GB."""


@dataclass(frozen=True)
class NetworkDimension:
    """A dimension of the analytical network.

    Parameters
    ----------
    block
        How its accelerators are linked.
    count
        How many there are.
    """

    block: Block
    count: int


@dataclass(frozen=True)
class AnalyticalNetwork:
    """What a network file says; all links are alike.

    Parameters
    ----------
    dimensions
        The first one's neighbours have numbers that differ by one.
    bandwidth
        Bytes a second of each direction of a link.
    latency
        Seconds of a link.
    """

    dimensions: tuple[NetworkDimension, ...]
    bandwidth: Fraction
    latency: Fraction

    @property
    def text(self) -> str:
        """As YAML: bandwidths in 2^30 bytes a second, which the network calls GB/s, latencies in nanoseconds."""
        count = len(self.dimensions)
        lists: dict[str, list[Any]] = {
            "topology": [one.block for one in self.dimensions],
            "npus_count": [one.count for one in self.dimensions],
            "bandwidth": [float(self.bandwidth / GIB)] * count,
            "latency": [float(self.latency * 10**9)] * count,
        }
        units = {"bandwidth": "  # 2^30 bytes a second", "latency": "  # nanoseconds"}
        rows = (f"{name}: [ {', '.join(map(str, own))} ]{units.get(name, '')}\n" for name, own in lists.items())
        return "".join(rows)


def analytical_network(machine: Machine) -> AnalyticalNetwork | None:
    """Return an array as dimensions of the analytical network, or None where it has none.

    Raises
    ------
    InputError
        If links have no bandwidth.
    """
    check_bandwidths(machine)
    dimensions = _DIMENSIONS.get(machine.topology, _none)(machine)
    wires = {(link.bandwidth, link.latency) for link in machine.links}
    if not dimensions or len(wires) != 1:
        return None
    ((bandwidth, latency),) = wires
    assert bandwidth is not None  # or it would have been refused
    return AnalyticalNetwork(dimensions, bandwidth, latency)


def check_bandwidths(machine: Machine) -> None:
    """Raise `InputError` at a link without a bandwidth."""
    slow = next((link for link in machine.links if link.bandwidth is None), None)
    if slow is not None:
        ends = " and ".join(f"'{machine.names[node]}'" for node in slow.ends)
        said = f"missing between {ends}; expected bytes a second, which a simulator of networks needs"
        raise InputError(said, field="array.link.bandwidth")


def topology_text(machine: Machine) -> str:
    """Return an array as the topology of ASTRA-sim's ns-3 network: any links, with their own bandwidth and latency.

    Raises
    ------
    InputError
        If links have no bandwidth.
    """
    check_bandwidths(machine)
    accelerators = len(machine.accelerators)
    head = f"{len(machine.names)} {len(machine.switches)} {len(machine.links)}"
    switches = " ".join(str(node) for node in range(accelerators, len(machine.names)))
    rows = (
        f"{link.ends[0]} {link.ends[1]} {_decimal((link.bandwidth or 0) * 8)}bps {_decimal(link.latency * 10**9)}ns 0"
        for link in machine.links
    )
    return "\n".join((head, switches, *rows)) + "\n"


def _decimal(value: Fraction | int) -> str:
    """Return a decimal number, rounded where there is no exact one."""
    found = str(exact(value))
    return f"{float(value):.12f}" if "/" in found else found


def _none(_: Machine) -> tuple[NetworkDimension, ...]:
    return ()


def _of_one(block: Block) -> Callable[[Machine], tuple[NetworkDimension, ...]]:
    return lambda machine: _dimensions(block, (len(machine.accelerators),))


def _of_torus(machine: Machine) -> tuple[NetworkDimension, ...]:
    return _dimensions("Ring", machine.dims[::-1])


def _of_cube(machine: Machine) -> tuple[NetworkDimension, ...]:
    return _dimensions("Ring", (2,) * (len(machine.accelerators).bit_length() - 1))


def _dimensions(block: Block, counts: tuple[int, ...]) -> tuple[NetworkDimension, ...]:
    """Return dimensions; one of a single accelerator is none, and two are joined by one link, not in a ring."""
    return tuple(
        NetworkDimension("FullyConnected" if count == 2 and block == "Ring" else block, count)
        for count in counts
        if count > 1
    )


_DIMENSIONS: Final[Mapping[str, Callable[[Machine], tuple[NetworkDimension, ...]]]] = MappingProxyType(
    {
        "ring": _of_one("Ring"),
        "torus": _of_torus,
        "hypercube": _of_cube,
        "fully-connected": _of_one("FullyConnected"),
        "star": _of_one("Switch"),
    }
)
"""By topology; meshes, trees and graphs of one's own are made of none of these."""

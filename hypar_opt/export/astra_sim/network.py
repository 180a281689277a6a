"""An array as the dimensions of ASTRA-sim's analytical network, where it is made of rings, switches and full groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from hypar_opt.util.errors import InputError
from hypar_opt.util.numbers import exact

if TYPE_CHECKING:
    from fractions import Fraction

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.util.partition import Partition

Block: TypeAlias = Literal["FullyConnected", "Ring", "Switch"]
"""What the analytical network calls a dimension."""
Blocks: TypeAlias = tuple[tuple[Block, int], ...]
"""Dimensions with their numbers of accelerators."""
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
    bandwidth
        Bytes a second of each direction of a link.
    latency
        Seconds of a link.
    """

    block: Block
    count: int
    bandwidth: Fraction
    latency: Fraction


@dataclass(frozen=True)
class AnalyticalNetwork:
    """What a network file says.

    Parameters
    ----------
    dimensions
        The first one's neighbours have numbers that differ by one.
    """

    dimensions: tuple[NetworkDimension, ...]

    @property
    def text(self) -> str:
        """As YAML: bandwidths in 2^30 bytes a second, which the network calls GB/s, latencies in nanoseconds."""
        lists: dict[str, list[Any]] = {
            "topology": [one.block for one in self.dimensions],
            "npus_count": [one.count for one in self.dimensions],
            "bandwidth": [float(one.bandwidth / GIB) for one in self.dimensions],
            "latency": [float(one.latency * 10**9) for one in self.dimensions],
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
    blocks = _BLOCKS.get(machine.topology, _none)(machine)
    wires = {(link.bandwidth, link.latency) for link in machine.links}
    if not blocks or len(wires) != 1:
        return None
    ((bandwidth, latency),) = wires
    assert bandwidth is not None  # or it would have been refused
    return AnalyticalNetwork(tuple(NetworkDimension(*block, bandwidth, latency) for block in blocks))


def axes_network(partition: Partition, links: Sequence[AxisLink]) -> AnalyticalNetwork:
    """Return axes as rings of devices, each with the links of its axis.

    Raises
    ------
    InputError
        If an axis has no bandwidth.
    """
    found = []
    for axis, link in zip(partition.axes[::-1], links[::-1], strict=True):
        if link.bandwidth is None:
            said = f"missing along '{axis.name}'; expected bytes a second, which a simulator of networks needs"
            raise InputError(said, field="array.axes")
        found += [NetworkDimension(*block, link.bandwidth, link.latency) for block in _blocks("Ring", (axis.size,))]
    return AnalyticalNetwork(tuple(found))


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


def _none(_: Machine) -> Blocks:
    return ()


def _of_one(block: Block) -> Callable[[Machine], Blocks]:
    return lambda machine: _blocks(block, (len(machine.accelerators),))


def _of_torus(machine: Machine) -> Blocks:
    return _blocks("Ring", machine.dims[::-1])


def _of_cube(machine: Machine) -> Blocks:
    return _blocks("Ring", (2,) * (len(machine.accelerators).bit_length() - 1))


def _blocks(block: Block, counts: tuple[int, ...]) -> Blocks:
    """Return dimensions; one of a single accelerator is none, and two are joined by one link, not in a ring."""
    return tuple(
        ("FullyConnected" if count == 2 and block == "Ring" else block, count) for count in counts if count > 1
    )


_BLOCKS: Final[Mapping[str, Callable[[Machine], Blocks]]] = MappingProxyType(
    {
        "ring": _of_one("Ring"),
        "torus": _of_torus,
        "hypercube": _of_cube,
        "fully-connected": _of_one("FullyConnected"),
        "star": _of_one("Switch"),
    }
)
"""By topology; meshes, trees and graphs of one's own are made of none of these."""

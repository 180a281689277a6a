"""The groups of an array's axes as data of a picture: which devices stand where, and what joins those of a group."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.instance.hardware import Shape, machine_of
from hypar_opt.instance.hardware.routing import distances
from hypar_opt.instance.operators.standing import Standing, machine_of_axes
from hypar_opt.report.charts.links_geometry import Geometry, geometry_of
from hypar_opt.report.numbers import in_bytes, in_si
from hypar_opt.report.tables import Column, Table, entry_rows
from hypar_opt.studies.sweep import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hypar_opt.instance.hardware import Machine
    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.util.partition import Partition

COLOURS: Final = ("#E69F00", "#56B4E9", "#F0E442", "#CC79A7", "#7FD6BB", "#C9C9C9", "#E9A58B", "#B7C4F5")
"""Of groups, by turns: light ones, on which black text can be read."""
SWITCH: Final = "switch"


@dataclass(frozen=True)
class AxesDrawing:
    """An array of axes, to be drawn.

    Parameters
    ----------
    array
        As its instance or file says.
    standing
        Where devices stand on a graph of links; None where they do not, and are drawn as a grid.
    said
        What is to be said of the placement.
    """

    array: AxesArraySpec
    standing: Standing | None = None
    said: str = ""

    @classmethod
    def of_array(cls, array: AxesArraySpec, standing: Standing | None = None) -> AxesDrawing:
        """Return the drawing of an array; where devices stand on a graph and nobody says where, in order.

        Raises
        ------
        MachineError
            If the graph is too large to be built.
        """
        machine = None if standing is not None else machine_of_axes(array)
        if machine is not None:
            how = "" if array.placement == "identity" else ", devices in order: no placement is given"
            return cls(array, Standing(machine, tuple(range(array.partition.leaves))), f"{machine.topology}{how}")
        return cls(array, standing, "axes, outermost first" if standing is None else standing.machine.topology)

    @property
    def partition(self) -> Partition:
        """How the axes cut the devices."""
        return self.array.partition

    @cached_property
    def machine(self) -> Machine:
        """The graph; of axes alone a grid, whose dimensions they are."""
        if self.standing is not None:
            return self.standing.machine
        return machine_of("mesh", Shape(0, dims=tuple(axis.size for axis in self.partition.axes)))

    @cached_property
    def sites(self) -> tuple[int, ...]:
        """By device, its accelerator's position."""
        return tuple(range(self.partition.leaves)) if self.standing is None else self.standing.sites

    @cached_property
    def geometry(self) -> Geometry:
        """Where everything stands."""
        return geometry_of(self.machine, max(len(self.partition.address(device)) for device in range(len(self.sites))))

    def group(self, device: int, axis: int) -> int:
        """Return which of the groups along an axis a device is in, the groups numbered by their first devices."""
        stride, size = self.partition.strides[axis], self.partition.axes[axis].size
        return device // (stride * size) * stride + device % stride

    def headings(self, axis: int) -> list[str]:
        """Return what stands above an axis's groups: how many, how large, and what joins them."""
        one = self.partition.axes[axis]
        groups = counted(self.partition.leaves // one.size, "group")
        return [f"{one.name}: {groups} of {one.size:,}", *filter(None, [self._joined(axis)])]

    def _joined(self, axis: int) -> str:
        if self.standing is not None:
            return f"at most {counted(self.farthest[axis], 'link')} between two of a group"
        link = self.array.links[axis]
        if link.bandwidth is None:
            return ""
        return f"{in_bytes(link.bandwidth)}/s" + (f", {in_si(float(link.latency), 's')}" if link.latency else "")

    @cached_property
    def farthest(self) -> tuple[int, ...]:
        """By axis, the links between the two devices of a group that are the farthest apart."""
        most = [0] * self.partition.levels
        for device, site in enumerate(self.sites):
            away = distances(self.machine, site)
            for axis in range(self.partition.levels):
                most[axis] = max([most[axis], *(away[self.sites[peer]] for peer in self.partition.peers(device, axis))])
        return tuple(most)

    def nodes(self) -> Iterator[dict[str, Any]]:
        """Yield every node: where it stands, its device's coordinates, and by axis the colour and name of its group."""
        device_of: Mapping[int, int] = {site: device for device, site in enumerate(self.sites)}
        for node, (name, (x, y)) in enumerate(zip(self.machine.names, self.geometry.layout.points, strict=True)):
            device = device_of.get(node)
            datum: dict[str, Any] = {"n": name, "x": round(x, 1), "y": round(y, 1)}
            if device is None:
                yield datum | {"w": "", "d": SWITCH}
                continue
            groups = [self.group(device, axis) for axis in range(self.partition.levels)]
            datum |= {"w": self.partition.address(device), "d": f"device {device}"}
            yield datum | {f"c{axis}": COLOURS[group % len(COLOURS)] for axis, group in enumerate(groups)}

    def links(self) -> Iterator[dict[str, Any]]:
        """Yield every stroke of the links, and by axis the colour of the group that it joins two devices of."""
        device_of = {site: device for device, site in enumerate(self.sites)}
        for hop, strokes in self.geometry.halves.items():
            ends = [device_of.get(end) for end in hop]
            colours: dict[str, str] = {}
            if ends[0] is not None and ends[1] is not None:
                for axis in range(self.partition.levels):
                    one, other = (self.group(end, axis) for end in ends if end is not None)
                    colours |= {f"c{axis}": COLOURS[one % len(COLOURS)]} if one == other else {}
            for stroke in strokes:
                places = {key: round(place, 1) for key, place in zip("xyXY", stroke, strict=True)}
                yield places | {"real": self.standing is not None} | colours

    def table(self, name: str) -> Table:
        """Return a row a device: its coordinates, where it stands, and its group along each axis."""
        axes = self.partition.axes
        placed = self.standing is not None
        columns = (
            Column("device", "device"),
            *((Column("accelerator", "accelerator"),) if placed else ()),
            *(Column(f"axis_{axis.name}", axis.name, group="coordinate") for axis in axes),
            *(Column(f"group_{axis.name}", axis.name, group="group along") for axis in axes),
        )
        rows = (
            (
                device,
                *((self.machine.names[site],) if placed else ()),
                *self.partition.coordinates(device),
                *(self.group(device, axis) for axis in range(len(axes))),
            )
            for device, site in enumerate(self.sites)
        )
        return Table(name, "Devices and groups", columns, entry_rows(columns, rows))

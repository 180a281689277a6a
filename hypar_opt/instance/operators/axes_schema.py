"""What stands under `array:` where an array is a product of axes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.instance.array_schema import ArrayWireSpec, Dims, GraphSpec, Placement, TopologyName, WireSpec
from hypar_opt.instance.exact import fraction
from hypar_opt.instance.fields import Given, Name, Size, Spec, refusal
from hypar_opt.instance.operators.device_schema import DeviceSpec
from hypar_opt.instance.operators.links import AxisLink
from hypar_opt.instance.text import shown
from hypar_opt.util.partition import Axis, Partition, halves

MOST_DEVICES: Final = 2**16
"""Of an array of axes."""
MOST_AXES: Final = 24
"""Of an array."""

OF_A_GRAPH: Final = ("dims", "ports", "switches", "link", "routing", "placement", "graph")
"""Fields of an array that has a topology."""


def _axis_name(name: str) -> str:
    wrong = next((one for one in name if one.isspace() or one in "=,"), None)
    if wrong is not None:
        raise refusal(f"expected a name without spaces, '=' and ',', got {shown(name)}")
    return name


class AxisSpec(Spec):
    """An axis of an array: every group of devices is cut into so many."""

    name: Annotated[Name, AfterValidator(_axis_name)] = Field(description="name of the axis, as node or gpu")
    size: int = Field(ge=2, le=MOST_DEVICES, description="how many groups every group is cut into")
    link: Annotated[WireSpec | None, Given] = Field(
        None, description="what a device's link along the axis can do; needed for times"
    )


class AxesArraySpec(Spec):
    """An array of devices as a product of axes, outermost first."""

    axes: Annotated[tuple[AxisSpec, ...] | None, Field(strict=False, min_length=1, max_length=MOST_AXES), Given] = (
        Field(None, description="the axes, outermost first")
    )
    levels: Annotated[int | None, Field(ge=1, le=MOST_DEVICES.bit_length() - 1), Given] = Field(
        None, description="instead of axes: so many of two each"
    )
    devices: Annotated[Size | None, Given] = Field(
        None, description="how many there are; not needed, and checked against the axes where it is given"
    )
    accelerator: Annotated[DeviceSpec | None, Given] = Field(None, description="what every device can do")
    topology: Annotated[TopologyName | None, Given] = Field(
        None, description="how the devices are connected, if not along the axes: the graph that they stand on"
    )
    dims: Annotated[Dims | None, Given] = Field(None, description="of a torus or a mesh: devices along each dimension")
    ports: Annotated[Size | None, Given] = Field(None, description="of every switch of a fat tree")
    switches: Annotated[Size | None, Given] = Field(None, description="of each side of a BiGraph")
    link: Annotated[ArrayWireSpec | None, Given] = Field(None, description="what every link of the graph can do")
    routing: Literal["own", "split"] = Field(
        "own", description="the topology's own rule, or an equal share over every shortest path"
    )
    placement: Placement = Field(
        "free", description="where the devices stand on the graph: to be decided, in order, or on these accelerators"
    )
    graph: Annotated[GraphSpec | None, Given] = Field(None, description="of a custom topology: its nodes and links")

    @property
    def partition(self) -> Partition:
        """How the array is cut."""
        if self.axes is None:
            return halves(self.levels or 0)
        return Partition(tuple(Axis(one.name, one.size) for one in self.axes))

    @property
    def links(self) -> tuple[AxisLink, ...]:
        """What a device's link along each axis can do; nothing is known of those of levels."""
        wires = [one.link for one in self.axes] if self.axes is not None else [None] * (self.levels or 0)
        return tuple(
            AxisLink() if one is None else
            AxisLink(fraction(one.bandwidth), fraction(one.latency) or Fraction(0), fraction(one.energy))
            for one in wires
        )  # fmt: skip

    @model_validator(mode="before")
    @classmethod
    def _sums_have_no_schedules(cls, said: object) -> object:
        if isinstance(said, Mapping) and "collectives" in said:
            raise refusal(
                "partial sums are scheduled where networks of layers are split in halves, and operators' charged by "
                "the links along axes, or by the busiest of a topology; leave it out",
                at="collectives",
            )
        return said

    @model_validator(mode="after")
    def _axes_or_levels(self) -> AxesArraySpec:
        if self.axes is None and self.levels is None:
            raise refusal("missing; expected axes, or how many levels of two there are", at="axes")
        if self.axes is not None and self.levels is not None:
            raise refusal("expected axes or levels, got both", at="levels")
        return self

    @model_validator(mode="after")
    def _links_are_of_axes_or_of_a_graph(self) -> AxesArraySpec:
        given = next((name for name in OF_A_GRAPH if name in self.model_fields_set), None)
        if self.topology is None and given is not None:
            raise refusal("is of arrays with a topology, and this one has none", at=given)
        linked = next((one.name for one in self.axes or () if one.link is not None), None)
        if self.topology is not None and linked is not None:
            raise refusal(
                f"axis {shown(linked)} has a link of its own; where there is a topology, expected what its links can "
                "do in array.link",
                at="axes",
            )
        return self

    @model_validator(mode="after")
    def _devices_are_their_product(self) -> AxesArraySpec:
        sizes = [one.size for one in self.axes or ()] or [2] * (self.levels or 0)
        product = " x ".join(map(str, sizes))
        if prod(sizes) > MOST_DEVICES:
            raise refusal(f"expected at most {MOST_DEVICES:,} devices, got {product} = {prod(sizes):,}", at="axes")
        if self.devices is not None and self.devices != prod(sizes):
            said = f"{product} = {prod(sizes):,}" if len(sizes) > 1 else product
            raise refusal(f"expected {said}, the product of the axes, got {self.devices:,}", at="devices")
        return self

    @model_validator(mode="after")
    def _names_differ(self) -> AxesArraySpec:
        names = [one.name for one in self.axes or ()]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise refusal(f"expected names that differ, got {shown(twice)} twice", at="axes")
        return self

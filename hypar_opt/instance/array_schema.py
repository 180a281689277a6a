"""What stands under `array:`."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema

from hypar_opt.instance.accelerator_schema import AcceleratorSpec, accelerator_of
from hypar_opt.instance.collectives_spec import CollectivesSpec
from hypar_opt.instance.fields import POSITIVE_SCHEMA, Given, Name, Number, Size, Spec, positive, refusal, where
from hypar_opt.instance.hardware import TOPOLOGIES
from hypar_opt.instance.hardware.mixed import AcceleratorKind, MixedArray
from hypar_opt.instance.limits import MOST_DIMS, MOST_LEVELS, MOST_NODES_OF_ARRAY
from hypar_opt.instance.mixed_kinds import NOT_OF_KINDS, Accelerators, KindSpec, Node
from hypar_opt.instance.mixed_leaves import KindsMisfit, numbered, types_of
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import did_you_mean
from hypar_opt.util.partition import Partition, halves

if TYPE_CHECKING:
    from collections.abc import Mapping

    TopologyName: TypeAlias = str
else:
    TopologyName = Literal[tuple(TOPOLOGIES)]
PLACEMENTS = ("free", "identity")
"""What can stand for a placement beside a list of accelerators."""


def _levels(value: int) -> int:
    if value > MOST_LEVELS:
        raise refusal(f"expected at most {MOST_LEVELS} levels (2^{MOST_LEVELS} accelerators), got {shown(value)}")
    return value


def _placement(value: object) -> object:
    if isinstance(value, str) and value in PLACEMENTS:
        return value
    if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
        return tuple(value)
    expected = "expected free, identity or a list of accelerators"
    if isinstance(value, list | tuple):
        place, name = next((place, name) for place, name in enumerate(value) if not isinstance(name, str))
        raise refusal(f"{expected}, by their names, got {shown(name)} at [{place}]")
    hint = did_you_mean(value, PLACEMENTS) if isinstance(value, str) else ""
    raise refusal(f"{expected}, got {shown(value)}{hint}")


Bandwidth: TypeAlias = Annotated[Number, positive("bandwidth"), POSITIVE_SCHEMA]
_NAMES_SCHEMA = {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": True}
Dims: TypeAlias = Annotated[tuple[Size, ...], Field(strict=False, min_length=1, max_length=MOST_DIMS)]
Placement: TypeAlias = Annotated[
    Literal["free", "identity"] | tuple[Name, ...],
    BeforeValidator(_placement),
    WithJsonSchema({"anyOf": [{"enum": list(PLACEMENTS)}, _NAMES_SCHEMA]}),
]


class WireSpec(Spec):
    """What every link can do."""

    bandwidth: Annotated[Bandwidth | None, Given] = Field(
        None, description="bytes a second each way; in a tree a leaf's, unless `at` says otherwise"
    )
    latency: Annotated[Number | None, Given] = Field(None, description="seconds")
    energy: Annotated[Number | None, Given] = Field(None, description="joules a byte")


class ArrayWireSpec(WireSpec):
    """What every link can do, and which of an H tree's links the bandwidth is given of."""

    at: Literal["leaf", "root"] = Field(
        "leaf", description="of an H tree: whether the bandwidth is a leaf's link's or a root's; it doubles a level"
    )


class NodeSpec(Spec):
    """A node of a custom graph."""

    name: Name = Field(description="name of the node")
    kind: Literal["accelerator", "switch"] = Field("accelerator", description="what it is")


class LinkSpec(WireSpec):
    """A link of a custom graph; what it leaves out is as in `link`."""

    ends: Annotated[tuple[Name, ...], Field(strict=False)] = Field(
        min_length=2, max_length=2, description="the two nodes that it joins"
    )


class GraphSpec(Spec):
    """A custom graph; in a file, GraphML or node-link JSON, it is read before."""

    nodes: Annotated[tuple[NodeSpec, ...], Field(strict=False)] = Field(
        min_length=1, max_length=MOST_NODES_OF_ARRAY, description="accelerators and switches"
    )
    links: Annotated[tuple[LinkSpec, ...], Field(strict=False)] = Field(description="what joins them")

    @property
    def accelerators(self) -> tuple[str, ...]:
        """Names of the nodes that are no switches, in order."""
        return tuple(node.name for node in self.nodes if node.kind == "accelerator")


def _kind(spec: KindSpec) -> AcceleratorKind:
    accelerator = accelerator_of(spec.accelerator)
    assert accelerator is not None  # a kind says it
    return AcceleratorKind(spec.kind, accelerator, Fraction(spec.bandwidth))


_BESIDE_KINDS: list[JsonValue] = [
    where(accelerators={"type": "array"}, **{name: {"not": {"const": "free"}}}) for name in NOT_OF_KINDS
]


class ArraySpec(Spec):
    """An array of accelerators."""

    model_config = ConfigDict(json_schema_extra={"not": {"anyOf": _BESIDE_KINDS}})

    topology: TopologyName = Field(description="how the accelerators are connected")
    levels: Annotated[int, AfterValidator(_levels)] = Field(
        ge=0,
        json_schema_extra={"maximum": MOST_LEVELS},
        description="H: 2^H accelerators are used, and each level splits every group in two",
    )
    accelerators: Annotated[Accelerators | None, Given] = Field(
        None, description="how many there are, 2^H unless given; or their kinds, which fill the leaves in order"
    )
    reads: Literal["accelerator", "group"] = Field(
        "accelerator", description="of kinds: whether every accelerator reads at its bandwidth, or a group as one of it"
    )
    dims: Annotated[Dims | None, Given] = Field(
        None, description="of a torus or a mesh: accelerators along each dimension"
    )
    ports: Annotated[Size | None, Given] = Field(None, description="of every switch of a fat tree")
    switches: Annotated[Size | None, Given] = Field(None, description="of each side of a BiGraph")
    link: Annotated[ArrayWireSpec | None, Given] = Field(None, description="what every link can do")
    accelerator: Annotated[AcceleratorSpec | None, Given] = Field(
        None, description="what every accelerator can do; needed for time and energy"
    )
    routing: Literal["own", "split"] = Field(
        "own", description="the topology's own rule, or an equal share over every shortest path"
    )
    placement: Placement = Field(
        "free", description="where the leaves of the partition stand: to be decided, in order, or on these accelerators"
    )
    graph: Annotated[GraphSpec | None, Given] = Field(None, description="of a custom topology: its nodes and links")
    collectives: Annotated[CollectivesSpec | None, Given] = Field(
        None, description="how partial sums are exchanged, pairwise unless given, for comm-time"
    )

    @property
    def partition(self) -> Partition:
        """How the array is cut; with the kinds of the leaves, where there are kinds."""
        return halves(self.levels) if self.mixed is None else self.mixed.partition

    @property
    def kinds(self) -> tuple[KindSpec, ...]:
        """The kinds of accelerators; none where all are alike."""
        return self.accelerators if isinstance(self.accelerators, tuple) else ()

    @property
    def count(self) -> int | None:
        """How many accelerators there are, where that is given as a number."""
        return self.accelerators if isinstance(self.accelerators, int) else None

    @cached_property
    def mixed(self) -> MixedArray | None:
        """The array of several kinds; None where there are none, or they do not fill the leaves."""
        if not self.kinds:
            return None
        types = types_of(self.kinds, self.levels, self.standing if any(kind.nodes for kind in self.kinds) else ())
        if isinstance(types, KindsMisfit):
            return None
        return MixedArray(tuple(map(_kind, self.kinds)), Partition(halves(self.levels).axes, types), self.reads)

    @cached_property
    def site_kinds(self) -> Mapping[int, int]:
        """By position of an accelerator its kind, where that is said: who stands there, or a kind that names it."""
        if self.mixed is None:
            return {}
        known = None if self.graph is None else self.graph.accelerators
        found = {
            known.index(node)
            if known and isinstance(node, str)
            else node
            if isinstance(node, int)
            else numbered(node): place
            for place, kind in enumerate(self.kinds)
            for node in kind.nodes or ()
        }
        types = self.mixed.partition.types
        return found | {int(names[1]): types[leaf] for leaf, names in enumerate(self.standing)}

    @property
    def standing(self) -> tuple[tuple[Node, ...], ...]:
        """By leaf, the name and the position of the accelerator that it stands on: in order, unless a list says it."""
        known = None if self.graph is None else self.graph.accelerators
        count = min(2**self.levels, 2**self.levels if known is None else len(known))
        if isinstance(self.placement, str):
            return tuple((f"a{i}" if known is None else known[i], i) for i in range(count))
        position = {name: i for i, name in enumerate(known or ())}
        return tuple((name, position.get(name, -1) if known else numbered(name)) for name in self.placement)

"""Kinds of accelerators under `array.accelerators:`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Discriminator, Field, Tag, WithJsonSchema, model_validator

from hypar_opt.instance.accelerator_schema import AcceleratorSpec
from hypar_opt.instance.fields import POSITIVE_SCHEMA, Given, Name, Number, Size, Spec, positive, refusal
from hypar_opt.instance.limits import LONGEST_NAME, MOST_KINDS, MOST_MIXED_LEVELS
from hypar_opt.instance.text import shown

NUMBER_TAG: Final = "[number]"
KINDS_TAG: Final = "[kinds]"
TAGS: Final = (NUMBER_TAG, KINDS_TAG)
"""What the two ways to say which accelerators there are call themselves in pydantic's paths, and no field is called."""
NOT_OF_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "accelerator": "every kind has an accelerator of its own",
    }
)
"""By field of an array, why one of several kinds has no such field."""
WAYS: Final = ("count", "groups", "nodes")
"""How a kind may say which accelerators are of it."""
Node: TypeAlias = str | int
"""An accelerator of the topology, by its name or by its position."""
_Groups: TypeAlias = Annotated[tuple[str, ...], Field(strict=False, min_length=1, max_length=2**MOST_MIXED_LEVELS)]


def _nodes(value: object) -> tuple[Node, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise refusal(f"expected a list of accelerators, by name or by position, got {shown(value)}")
    for place, node in enumerate(value):
        named = isinstance(node, str) and 0 < len(node) <= LONGEST_NAME
        if not named and (type(node) is not int or node < 0):
            raise refusal(f"expected accelerators, by name or by position from 0, got {shown(node)} at [{place}]")
    return tuple(value)


_NODES_SCHEMA: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]},
        "minItems": 1,
        "uniqueItems": True,
    }
)
_Nodes: TypeAlias = Annotated[tuple[Node, ...], BeforeValidator(_nodes), WithJsonSchema(dict(_NODES_SCHEMA))]


class KindSpec(Spec):
    """Accelerators that are alike, and which leaves of the partition, or nodes of the topology, they are."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": [way]} for way in WAYS]})

    kind: Name = Field(description="what tables call them")
    count: Annotated[Size | None, Given] = Field(
        None, description="how many: they take the next leaves, in order, that no kind has by its groups or nodes"
    )
    groups: Annotated[_Groups | None, Given] = Field(
        None, description="instead of a count the groups that they fill, by their addresses: bits from the root"
    )
    nodes: Annotated[_Nodes | None, Given] = Field(
        None, description="instead of a count the accelerators of the topology that they are, by name or by position"
    )
    bandwidth: Annotated[Number, positive("bandwidth"), POSITIVE_SCHEMA] = Field(
        description="bytes a second at which one of them reads what others hold"
    )
    accelerator: AcceleratorSpec = Field(description="what one of them can do")

    @model_validator(mode="after")
    def _stands_somewhere(self) -> KindSpec:
        given = [way for way in WAYS if getattr(self, way) is not None]
        if len(given) != 1:
            got = f"{', '.join(given[:-1])} and {given[-1]}" if given else "none of them"
            raise refusal(f"expected a count, groups or nodes, got {got}", at=given[-1] if given else "count")
        return self


def _way(value: object) -> str:
    return KINDS_TAG if isinstance(value, list | tuple) else NUMBER_TAG


Kinds: TypeAlias = Annotated[tuple[KindSpec, ...], Field(strict=False, min_length=1, max_length=MOST_KINDS)]
Accelerators: TypeAlias = Annotated[
    Annotated[Size, Tag(NUMBER_TAG)] | Annotated[Kinds, Tag(KINDS_TAG)], Discriminator(_way)
]
"""How many accelerators there are; or their kinds."""

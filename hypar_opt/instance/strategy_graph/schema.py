"""The JSON of a strategy graph, as types."""

from __future__ import annotations

from types import MappingProxyType
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from hypar_opt.instance.strategy_graph.graph import FORBIDDEN_COST

LARGEST: Final = 2**63 - 1
LONGEST_NAME: Final = 100
"""As of all instances: a plan file, which repeats the name, takes no longer one."""

Time = Annotated[int, Meta(ge=-(2**63), le=LARGEST)]
Cost = Annotated[int, Meta(gt=-FORBIDDEN_COST, le=LARGEST)]
Usage = Annotated[int, Meta(ge=0, le=LARGEST)]
Index = Annotated[int, Meta(ge=0, le=LARGEST)]
Interval: TypeAlias = tuple[Time, Time]
Ends = Annotated[list[Index], Meta(min_length=1, max_length=2)]
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]


class Anything(msgspec.Struct, array_like=True, gc=False):
    """A list, whatever is in it; nothing of that is kept."""


class Nodes(msgspec.Struct, forbid_unknown_fields=True):
    """One entry a node in each list; all that is long is decoded by itself, when it is known not to be too long."""

    intervals: msgspec.Raw
    costs: msgspec.Raw
    usages: msgspec.Raw


class Edges(msgspec.Struct, forbid_unknown_fields=True):
    """One entry an edge in each list; the costs are nearly all of a file."""

    nodes: msgspec.Raw
    costs: msgspec.Raw


class Problem(msgspec.Struct, forbid_unknown_fields=True):
    """The whole; without a `usage_limit` there is none."""

    nodes: Nodes
    edges: Edges
    usage_limit: Usage | UnsetType = UNSET
    name: Name | UnsetType = UNSET


class Anyone(msgspec.Struct):
    """A mapping with `problem` in it, whatever else; nothing of that is kept."""

    problem: msgspec.Raw


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A file."""

    problem: Problem


FIELDS: Final = MappingProxyType(
    {"problem": 1, "name": 1, "nodes": 2, "edges": 1, "intervals": 1, "costs": 2, "usages": 1, "usage_limit": 1}
)
"""How often each name is that of a field."""

"""What a trace is made of: computing, sends and receives, each with what it waits for on its own rank."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from hypar_opt.instance.collective.schema import CollectiveName
PICOSECONDS: Final = 10**12
"""Of a second: what traces count as operations, a million million a second."""


class NodeKind(IntEnum):
    """What a node does, by its number in Chakra's `NodeType`."""

    COMPUTE = 4
    SEND = 5
    RECEIVE = 6
    COLLECTIVE = 7


COMM_TYPES: Final[Mapping[CollectiveName, int]] = {
    "all-reduce": 0,
    "all-gather": 2,
    "broadcast": 5,
    "all-to-all": 6,
    "reduce-scatter": 7,
}
"""The numbers of collectives in Chakra's `CollectiveCommType`."""


@dataclass(frozen=True, slots=True)
class TraceNode:
    """A node of a trace; its number is its place in the trace.

    Parameters
    ----------
    name
        For people.
    kind
        What it does.
    waits_for
        Numbers of the nodes of the same rank that have to be over first, all smaller than its own.
    attributes
        By name, what else is said of it; `ATTRIBUTES` of the schema has which are known.
    micros
        How long it computes.
    """

    name: str
    kind: NodeKind
    waits_for: tuple[int, ...] = ()
    attributes: Mapping[str, bool | int | str] = field(default_factory=dict)
    micros: int = 0


Trace: TypeAlias = "tuple[TraceNode, ...]"
"""What one rank does."""


def computing(name: str, waits_for: tuple[int, ...], seconds: Fraction) -> TraceNode:
    """Return what computes for so long: as many operations as picoseconds, and rounded microseconds."""
    attributes = {"num_ops": max(1, round(seconds * PICOSECONDS)), "tensor_size": 1}
    return TraceNode(name, NodeKind.COMPUTE, waits_for, attributes, round(seconds * 10**6))


def idle() -> TraceNode:
    """Return what a rank does that has nothing to do: readers of traces expect a node."""
    return TraceNode("idle", NodeKind.COMPUTE)

"""What tasks run on: accelerators, links in one direction, memory ports, the ways between them; and a clock."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.instance.hardware import Machine

Kind: TypeAlias = Literal["accelerator", "link", "memory"]
"""Of a resource."""


@dataclass(frozen=True, order=True)
class Resource:
    """Something that serves tasks: an accelerator one at a time, a link as many as its bandwidth suffices for.

    Parameters
    ----------
    kind
        What it is.
    nodes
        The accelerator, or the nodes that a link leads from and to.
    """

    kind: Kind
    nodes: tuple[int, ...]

    def name(self, machine: Machine) -> str:
        """Return what people call it."""
        names = " -> ".join(machine.names[node] for node in self.nodes)
        return f"memory of {names}" if self.kind == "memory" else names


@dataclass(frozen=True)
class Way:
    """What the bytes from one accelerator to another cross.

    Parameters
    ----------
    resources
        Positions of resources, from source to target.
    paces
        For each, how many ticks a unit of bytes keeps it; a divided route's link serves its share.
    lots
        For each, how much of its capacity a transfer at the pace of the slowest takes.
    """

    resources: tuple[int, ...]
    paces: tuple[int, ...]
    lots: tuple[int, ...]


@dataclass(frozen=True)
class Clock:
    """All durations of a simulation as integers.

    Parameters
    ----------
    unit
        Ticks a second.
    byte_unit
        Amounts are counted in 1 / byte_unit bytes.
    """

    unit: int
    byte_unit: int

    def ticks(self, seconds: Fraction) -> int:
        """Return a duration, which is a whole number of ticks."""
        return seconds.numerator * (self.unit // seconds.denominator)

    def units(self, amount: Fraction) -> int:
        """Return an amount, which is a whole number of its units."""
        return amount.numerator * (self.byte_unit // amount.denominator)

    def seconds(self, ticks: int) -> Fraction:
        """Return a time in seconds."""
        return Fraction(ticks, self.unit)


@dataclass(frozen=True)
class Platform:
    """Where the tasks of a graph run.

    Parameters
    ----------
    resources
        Accelerators first, then links, then memories, each in the order of their nodes.
    capacities
        Of each, in lots of its own size: 1 for an accelerator.
    accelerators
        By an accelerator's position in the array, its position among the resources.
    ways
        By source and target.
    clock
        In which every duration is whole.
    """

    resources: tuple[Resource, ...]
    capacities: tuple[int, ...]
    accelerators: Mapping[int, int]
    ways: Mapping[tuple[int, int], Way]
    clock: Clock

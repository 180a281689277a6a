"""What a topology is, and the pieces that all are put together from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.instance.hardware.machine import Link, Machine, Rule

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.instance.hardware.shape import Shape, Size, Wire

LayoutName: TypeAlias = Literal["circle", "cube", "grid", "layers", "row", "springs", "tree", "two-sides"]
"""How an array stands in pictures; `hypar_opt.report.arrays.layout` draws them."""
UNRANKED: Final = 500
"""Where topologies are listed that do not say where."""


@dataclass(frozen=True)
class Topology:
    """A way of linking accelerators.

    Parameters
    ----------
    name
        As in instance files.
    summary
        One line for tables.
    build
        From a shape to the array, unchecked; `machine_of` checks the shape first.
    size
        From a shape to the numbers of its parts, without building them.
    parameters
        What it takes beside levels and link.
    rule
        How routes are chosen unless they are split.
    layout
        How it stands in pictures; `springs` draw any graph.
    rank
        Its place in tables and messages; equal ones go by name.
    """

    name: str
    summary: str
    build: Callable[[Shape], Machine]
    size: Callable[[Shape], Size]
    parameters: tuple[str, ...] = ("accelerators",)
    rule: Rule = "shortest"
    layout: LayoutName = "springs"
    rank: int = UNRANKED


def numbered(letter: str, count: int) -> tuple[str, ...]:
    """Return names: a0, a1, ..."""
    return tuple(f"{letter}{i}" for i in range(count))


def connect(first: int, second: int, wire: Wire) -> Link:
    """Return a link of two nodes."""
    return Link((first, second), wire.bandwidth, wire.latency, wire.energy)


def widened(wire: Wire, times: int) -> Wire:
    """Return a bundle of links side by side: their bandwidths together, the latency and energy of one."""
    return wire if wire.bandwidth is None else replace(wire, bandwidth=wire.bandwidth * times)

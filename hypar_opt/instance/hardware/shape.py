"""What a topology is built from."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.util.errors import MachineError
from hypar_opt.util.partition import halves

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Wire:
    """What one link can do; in a tree, a leaf's.

    Parameters
    ----------
    bandwidth
        Bytes a second, each way; None where nobody needs it.
    latency
        Seconds.
    energy
        Joules a byte; None where nobody needs it.
    """

    bandwidth: Fraction | None = None
    latency: Fraction = Fraction(0)
    energy: Fraction | None = None


@dataclass(frozen=True)
class Shape:
    """The size of an array; None leaves it to the topology.

    Parameters
    ----------
    levels
        H: at least 2^H accelerators are needed.
    accelerators
        How many there are.
    dims
        Of a torus or a mesh: accelerators along each dimension.
    ports
        Of every switch of a fat tree.
    switches
        Of each side of a BiGraph.
    wire
        What every link can do.
    """

    levels: int
    accelerators: int | None = None
    dims: tuple[int, ...] | None = None
    ports: int | None = None
    switches: int | None = None
    wire: Wire = field(default_factory=Wire)

    @property
    def count(self) -> int:
        """Accelerators where any number can be: as many as are given, or else 2^H."""
        return halves(self.levels).leaves if self.accelerators is None else self.accelerators


SIZES: Final = ("accelerators", "dims", "ports", "switches")
"""Fields of a shape that say how large it is; a topology takes some of them."""
MOST_LEVELS: Final = 64
"""Of an array whose size is counted."""
MOST_NODES: Final = 2**20
"""Accelerators and switches of an array that is built."""
MOST_LINKS: Final = 2**21
"""Links of an array that is built."""


class Size(NamedTuple):
    """Parts of an array.

    Parameters
    ----------
    accelerators
        How many there are.
    switches
        How many there are.
    links
        How many there are, each for both directions.
    """

    accelerators: int
    switches: int
    links: int

    @property
    def nodes(self) -> int:
        """Accelerators and switches."""
        return self.accelerators + self.switches


def power_of_two(shape: Shape) -> int:
    """Return the number of accelerators.

    Raises
    ------
    MachineError
        If it is no power of two.
    """
    if shape.count & (shape.count - 1):
        raise MachineError(f"expected a power of two, got {shape.count}", field="accelerators")
    return shape.count


def check_fields(topology: str, shape: Shape, taken: Sequence[str]) -> None:
    """Raise `MachineError` unless a shape has just the sizes that the topology takes, all of them at least 1."""
    if not 0 <= shape.levels <= MOST_LEVELS:
        raise MachineError(f"expected 0 to {MOST_LEVELS} levels, got {shape.levels}", field="levels")
    for name in SIZES:
        value = getattr(shape, name)
        if value is None:
            continue
        if name not in taken:
            raise MachineError(f"'{topology}' takes no {name}; it takes {' and '.join(taken)}", field=name)
        sizes: tuple[int, ...] = value if name == "dims" else (value,)
        if not sizes:
            raise MachineError("expected at least one dimension", field=name)
        if min(sizes) < 1:
            raise MachineError(f"expected at least 1, got {min(sizes)}", field=name)


def check_enough(accelerators: int, levels: int, field: str = "") -> None:
    """Raise `MachineError` unless the partition tree has an accelerator for every leaf."""
    leaves = halves(levels).leaves
    if accelerators < leaves:
        has = "1 accelerator" if accelerators == 1 else f"{accelerators} accelerators"
        needs = "1 level needs" if levels == 1 else f"{levels} levels need"
        raise MachineError(f"has {has}, {needs} {leaves}", field=field)


def check_buildable(topology: str, size: Size) -> None:
    """Raise `MachineError` if an array is too large to be built."""
    for count, most, parts in ((size.nodes, MOST_NODES, "nodes"), (size.links, MOST_LINKS, "links")):
        if count > most:
            raise MachineError(f"'{topology}' would have {count:,} {parts}; at most {most:,} are built")

"""How large an array of a shape would be, and what a shape cannot be; nothing is built here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from hypar_opt.errors import MachineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.array.shape import Shape

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
    for field in SIZES:
        value = getattr(shape, field)
        if value is None:
            continue
        if field not in taken:
            raise MachineError(f"'{topology}' takes no {field}; it takes {' and '.join(taken)}", field=field)
        sizes: tuple[int, ...] = value if field == "dims" else (value,)
        if not sizes:
            raise MachineError("expected at least one dimension", field=field)
        if min(sizes) < 1:
            raise MachineError(f"expected at least 1, got {min(sizes)}", field=field)


def check_enough(accelerators: int, levels: int, field: str = "") -> None:
    """Raise `MachineError` unless the partition tree has an accelerator for every leaf."""
    if accelerators.bit_length() <= levels:
        has = "1 accelerator" if accelerators == 1 else f"{accelerators} accelerators"
        needs = "1 level needs" if levels == 1 else f"{levels} levels need"
        raise MachineError(f"has {has}, {needs} {2**levels}", field=field)


def check_buildable(topology: str, size: Size) -> None:
    """Raise `MachineError` if an array is too large to be built."""
    for count, most, parts in ((size.nodes, MOST_NODES, "nodes"), (size.links, MOST_LINKS, "links")):
        if count > most:
            raise MachineError(f"'{topology}' would have {count:,} {parts}; at most {most:,} are built")

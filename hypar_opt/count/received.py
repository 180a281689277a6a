"""What devices receive in a collective, by the axes along which its groups reach.

A ring of g devices brings each (g - 1) / g of what is larger, the tensor before a reduce-scatter or behind an
all-gather; an all-reduce is both. What groups along several axes receive falls to them as if they were summed up along
the fastest first and gathered along it last; of an exchange, to the outermost axis on which giver and taker differ.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.count.hlo import Collective

RINGS: Final[Mapping[str, tuple[tuple[str, bool], ...]]] = {
    "all-reduce": (("reduce-scatter", False), ("all-gather", False)),
    "reduce-scatter": (("reduce-scatter", True),),
    "all-gather": (("all-gather", False),),
}
"""By kind the rings that it is, and whether the result is a part of what is larger."""


@dataclass(frozen=True)
class Mesh:
    """The devices of a program.

    Parameters
    ----------
    sizes
        Of the axes, outermost first; the last is the fastest of a device's number.
    fastest
        The axes' numbers, that of the fastest links first.
    """

    sizes: tuple[int, ...]
    fastest: tuple[int, ...]

    def coordinates(self, device: int) -> tuple[int, ...]:
        """Return where a device stands on the axes."""
        found = []
        for size in reversed(self.sizes):
            device, place = divmod(device, size)
            found.append(place)
        return tuple(reversed(found))

    def axes(self, group: Sequence[int]) -> tuple[int, ...]:
        """Return along which axes a group reaches."""
        places = list(zip(*map(self.coordinates, group), strict=True))
        return tuple(axis for axis, those in enumerate(places) if len(set(those)) > 1)

    def outermost(self, one: int, other: int) -> int:
        """Return the outermost axis on which two devices differ."""
        pairs = zip(self.coordinates(one), self.coordinates(other), strict=True)
        return next(axis for axis, (here, there) in enumerate(pairs) if here != there)


def received(one: Collective, mesh: Mesh, element_bytes: int) -> Mapping[tuple[str, int], Fraction]:
    """Return the bytes that all devices together receive, by kind and axis; an all-reduce is two kinds.

    Parameters
    ----------
    one
        What is called.
    mesh
        By whom.
    element_bytes
        Of a number, whatever the program's numbers take.
    """
    found: dict[tuple[str, int], Fraction] = defaultdict(Fraction)
    size = Fraction(one.elements * element_bytes)
    if one.kind == "collective-permute":
        for giver, taker in (pair for pair in one.groups if pair[0] != pair[1]):
            found["halo", mesh.outermost(giver, taker)] += size
        return found
    for group in one.groups:
        if one.kind == "all-to-all":
            for taker in group:
                for giver in group:
                    if giver != taker:
                        found["all-to-all", mesh.outermost(giver, taker)] += size / len(group)
            continue
        for kind, is_part in RINGS[one.kind]:
            whole = size * len(group) if is_part else size
            for axis, share in _shares(group, mesh):
                found[kind, axis] += len(group) * whole * share
    return found


def _shares(group: Sequence[int], mesh: Mesh) -> Iterator[tuple[int, Fraction]]:
    """Yield of what is larger what each device receives along each axis."""
    left = Fraction(1)
    axes = mesh.axes(group)
    for axis in mesh.fastest:
        if axis in axes:
            yield axis, left * Fraction(mesh.sizes[axis] - 1, mesh.sizes[axis])
            left /= mesh.sizes[axis]

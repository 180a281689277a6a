"""Tori and meshes in a picture: columns and rows, a third dimension slanting, blocks beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.array import Machine

Point: TypeAlias = tuple[float, float]
BOW = 0.12
"""Of links between blocks, so that they pass what stands between."""


def grid(machine: Machine) -> tuple[tuple[Point, ...], tuple[Point, ...], dict[int, Point], dict[int, float]]:
    """Return points, no directions, stubs of links that wrap around, and bends: the fields of a Layout."""
    dims = machine.dims
    steps = _steps(dims)
    points = []
    for node in range(len(machine.accelerators)):
        at = list(zip(_coordinates(node, dims), steps, strict=True))
        points.append((sum(c * x for c, (x, _) in at), sum(c * y for c, (_, y) in at)))
    stubs: dict[int, Point] = {}
    bends: dict[int, float] = {}
    for number, link in enumerate(machine.links):
        first, second = (_coordinates(end, dims) for end in link.ends)
        along = next(i for i in range(len(dims)) if first[i] != second[i])
        if abs(first[along] - second[along]) > 1:
            sign = 1 if first[along] else -1
            stubs[number] = (sign * steps[along][0], sign * steps[along][1])
        elif along < len(dims) - 3:
            bends[number] = BOW
    return tuple(points), (), stubs, bends


def _steps(dims: Sequence[int]) -> list[Point]:
    """Return where one step along each dimension leads: the last one right, the one before down."""
    width, height = float(dims[-1]), float(dims[-2])
    found: list[Point] = [(1.0, 0.0), (0.0, -1.0)]
    if len(dims) > 2:
        slant = max(dims[-3], 2.4)
        found.append((1.08 / slant, 0.88 / slant))
        width, height = width + 0.9, height + 0.9
    for place, size in enumerate(reversed(dims[:-3])):
        if place % 2 == 0:
            found.append((width, 0.0))
            width *= size
        else:
            found.append((0.0, -height))
            height *= size
    return found[::-1]


def _coordinates(node: int, dims: Sequence[int]) -> list[int]:
    found = []
    for size in reversed(dims):
        node, here = divmod(node, size)
        found.append(here)
    return found[::-1]

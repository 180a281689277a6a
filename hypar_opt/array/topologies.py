"""The known topologies."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.array.trees import h_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.array.machine import Machine
    from hypar_opt.array.shape import Shape


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
        From a shape to the array.
    parameters
        Fields of the shape that it takes beside levels and wire.
    """

    name: str
    summary: str
    build: Callable[[Shape], Machine]
    parameters: tuple[str, ...] = ()


_ALL: Final = (
    Topology("h-tree", "binary tree; bandwidth doubles towards the root, so every level has the same in total", h_tree),
)
TOPOLOGIES: Final[Mapping[str, Topology]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""

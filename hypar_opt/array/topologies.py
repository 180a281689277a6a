"""The known topologies."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Topology:
    """A way of linking 2^H accelerators.

    Parameters
    ----------
    name
        As in instance files.
    summary
        One line for tables.
    """

    name: str
    summary: str


_ALL: Final = (
    Topology("h-tree", "binary tree; bandwidth doubles towards the root, so every level has the same in total"),
)
TOPOLOGIES: Final[Mapping[str, Topology]] = MappingProxyType({one.name: one for one in _ALL})
"""By name."""

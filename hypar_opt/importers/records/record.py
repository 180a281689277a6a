"""What is known of a kind of operator of a framework."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.importers.draft import Sketch
    from hypar_opt.importers.graph import Node
    from hypar_opt.importers.held import Held


@dataclass(frozen=True)
class Record:
    """A kind of operator.

    Parameters
    ----------
    kinds
        What frameworks call it.
    read
        Writes its layers down, and returns what the first of its outputs is, or all; raises `Unreadable` where no layer
        is like it.
    """

    kinds: tuple[str, ...]
    read: Callable[[Sketch, Node], Held | list[Held]]


def by_kind(*records: Record) -> Mapping[str, Record]:
    """Return records by all names of their operators."""
    return {kind: record for record in records for kind in record.kinds}

"""Where the entries of edges' tables belong, and minima over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.costgraph.duals import ROOM, places
from hypar_opt.costgraph.tables import offsets

if TYPE_CHECKING:
    from hypar_opt.costgraph.tables import Tables
    from hypar_opt.costgraph.unary import Array


@dataclass(frozen=True, eq=False)
class Layout:
    """Positions by entry of all edges' tables, on either side.

    Parameters
    ----------
    slots
        Where an entry's two messages stand in `Duals.first` and `Duals.second`.
    places
        By slot, where its value stands in `Tables.unary`.
    """

    slots: tuple[Array, Array]
    places: tuple[Array, Array]

    @staticmethod
    def of(tables: Tables) -> Layout:
        """Return the layout of tables."""
        rows, columns = tables.edge_sizes[:, 0], tables.edge_sizes[:, 1]
        each = rows * columns
        first = np.repeat(np.arange(int(rows.sum())), np.repeat(columns, rows))
        within = np.arange(len(tables.edges)) - np.repeat(tables.edge_starts[:-1], each)
        second = np.repeat(offsets(columns)[:-1], each) + within % np.repeat(columns, each)
        return Layout((first, second), (places(tables, 0), places(tables, 1)))

    def values(self, side: int) -> Array:
        """Return by entry where its value stands in `Tables.unary`."""
        found: Array = self.places[side][self.slots[side]]
        return found

    def least(self, side: int, entries: Array) -> Array:
        """Return by slot the least of its entries, at most ROOM."""
        found = np.full(len(self.places[side]), ROOM)
        np.minimum.at(found, self.slots[side], entries)
        return found

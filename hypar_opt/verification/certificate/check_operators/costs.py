"""What plans cost, as tables: of every variable by its values, and of pairs of variables."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .charges import OperatorCharges, TensorConversion
from .exact import ExactTable, WorkRoom
from .padding import received_padded
from .placements import received
from .variables import Variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .archive import Array
    from .charges import Charge


class Costs:
    """A problem's costs, in units of 1/D of a byte.

    Parameters
    ----------
    problem
        Of the header.
    factor
        Times which everything is.
    room
        What may be computed, and kept.
    """

    def __init__(self, problem: Mapping[str, Any], factor: int, room: WorkRoom) -> None:
        self.room, self.factor = room, factor
        self.variables = Variables(problem, room)
        self.axes, self.padded = self.variables.rules.axes, problem["splits"] == "padded"
        charges = OperatorCharges(self.variables)
        self.pairs = frozenset(charges.pairs)
        self._own, self._pairs = charges.own, charges.pairs
        self._made: dict[Any, ExactTable] = {}

    def own(self, variable: int) -> ExactTable:
        """Return a variable's own costs by its values; of variables that are alike it is one object."""
        domain, parts = self.variables.domains[variable], tuple(self._own.get(variable, ()))
        key = domain, parts
        if key not in self._made:
            found = ExactTable(np.zeros(domain.size, np.int64), 0)
            for one in parts:
                found += self._part(one)
            self._made[key] = self.room.keep(found.times(self.factor))
        return self._made[key]

    def _part(self, one: Charge) -> ExactTable:
        if not isinstance(one, TensorConversion):
            rows, times = one
            return rows.lacking(self.axes, self.room, padded=self.padded).times(times)
        found = self._moved(one, one.have.rows, one.need.rows).times(one.times)
        return found if one.shared_out is None else found.where(one.have.domain.shared_out == one.shared_out)

    def _moved(self, one: TensorConversion, have: Array, need: Array) -> ExactTable:
        """Return what a conversion moves."""
        if self.padded:
            return received_padded(one.shape, have, need, self.axes).times(one.each * prod(self.axes))
        return received(prod(one.shape) * one.each, have, need, self.axes)

    def pair(self, first: int, second: int) -> ExactTable:
        """Return what two variables cost together, the values of the first by row; of alike pairs it is one object."""
        key = tuple(self._pairs[first, second])
        if key not in self._made:
            shape = [self.variables.domains[x].size for x in (first, second)]
            self.room.spend(prod(shape) * len(key) * 4 * len(self.axes))
            found = ExactTable(np.zeros(shape, np.int64), 0)
            for one, turned in key:
                moved = self._moved(one, one.have.rows[:, None], one.need.rows[None, :])
                having, needing = one.is_made
                moved = moved if having is None else moved.where(having[:, None])
                moved = moved if needing is None else moved.where(needing[None, :])
                found += ExactTable(moved.values.T, moved.most) if turned else moved
            self._made[key] = self.room.keep(found.times(self.factor))
        return self._made[key]

"""Where devices stand that exchange any amounts two by two: a quadratic assignment, whatever their axes are.

Each two devices exchange some bytes, and each two sites have a cost for a byte. A level of a PlacementGraph is the case
in which pairs of leaves exchange the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.util.partition import Partition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.costgraph import Array

ROOM = 2**62
"""Sums below it are kept in int64."""


@dataclass(frozen=True, eq=False)
class TrafficGraph:
    """Devices that stand on sites, one on each; a placement costs the sum over pairs of devices of flow x cost.

    Parameters
    ----------
    partition
        The devices' axes.
    flows
        What two devices exchange, both directions together; symmetric, with zeros where they are one; exact integers of
        shape (devices, devices).
    costs
        What it costs that two sites exchange one unit of it; likewise symmetric, shape (sites, sites).
    base
        Whatever the placement.
    names
        Of the sites.
    allowed
        Which site each device may stand on, shape (devices, sites); None for any.
    """

    partition: Partition
    flows: Array
    costs: Array
    base: int = 0
    names: tuple[str, ...] = ()
    allowed: Array | None = None

    def __post_init__(self) -> None:
        for what, table in (("flows", self.flows), ("costs", self.costs)):
            if not np.array_equal(table, table.T):
                raise ValueError(f"{what} are not symmetric")
        if self.sites < self.leaves:
            raise ValueError(f"{self.sites} sites for {self.leaves} devices")

    @property
    def leaves(self) -> int:
        """Devices."""
        return len(self.flows)

    @property
    def sites(self) -> int:
        """Accelerators that a device can stand on."""
        return len(self.costs)

    @property
    def traffic(self) -> TrafficGraph:
        """Itself."""
        return self

    def value(self, placed: Sequence[int]) -> int:
        """Return what a placement costs, a site for every device."""
        at = np.asarray(placed, dtype=np.int64)
        flows, costs = self._tables
        return self.base + int((flows * costs[np.ix_(at, at)]).sum()) // 2

    def feasible(self, placed: Sequence[int]) -> bool:
        """Return whether every device has a site of its own."""
        inside = all(0 <= site < self.sites for site in placed)
        if not inside or not len(placed) == self.leaves == len(set(placed)):
            return False
        return self.allowed is None or bool(self.allowed[range(self.leaves), list(placed)].all())

    @cached_property
    def most(self) -> int:
        """A number that no placement's cost exceeds."""
        return abs(self.base) + self.leaves**2 * int(self.flows.max(initial=0)) * int(self.costs.max(initial=0))

    @cached_property
    def _tables(self) -> tuple[Array, Array]:
        dtype = np.int64 if self.most < ROOM else object
        return self.flows.astype(dtype), self.costs.astype(dtype)

    @cached_property
    def is_turned(self) -> bool:
        """Whether adding one to all devices' coordinates on an axis leaves every flow as it is, on each axis.

        Devices that may not stand anywhere are not turned.
        """
        if self.allowed is not None:
            return False
        sizes = tuple(axis.size for axis in self.partition.axes)
        numbers = np.arange(self.leaves).reshape(sizes)
        turned = (np.roll(numbers, 1, axis).reshape(-1) for axis in range(len(sizes)))
        return all(np.array_equal(self.flows[np.ix_(one, one)], self.flows) for one in turned)

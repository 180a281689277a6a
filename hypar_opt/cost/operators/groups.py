"""What a byte costs that the devices of groups exchange on a graph, by the axes along which the groups lie.

In a group along some axes are the devices that differ on no other axis. Each gives each other one of its group as much
as any: of C bytes that all devices together receive C / (D (g - 1)), where g devices are in a group and D in all. Pairs
are told apart by the axes on which they differ; a group along a set of axes has those of all subsets of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.cost.crossings import Crossings, crossings
from hypar_opt.cost.links import charge_of
from hypar_opt.instance.hardware import routing_of
from hypar_opt.util.errors import Refusal
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypar_opt.cost.links import Charge
    from hypar_opt.costgraph import Array
    from hypar_opt.instance.operators.standing import Standing

MOST_TABLE = 1 << 26
"""Entries of the table of what pairs that differ on some axes keep every link busy with."""


@dataclass(frozen=True, eq=False)
class GroupRoutes:
    """The routes between all devices, which every component is charged by.

    Parameters
    ----------
    standing
        The graph, and where each device stands.
    axes
        Sizes, outermost first.
    over
        Asked now and then, while routes are followed, whether to stop.
    """

    standing: Standing
    axes: tuple[int, ...]
    over: Callable[[], bool] = never

    @property
    def devices(self) -> int:
        """How many there are."""
        return prod(self.axes)

    @cached_property
    def routes(self) -> Crossings:
        """From every device to every other, and to itself; row giver x devices + taker.

        Raises
        ------
        Interrupted
            If it has to stop.
        Refusal
            If they are too long together.
        """
        machine, sites = self.standing.machine, self.standing.sites
        return crossings(machine, ((one, other) for one in sites for other in sites), routing_of(machine), self.over)

    @cached_property
    def coordinates(self) -> Array:
        """By axis and device; shape (axes, devices)."""
        return np.array(np.unravel_index(np.arange(self.devices), self.axes))

    @cached_property
    def differing(self) -> Array:
        """By pair, the axes on which it differs, a bit an axis, the outermost the lowest; shape (devices^2,)."""
        found = np.zeros((self.devices, self.devices), dtype=np.int64)
        for axis, own in enumerate(self.coordinates):
            found |= (own[:, None] != own[None, :]).astype(np.int64) << axis
        return found.reshape(-1)


@dataclass(frozen=True, eq=False)
class GroupCharge:
    """What a component charges for a byte.

    Parameters
    ----------
    of
        The routes.
    component
        `hop-bytes`, `comm-time` or `comm-energy`.
    """

    of: GroupRoutes
    component: str

    @cached_property
    def links(self) -> Charge:
        """What the component charges the graph's links."""
        return charge_of(self.of.standing.machine, {self.component: Fraction(1)})

    @property
    def unit(self) -> int:
        """What any pairs cost, each sending a byte, is whole in it."""
        return self.of.routes.parts * self.links.common

    def a_byte(self, axes: Sequence[int]) -> Fraction:
        """Return what a byte costs, of all that devices receive in exchanges within groups along axes."""
        group = prod(self.of.axes[axis] for axis in axes)
        pairs = self.of.devices * (group - 1)
        return Fraction(int(self._by_axes[sum(1 << axis for axis in axes)]), pairs * self.unit)

    @cached_property
    def _by_axes(self) -> Array:
        """By set of axes, what groups along them cost if each device gives each other of its group a byte."""
        routes, sets = self.of.routes, 1 << len(self.of.axes)
        if self.links.slowness is None:
            sums = routes.sums(self.links.added)
            found = np.zeros(sets, dtype=object)
            np.add.at(found, self.of.differing, sums.astype(object))
            return self._over_subsets(found)
        if sets * len(self.links.slowness) > MOST_TABLE:
            raise Refusal(
                f"{len(self.of.axes)} axes and {len(self.links.slowness):,} links are too many to weigh by time; take "
                "fewer axes or another objective"
            )
        weighed = routes.weighed(self.links.slowness)
        busy = np.zeros((sets, len(self.links.slowness)), dtype=weighed.dtype)
        whose = np.repeat(self.of.differing, np.diff(routes.starts))
        np.add.at(busy, (whose, routes.links), weighed)
        most: Array = self._over_subsets(busy).max(axis=1, initial=0)
        return most

    def _over_subsets(self, found: Array) -> Array:
        """Return for every set the sum over its subsets."""
        for axis in range(len(self.of.axes)):
            within = found.reshape(-1, 2, 1 << axis, *found.shape[1:])
            within[:, 1] += within[:, 0]
        return found

    def pairs(self, parts: Sequence[tuple[Array, Array, Fraction]]) -> Fraction:
        """Return what exchanges at once cost.

        Parameters
        ----------
        parts
            Givers, takers, and the bytes that each of these takers receives.
        """
        routes, devices = self.of.routes, self.of.devices
        if self.links.slowness is None:
            sums = routes.sums(self.links.added)
            total = sum((int(sums[one * devices + other].sum()) * size for one, other, size in parts), Fraction(0))
            return total / self.unit
        common = np.lcm.reduce([size.denominator for _, _, size in parts], dtype=object, initial=1)
        busy = np.zeros(len(self.links.slowness), dtype=object)
        weighed = routes.weighed(self.links.slowness)
        for one, other, size in parts:
            rows = one * devices + other
            counts = routes.starts[rows + 1] - routes.starts[rows]
            ends = np.cumsum(counts)
            places = np.arange(int(counts.sum())) + np.repeat(routes.starts[rows] - ends + counts, counts)
            np.add.at(busy, routes.links[places], weighed[places].astype(object) * int(size * common))
        return Fraction(int(busy.max(initial=0)), int(common) * self.unit)

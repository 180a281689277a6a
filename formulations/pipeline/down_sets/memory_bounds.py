"""What groups keep at least, wherever they are: which stages and states need not be looked at for want of memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from formulations.pipeline.down_sets.lattice import weighted
from hypar_opt.costgraph.pipeline.option import integers

if TYPE_CHECKING:
    from formulations.pipeline.down_sets.lattice import Lattice
    from formulations.pipeline.down_sets.states import DeviceStates
    from hypar_opt.costgraph import Array
    from hypar_opt.costgraph.pipeline import StageGraph, StageOption


@dataclass(frozen=True, eq=False)
class MemoryBounds:
    """Bounds of a search; nothing is left out where a kind of device has room for any amount.

    Parameters
    ----------
    graph, lattice, states
        Whose.
    """

    graph: StageGraph
    lattice: Lattice
    states: DeviceStates

    @cached_property
    def _capacities(self) -> list[int] | None:
        """By kind the bytes of a device; None where any amount fits on one."""
        found = [0] * len(self.graph.counts)
        for option in self.graph.options:
            if option.capacity is None:
                return None
            found[option.kind] = max(found[option.kind], option.capacity)
        return found

    @cached_property
    def _of_one(self) -> Array:
        """Of every down-set what its groups keep of one device, each where and in which way that is least."""
        usages = _least([usage for usage, _ in map(_kept, self.graph.options)])
        return weighted(integers(usages), self.lattice.members)

    @cached_property
    def _of_all(self) -> tuple[Array, Array]:
        """The same of all devices of a stage, with one microbatch in flight, and more by replicas behind."""
        of_all, more = [], []
        for option in self.graph.options:
            usages, activations = _kept(option)
            of_all.append([option.devices * one for one in usages])
            more.append([option.devices // option.replicas * one for one in activations])
        usages, further = _least(of_all), _least(more)
        most, members = sum(usages) + self.graph.in_flight * sum(further), self.lattice.members
        return weighted(integers(usages, most), members), weighted(integers(further, most), members)

    @cached_property
    def _left(self) -> tuple[Array, Array]:
        """By state the bytes of the devices that are left, and how many microbatches more are in flight in front."""
        capacities, most = self._capacities or (), self.graph.in_flight - 1
        left = []
        for state in self.states.every:
            counts = (count - taken for count, taken in zip(self.graph.counts, state[:-2], strict=True))
            left.append(sum(count * capacity for count, capacity in zip(counts, capacities, strict=True)))
        return integers(left), integers([min(most, state[-1]) for state in self.states.every])

    def within(self, one: int, others: Array) -> Array:
        """Return those of other down-sets whose groups that are not in one fit on one device of some kind."""
        if self._capacities is None:
            return others
        found: Array = others[self._of_one[others] - self._of_one[one] <= max(self._capacities)]
        return found

    def enough(self, one: int) -> Array | bool:
        """Return by state whether the devices that are left may hold all groups that are not in a down-set.

        With D replicas behind it a stage of d replicas on m devices has min(N - 1, D / d) microbatches in flight at
        least beside the first. All its devices together keep m a + (m / d) min(N - 1, D) e bytes at least.
        """
        if self._capacities is None:
            return True
        (usages, further), (left, more) = self._of_all, self._left
        found: Array = (usages[-1] - usages[one]) + more * (further[-1] - further[one]) <= left
        return found


def _kept(option: StageOption) -> tuple[list[int], list[int]]:
    """Return by group what each device keeps in some way, and more for a further microbatch in flight, at least."""
    ways = [
        [option.way(group, number) for number in range(1 + len(option.ways.get(group, ())))]
        for group in range(len(option.usages))
    ]
    return [min(way.usage for way in own) for own in ways], [min(way.activations for way in own) for own in ways]


def _least(kept: list[list[int]]) -> list[int]:
    """Return by group the least of all options."""
    return [min(own) for own in zip(*kept, strict=True)]

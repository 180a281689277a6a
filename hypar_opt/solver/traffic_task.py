"""Where leaves stand, for words that are given: decided by what any two of them exchange."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from hypar_opt.cost.links import charge_of, every_route
from hypar_opt.costgraph.placement.traffic import TrafficGraph
from hypar_opt.solver.problem import Decoded, Task
from hypar_opt.solver.sites import sites_named
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.util.partition import Partition

GIVE_ONE: Final = "give a placement: --placement identity"


class TrafficTask(Task):
    """The placement alone: what stands is called a leaf or a device, whoever says so."""

    strategies: Mapping[str, str]
    """A plan of the problem."""
    standing: ClassVar[str]
    """What one of those is called that stand somewhere."""

    @property
    def machine(self) -> Machine:
        """The accelerators, and the links between them."""
        raise NotImplementedError

    @property
    def partition(self) -> Partition:
        """How the array is cut."""
        raise NotImplementedError

    @property
    def placed_weights(self) -> Mapping[str, Fraction]:
        """What components weigh that depend on the placement, and are sums over pairs."""
        raise NotImplementedError

    @property
    def sent(self) -> Array:
        """Bytes that each leaf sends to each other, exact; shape (leaves, leaves)."""
        raise NotImplementedError

    @property
    def constant(self) -> Fraction:
        """What the plan costs wherever leaves stand."""
        raise NotImplementedError

    @property
    def may_stand(self) -> Array | None:
        """Which leaf may stand where; None where each may anywhere."""
        return None

    @cached_property
    def graph(self) -> TrafficGraph:
        """What the formulation reads; costs are in units of 1 / unit."""
        flows, costs, unit = self._tables
        scaled = flows * (self.unit // unit)
        return TrafficGraph(self.partition, scaled, costs, 0, self.machine.accelerators, self.may_stand)

    @cached_property
    def _tables(self) -> tuple[Array, Array, int]:
        """Return what pairs exchange, what pairs of sites cost, and the unit of their products."""
        charge, routes = charge_of(self.machine, self.placed_weights), every_route(self.machine)
        sites = len(self.machine.accelerators)
        costs = routes.sums(charge.added).reshape(sites, sites).astype(object)
        sent = self.sent
        if not np.array_equal(costs, costs.T) and not np.array_equal(sent, sent.T):
            raise Refusal(f"the way there and the way back cost different energies, and so much is sent; {GIVE_ONE}")
        common = lcm(*(one.denominator for one in sent.reshape(-1)))
        flows = np.array([[int(one * common) for one in row] for row in sent], dtype=object)
        # if one of the two is symmetric, the sum over ordered pairs is half of the sums' over unordered ones
        return flows + flows.T, costs + costs.T, 2 * common * charge.common * routes.parts

    @cached_property
    def unit(self) -> int:
        """Of the objective, over one common denominator."""
        return lcm(self._tables[2], self.constant.denominator)

    @property
    def shift(self) -> int:
        """What every placement costs besides."""
        return int(self.constant * self.unit)

    @property
    def sizes(self) -> Sequence[tuple[str, int]]:
        """What stands somewhere, and the accelerators."""
        return [(f"{self.standing} {leaf}", self.graph.sites) for leaf in range(self.graph.leaves)]

    def sites(self, names: Sequence[str]) -> tuple[int, ...]:
        """Return the positions of accelerators.

        Raises
        ------
        InputError
            If a name is none, or there is not one for everything that stands somewhere.
        """
        return sites_named(names, self.machine.accelerators, self.partition.leaves, self.standing)

    def names(self, choices: Sequence[int]) -> tuple[str, ...]:
        """Return by what stands its accelerator's name."""
        return tuple(self.machine.accelerators[site] for site in choices)

    def decode(self, choices: Sequence[int]) -> Decoded:
        """Return the given words and the placement."""
        return dict(self.strategies), tuple(choices)

"""From an array and the weights of an objective to a PlacementGraph.

A level's C bytes are shared equally by its 2^(H-1) pairs and by both directions of each: every accelerator
sends C / 2^H to its counterpart. Of each such share

* every link on its route counts as one hop (`hop-bytes`) and uses its energy (`comm-energy`);
* every link on its route is busy for share / bandwidth; all pairs of a level exchange at once, so that the level
  takes as long as its busiest link (`comm-time`). Levels follow one another.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.array.routing import routing_of
from hypar_opt.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, HOP_BYTES
from hypar_opt.errors import MachineError
from hypar_opt.placement.graph import PlacementGraph, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hypar_opt.array import Link, Machine
    from hypar_opt.array.routing import Hop, Routing
    from hypar_opt.costgraph import Array

Weights: TypeAlias = "Mapping[str, Fraction]"
"""By component: exact, at least 0."""


class Charge:
    """What a byte that crosses links costs, by the weights of an objective.

    Parameters
    ----------
    machine
        The array.
    weights
        Of the objective.

    Raises
    ------
    MachineError
        If a link has no bandwidth or energy, and they count.
    """

    def __init__(self, machine: Machine, weights: Weights) -> None:
        self.hops = weights.get(HOP_BYTES, Fraction(0))
        self.energy = weights.get(COMM_ENERGY, Fraction(0))
        self.time = weights.get(COMM_TIME, Fraction(0))
        self.base = weights.get(COMMUNICATION, Fraction(0))
        self._crossed = {
            hop: self._of(link, number) for number, link in enumerate(machine.links) for hop in _ways(link)
        }

    @property
    def slowness(self) -> list[Fraction]:
        """How long one byte keeps each link busy, weighed."""
        return [time for _, time in self._crossed.values()]

    def summed(self, shares: Mapping[Hop, Fraction]) -> Fraction:
        """Return what adds up along a route: hops and energy."""
        return sum((share * self._crossed[hop][0] for hop, share in shares.items()), start=Fraction(0))

    def busy(self, shares: Mapping[Hop, Fraction]) -> dict[Hop, Fraction]:
        """Return how long every link of a route is busy, weighed."""
        return {hop: share * self._crossed[hop][1] for hop, share in shares.items()} if self.time else {}

    def _of(self, link: Link, number: int) -> tuple[Fraction, Fraction]:
        if self.time and link.bandwidth is None:
            raise MachineError("has no bandwidth, which comm-time needs", link=number, field="bandwidth")
        if self.energy and link.energy is None:
            raise MachineError("has no energy, which comm-energy needs", link=number, field="energy")
        time = self.time / link.bandwidth if self.time and link.bandwidth else Fraction(0)
        return self.hops + self.energy * (link.energy or 0), time


def level_weights(machine: Machine, weights: Weights, placed: Sequence[int], levels: int) -> tuple[Fraction, ...]:
    """Return the weight of every level, a byte of its communication, for one placement.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.

    Raises
    ------
    MachineError
        If a link lacks what the objective needs.
    """
    charge, routing = Charge(machine, weights), routing_of(machine)
    return tuple(
        charge.base + _level(charge, routing, placed, 1 << levels - 1 - h) / (1 << levels) for h in range(levels)
    )


def _level(charge: Charge, routing: Routing, placed: Sequence[int], bit: int) -> Fraction:
    """Return what a level costs if every accelerator sends one byte to its counterpart."""
    total = Fraction(0)
    busy: dict[Hop, Fraction] = {}
    for leaf, site in enumerate(placed):
        shares = routing.shares(site, placed[leaf ^ bit])
        total += charge.summed(shares)
        for hop, time in charge.busy(shares).items():
            busy[hop] = busy.get(hop, Fraction(0)) + time
    return total + max(busy.values(), default=Fraction(0))


def compile_placement(machine: Machine, weights: Weights, levels: int, volumes: Sequence[int]) -> PlacementGraph:
    """Return the placement problem of an array.

    Parameters
    ----------
    weights
        Of the objective.
    volumes
        Bytes by level.

    Raises
    ------
    MachineError
        If a link lacks what the objective needs.
    """
    charge, routing = Charge(machine, weights), routing_of(machine)
    sites = range(len(machine.accelerators))
    routes = [routing.shares(source, target) for source in sites for target in sites]
    summed = [charge.summed(shares) for shares in routes]
    busy = [time for shares in routes for time in charge.busy(shares).values()]
    parts = [charge.base * 2**levels, *summed, *busy, *charge.slowness]
    common = lcm(*{part.denominator for part in parts})
    directed = _whole(summed, common).reshape(len(sites), len(sites))
    return PlacementGraph(
        levels,
        directed + directed.T,
        tuple(volumes),
        _usage(machine, charge, routes, common) if charge.time else None,
        int(parts[0] * common),
        common << levels,
        machine.accelerators,
    )


def _usage(machine: Machine, charge: Charge, routes: Iterable[Mapping[Hop, Fraction]], common: int) -> Usage:
    ways = [hop for link in machine.links for hop in _ways(link)]
    numbers = {hop: number for number, hop in enumerate(ways)}
    starts, links, costs = [0], [], []
    for shares in routes:
        busy = charge.busy(shares)
        links += [numbers[hop] for hop in busy]
        costs += list(busy.values())
        starts.append(len(links))
    alone = [charge.busy({hop: Fraction(1)})[hop] for hop in ways]
    return Usage(
        np.array(starts), np.array(links, dtype=np.int64), _whole(costs, common), np.array(ways), _whole(alone, common)
    )


def _ways(link: Link) -> Iterator[Hop]:
    """Yield both directions of a link."""
    yield link.ends
    yield link.ends[::-1]


def _whole(numbers: Sequence[Fraction], common: int) -> Array:
    """Return exact integers: int64 where they fit with room for sums, else Python's."""
    whole = [int(number * common) for number in numbers]
    return np.array(whole, dtype=np.int64 if max(whole, default=0) < 2**31 else object)

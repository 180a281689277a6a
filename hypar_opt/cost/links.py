"""From an array and the weights of an objective to a PlacementGraph.

A level's C bytes are shared equally by its 2^(H-1) pairs and by both directions of each: every accelerator
sends C / 2^H to its counterpart. Of each such share

* every link on its route counts as one hop (`hop-bytes`) and uses its energy (`comm-energy`);
* every link on its route is busy for share / bandwidth; all pairs of a level exchange at once, so that the level
  takes as long as its busiest link (`comm-time`). Levels follow one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from hypar_opt.array import routing_of
from hypar_opt.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, HOP_BYTES
from hypar_opt.errors import MachineError
from hypar_opt.interrupting import never
from hypar_opt.placement.crossings import ROOM, crossings, ways
from hypar_opt.placement.graph import PlacementGraph, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.array import Link, Machine
    from hypar_opt.costgraph import Array
    from hypar_opt.placement.crossings import Crossings

Weights: TypeAlias = "Mapping[str, Fraction]"
"""By component: exact, at least 0."""


@dataclass(frozen=True, eq=False)
class Charge:
    """What a byte that crosses links costs, by the weights of an objective, as integers.

    Parameters
    ----------
    added
        Of every link in one direction: what it adds to a route, hops and energy.
    slowness
        Of every link in one direction: how long it is busy; None where time does not count.
    base
        Of every byte of communication, wherever it goes.
    common
        All are in units of 1 / common.
    """

    added: Array
    slowness: Array | None
    base: int
    common: int


def charge_of(machine: Machine, weights: Weights) -> Charge:
    """Return what an objective charges the links of an array.

    Raises
    ------
    MachineError
        If a link has no bandwidth or energy, and they count.
    """
    kinds, each = _kinds(machine, weights)
    base = weights.get(COMMUNICATION, Fraction(0))
    common = lcm(base.denominator, *{part.denominator for pair in each for part in pair})
    added, slowness = (_whole([pair[i] for pair in each], common)[kinds] for i in range(2))
    return Charge(added, slowness if weights.get(COMM_TIME) else None, int(base * common), common)


def _kinds(machine: Machine, weights: Weights) -> tuple[Array, list[tuple[Fraction, Fraction]]]:
    """Return the kind of every link in one direction, and what every kind costs.

    Of millions of links that were made alike, which have the same objects for their bandwidth and energy, one is asked.
    """
    found: dict[tuple[int, int], int] = {}
    costs: list[tuple[Fraction, Fraction]] = []
    kinds = np.empty(len(machine.links), dtype=np.int64)
    for number, link in enumerate(machine.links):
        made = (id(link.bandwidth), id(link.energy))
        if made not in found:
            found[made] = len(costs)
            costs.append(_link_costs(link, number, weights))
        kinds[number] = found[made]
    return kinds.repeat(2), costs


def _link_costs(link: Link, number: int, weights: Weights) -> tuple[Fraction, Fraction]:
    """Return what a byte that crosses a link adds, and how long it keeps the link busy."""
    hops, energy, time = (weights.get(name, Fraction(0)) for name in (HOP_BYTES, COMM_ENERGY, COMM_TIME))
    if time and link.bandwidth is None:
        raise MachineError("has no bandwidth, which comm-time needs", link=number, field="bandwidth")
    if energy and link.energy is None:
        raise MachineError("has no energy, which comm-energy needs", link=number, field="energy")
    busy = time / link.bandwidth if time and link.bandwidth else Fraction(0)
    return hops + energy * (link.energy or 0), busy


def level_weights(
    machine: Machine, weights: Weights, placed: Sequence[int], levels: int, over: Callable[[], bool] = never
) -> tuple[Fraction, ...]:
    """Return the weight of every level, a byte of its communication, for one placement.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    over
        Asked now and then whether to stop.

    Raises
    ------
    Interrupted
        If it has to stop.
    MachineError
        If a link lacks what the objective needs.
    """
    charge = charge_of(machine, weights)
    bits = [1 << levels - 1 - h for h in range(levels)]
    pairs = [[(site, placed[leaf ^ bit]) for leaf, site in enumerate(placed)] for bit in bits]
    routing = routing_of(machine)
    routes = [crossings(machine, level, routing, over) for level in pairs]
    return tuple((charge.base + Fraction(_level(charge, one), one.parts << levels)) / charge.common for one in routes)


def _level(charge: Charge, routes: Crossings) -> int:
    """Return what a level costs if every accelerator sends one byte to its counterpart."""
    total = int(routes.weighed(charge.added).sum())
    return total if charge.slowness is None else total + int(routes.busy(charge.slowness).max(initial=0))


def every_route(machine: Machine, over: Callable[[], bool] = never) -> Crossings:
    """Return the routes from every accelerator to every other, and to itself.

    Parameters
    ----------
    over
        Asked now and then whether to stop.

    Raises
    ------
    Interrupted
        If it has to stop.
    """
    sites = range(len(machine.accelerators))
    pairs = ((source, target) for source in sites for target in sites)
    return crossings(machine, pairs, routing_of(machine), over)


def compile_placement(
    machine: Machine, weights: Weights, levels: int, volumes: Sequence[int], routes: Crossings | None = None
) -> PlacementGraph:
    """Return the placement problem of an array.

    Parameters
    ----------
    weights
        Of the objective.
    volumes
        Bytes by level.
    routes
        All of them, where they were followed before; see `every_route`.

    Raises
    ------
    MachineError
        If a link lacks what the objective needs.
    """
    charge = charge_of(machine, weights)
    sites = range(len(machine.accelerators))
    routes = every_route(machine) if routes is None else routes
    directed = routes.sums(charge.added).reshape(len(sites), len(sites))
    return PlacementGraph(
        levels,
        directed + directed.T,
        tuple(volumes),
        None if charge.slowness is None else _usage(machine, routes, charge.slowness),
        charge.base * routes.parts << levels,
        charge.common * routes.parts << levels,
        machine.accelerators,
    )


def _usage(machine: Machine, routes: Crossings, slowness: Array) -> Usage:
    """Return what every link is busy with; links that every byte passes in no time are never the busiest."""
    costs = routes.weighed(slowness)
    ends = np.array(ways(machine), dtype=np.int64).reshape(-1, 2)
    return Usage(routes.starts, routes.links, costs, ends, slowness * routes.parts)


def _whole(numbers: Sequence[Fraction], common: int) -> Array:
    """Return exact integers."""
    whole = [int(number * common) for number in numbers]
    return np.array(whole, dtype=np.int64 if max(whole, default=0) < ROOM else object)

"""From an array and the weights of an objective to a PlacementGraph.

A level's C bytes are shared equally by its pairs and by both directions of each: in halves there are 2^(H-1) of them,
and every accelerator sends C / 2^H to its counterpart. Of each such share

* every link on its route counts as one hop (`hop-bytes`) and uses its energy (`comm-energy`);
* every link on its route is busy for share / bandwidth; all pairs of a level exchange at once, so that the level
  takes as long as its busiest link (`comm-time`). Levels follow one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hypar_opt.cost.crossings import ROOM, Crossings, crossings
from hypar_opt.costgraph.placement import PlacementGraph, Usage
from hypar_opt.instance.hardware import Link, Machine, routing_of
from hypar_opt.instance.objective.components import COMM_ENERGY, COMM_TIME, COMMUNICATION, COMPONENTS, HOP_BYTES, PLACED
from hypar_opt.util.errors import MachineError
from hypar_opt.util.interrupt import never

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.costgraph import Array
    from hypar_opt.util.partition import Partition

Weights: TypeAlias = "Mapping[str, Fraction]"
"""By component: exact, at least 0."""


ADDED: Final[Mapping[str, Callable[[Link], Fraction]]] = MappingProxyType(
    {HOP_BYTES: lambda _: Fraction(1), COMM_ENERGY: lambda link: link.energy or Fraction(0)}
)
"""By component: what a byte that crosses a link adds; of time the busiest link alone counts."""


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

    Of millions of links that were made alike, which have the same objects for their numbers, one is asked.
    """
    found: dict[tuple[int, ...], int] = {}
    costs: list[tuple[Fraction, Fraction]] = []
    kinds = np.empty(len(machine.links), dtype=np.int64)
    for number, link in enumerate(machine.links):
        made = (id(link.bandwidth), id(link.latency), id(link.energy))
        if made not in found:
            found[made] = len(costs)
            costs.append(_link_costs(link, number, weights))
        kinds[number] = found[made]
    return kinds.repeat(2), costs


def _link_costs(link: Link, number: int, weights: Weights) -> tuple[Fraction, Fraction]:
    """Return what a byte that crosses a link adds, and how long it keeps the link busy."""
    weighed = {name: weight for name, weight in weights.items() if weight and name in PLACED}
    for name in PLACED:
        for field in [one.removeprefix("link.") for one in COMPONENTS[name].needs if name in weighed]:
            if getattr(link, field) is None:
                raise MachineError(f"has no {field}, which {name} needs", link=number, field=field)
    added = sum((weight * ADDED[name](link) for name, weight in weighed.items() if name in ADDED), start=Fraction(0))
    time = weighed.get(COMM_TIME, Fraction(0))
    return added, time / link.bandwidth if time and link.bandwidth else Fraction(0)


def level_weights(
    machine: Machine, weights: Weights, placed: Sequence[int], partition: Partition, over: Callable[[], bool] = never
) -> tuple[Fraction, ...]:
    """Return the weight of every level, a byte of its communication, for one placement.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    partition
        How the array is cut.
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
    routing = routing_of(machine)
    found = []
    for h in range(partition.levels):
        pairs = [(site, placed[peer]) for leaf, site in enumerate(placed) for peer in partition.peers(leaf, h)]
        routes = crossings(machine, pairs, routing, over)
        a_byte = Fraction(_level(charge, routes), routes.parts * partition.routes(h))
        found.append((charge.base + a_byte) / charge.common)
    return tuple(found)


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
    machine: Machine, weights: Weights, partition: Partition, volumes: Sequence[int], routes: Crossings | None = None
) -> PlacementGraph:
    """Return the placement problem of an array.

    Parameters
    ----------
    weights
        Of the objective.
    partition
        How the array is cut.
    volumes
        Bytes by level.
    routes
        All of them, where they were followed before; see `every_route`.

    Raises
    ------
    MachineError
        If a link lacks what the objective needs.
    ValueError
        If the axes are of different sizes.
    """
    charge = charge_of(machine, weights)
    sites = range(len(machine.accelerators))
    routes = every_route(machine) if routes is None else routes
    directed = routes.sums(charge.added).reshape(len(sites), len(sites))
    parts = routes.parts * _routes(partition)
    return PlacementGraph(
        partition,
        directed + directed.T,
        tuple(volumes),
        None if charge.slowness is None else _usage(machine, routes, charge.slowness),
        charge.base * parts,
        charge.common * parts,
        machine.accelerators,
    )


def _routes(partition: Partition) -> int:
    """Return the routes that share the bytes of a level: of all levels as many, for their weights have one unit."""
    found = {partition.routes(h) for h in range(partition.levels)} or {1}
    if len(found) > 1:
        raise ValueError("axes of different sizes, and placements are weighed for axes of one size")
    return found.pop()


def _usage(machine: Machine, routes: Crossings, slowness: Array) -> Usage:
    """Return what every link is busy with; links that every byte passes in no time are never the busiest."""
    costs = routes.weighed(slowness)
    ends = np.array(list(machine.numbers), dtype=np.int64).reshape(-1, 2)
    return Usage(routes.starts, routes.links, costs, ends, slowness * routes.parts)


def _whole(numbers: Sequence[Fraction], common: int) -> Array:
    """Return exact integers."""
    whole = [int(number * common) for number in numbers]
    return np.array(whole, dtype=np.int64 if max(whole, default=0) < ROOM else object)

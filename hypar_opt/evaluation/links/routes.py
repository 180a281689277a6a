"""Every route that a placement uses, followed hop by hop.

At a level every leaf sends to its counterpart in the other half or, where a level cuts into more groups than two, in
each of the others. Which routes those are depends on the placement only, not on the plan, so that they are walked once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.instance.hardware import Hop, Machine, Routing, routing_of
from hypar_opt.util.errors import Refusal
from hypar_opt.util.interrupt import asking, never
from hypar_opt.util.partition import Partition, halved_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


def length(shares: Mapping[Hop, Fraction], source: int, target: int) -> int:
    """Follow a route and return its hops; a divided one has as many on each of its paths.

    Parameters
    ----------
    shares
        Of the bytes, by link and direction, in the order in which they are crossed.
    source, target
        Where the route should begin and end.

    Raises
    ------
    ArithmeticError
        If it does not, or loses or adds bytes on its way, or takes paths of different lengths.
    """
    node = source
    for (here, there), share in shares.items():
        if here != node or share != 1:
            return _divided(shares, source, target)
        node = there
    if node != target:
        raise ArithmeticError(f"the route from node {source} to {target} ends at {node}")
    return len(shares)


def _divided(shares: Mapping[Hop, Fraction], source: int, target: int) -> int:
    """Check that what leaves the source arrives at the target, and nothing is left or added on the way."""
    left: dict[int, Fraction] = {source: Fraction(1), target: Fraction(-1)}
    for (here, there), share in shares.items():
        left[here] = left.get(here, Fraction(0)) - share
        left[there] = left.get(there, Fraction(0)) + share
    lost = next((node for node, rest in left.items() if rest), None)
    if lost is not None:
        raise ArithmeticError(f"the route from node {source} to {target} does not pass on all bytes at node {lost}")
    hops = sum(shares.values())
    if hops.denominator != 1:
        raise ArithmeticError(f"the route from node {source} to {target} has paths of different lengths")
    return int(hops)


MOST_ACCELERATORS = 2**16
"""Accelerators that routes are walked from; 16 levels of them are a million routes."""
MOST_HOPS = 10**8
"""Hops after which a walk is given up: about a minute and a half."""
WALKING = "while routes were walked"
"""What a walk is at when it is stopped."""
Crossings: TypeAlias = "Mapping[Hop, Fraction]"
"""By link and direction: how many of the routes of a level cross it, a divided route by its share."""


@dataclass(frozen=True)
class Walked:
    """The routes of a placement.

    Parameters
    ----------
    partition
        How the array is cut.
    crossings
        By level, of the links that any of its routes crosses.
    hops
        By level, of all its routes together.
    nearest, farthest
        By level, the hops of its shortest route and of its longest.
    """

    partition: Partition
    crossings: tuple[Crossings, ...]
    hops: tuple[int, ...]
    nearest: tuple[int, ...]
    farthest: tuple[int, ...]

    @property
    def levels(self) -> int:
        """H."""
        return self.partition.levels


def misplaced(machine: Machine, placed: Sequence[int], partition: Partition | None = None) -> str | None:
    """Return what keeps a list of positions from being a placement, or None.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    partition
        How the array is cut; into halves, however often, if None.
    """
    count = len(machine.accelerators)
    if partition is None and (not placed or len(placed) != halved_to(len(placed)).leaves):
        return f"expected an accelerator for each of 2^H leaves, got {len(placed):,}"
    if partition is not None and len(placed) != partition.leaves:
        return f"expected an accelerator for each of {partition.leaves:,} leaves, got {len(placed):,}"
    by_site: dict[int, int] = {}
    for leaf, site in enumerate(placed):
        if not 0 <= site < count:
            return f"leaf {leaf} stands on accelerator {site}, there are {count:,} from 0"
        if site in by_site:
            return f"leaves {by_site[site]} and {leaf} both stand on '{machine.accelerators[site]}'"
        by_site[site] = leaf
    return None


def walk(
    machine: Machine, placed: Sequence[int], over: Callable[[], bool] = never, partition: Partition | None = None
) -> Walked:
    """Walk the routes of all levels.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    over
        Asked now and then whether to stop.
    partition
        How the array is cut; into halves if None.

    Raises
    ------
    Interrupted
        If it has to stop.
    ValueError
        If it is no placement (see `misplaced`).
    Refusal
        If the routes are too many or too long.
    """
    fault = misplaced(machine, placed, partition)
    if fault is not None:
        raise ValueError(fault)
    if len(placed) > MOST_ACCELERATORS:
        raise Refusal(
            f"walking every route takes at most {MOST_ACCELERATORS:,} accelerators, got {len(placed):,}; "
            f"take at most {MOST_ACCELERATORS.bit_length() - 1} levels, or the objective communication, "
            "which needs no routes"
        )
    routing = routing_of(machine)
    cut = halved_to(len(placed)) if partition is None else partition
    crossings: list[Crossings] = []
    hops: list[list[int]] = []
    for h in range(cut.levels):
        pairs = ((site, placed[peer]) for leaf, site in enumerate(placed) for peer in cut.peers(leaf, h))
        room = MOST_HOPS - sum(map(sum, hops))
        crossed, walked = _level(machine, routing, asking(pairs, over, WALKING), room)
        crossings.append(crossed)
        hops.append(walked)
    return Walked(cut, tuple(crossings), tuple(map(sum, hops)), tuple(map(min, hops)), tuple(map(max, hops)))


def _level(
    machine: Machine, routing: Routing, pairs: Iterable[tuple[int, int]], room: int
) -> tuple[Crossings, list[int]]:
    """Return what the routes of one level cross, and how many hops each has."""
    crossed: dict[Hop, int | Fraction] = {}
    hops: list[int] = []
    for site, target in pairs:
        shares = routing.shares(site, target)
        for hop, share in shares.items():
            # most routes are whole, and integers add faster than fractions
            crossed[hop] = crossed.get(hop, 0) + (1 if share == 1 else share)
        hops.append(length(shares, site, target))
        room -= hops[-1]
        if room < 0:
            raise Refusal(
                f"the routes of this placement have more than {MOST_HOPS:,} hops, too many to walk; take fewer levels, "
                "a placement whose counterparts are nearer, or the objective communication, which needs no routes"
            )
    unknown = next((hop for hop in crossed if hop not in machine.link_of), None)
    if unknown is not None:
        raise ArithmeticError(f"a route leads from node {unknown[0]} to {unknown[1]}, which no link joins")
    return {hop: Fraction(count) for hop, count in crossed.items()}, hops

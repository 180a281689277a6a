"""Routes as arrays: which links the bytes of many pairs cross, and which share of them."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from hypar_opt.util.errors import Refusal
from hypar_opt.util.interrupt import asking, never

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from fractions import Fraction

    from hypar_opt.costgraph import Array
    from hypar_opt.instance.hardware import Machine, Routing

MOST_HOPS = 2 * 10**7
"""Of all routes together, more is refused: about a minute."""
ROOM = 2**62
"""Sums below it are kept in int64."""


@dataclass(frozen=True, eq=False)
class Crossings:
    """The links of every pair's route, in compressed rows.

    Parameters
    ----------
    starts
        Row i has the entries from starts[i] to starts[i + 1]; shape (pairs + 1,).
    links
        Of every entry: a link in one direction, as the machine numbers them.
    shares
        Of every entry: the share of the bytes, times `parts`; exact integers.
    parts
        The common denominator of the shares.
    """

    starts: Array
    links: Array
    shares: Array
    parts: int

    def weighed(self, costs: Array) -> Array:
        """Return every entry's share times its link's cost; Python's integers where int64 has no room for sums."""
        most = int(self.shares.max(initial=0)) * int(costs.max(initial=0)) * (len(self.shares) + 1)
        shares, by_link = (one.astype(np.int64 if most < ROOM else object) for one in (self.shares, costs))
        weighed: Array = shares * by_link[self.links]
        return weighed

    def sums(self, costs: Array) -> Array:
        """Return what every route's links cost together; shape (pairs,)."""
        weighed = self.weighed(costs)
        running = np.concatenate([np.zeros(1, dtype=weighed.dtype), np.cumsum(weighed)])
        total: Array = running[self.starts[1:]] - running[self.starts[:-1]]
        return total

    def busy(self, costs: Array) -> Array:
        """Return what all routes together cost every link; shape as `costs`."""
        weighed = self.weighed(costs)
        found = np.zeros(len(costs), dtype=weighed.dtype)
        np.add.at(found, self.links, weighed)
        return found


def crossings(
    machine: Machine, pairs: Iterable[tuple[int, int]], routing: Routing, over: Callable[[], bool] = never
) -> Crossings:
    """Return the routes of pairs (from, to) of accelerators.

    Parameters
    ----------
    routing
        The array's own rule, which keeps what it has found of nodes.
    over
        Asked now and then whether to stop.

    Raises
    ------
    Interrupted
        If it has to stop.
    Refusal
        If they are too long together.
    """
    numbers = machine.numbers
    starts, links = array("q", [0]), array("q")
    shares: list[Fraction] = []
    for source, target in asking(pairs, over, "while routes were followed"):
        route = routing.shares(source, target)
        links.extend(numbers[hop] for hop in route)
        if machine.rule == "split":
            shares += route.values()
        starts.append(len(links))
        if len(links) > MOST_HOPS:
            raise Refusal(
                f"the routes of this array have more than {MOST_HOPS:,} hops together, too many to weigh; take fewer "
                "accelerators, a placement whose counterparts are nearer, or the objective communication"
            )
    parts = lcm(*{share.denominator for share in shares})
    whole = [share.numerator * (parts // share.denominator) for share in shares] or [1] * len(links)
    dtype = np.int64 if max(whole, default=0) < ROOM else object
    return Crossings(np.array(starts), np.array(links, dtype=np.int64), np.array(whole, dtype=dtype), parts)

"""One route, followed from end to end: the routes are not taken on trust."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.array import Hop


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

"""Where the partner of a site stands: what ties y to x."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from formulations.placement.assignment.programme import Pair, Programme


def followers(programme: Programme) -> Iterator[tuple[int, Pair, tuple[int, int], tuple[int, int] | None]]:
    """Yield what the family `follows` says of every exchange and ordered pair of sites.

    Yields
    ------
    Level, pair of sites, the position (leaf, number) of x for the leaf on one of them, and that for its
    partner on the other, None where the partner may not stand there.
    """
    at = [{site: i for i, site in enumerate(values)} for values in programme.values]
    for edge in programme.edges:
        for leaf, partner in ((edge.first, edge.second), (edge.second, edge.first)):
            for pair in programme.pairs:
                for u, v in (pair, pair[::-1]):
                    if u in at[leaf]:
                        yield edge.level, pair, (leaf, at[leaf][u]), _position(at[partner], partner, v)


def _position(at: Mapping[int, int], leaf: int, site: int) -> tuple[int, int] | None:
    return (leaf, at[site]) if site in at else None

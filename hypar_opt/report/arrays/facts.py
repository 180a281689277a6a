"""What can be said of an array as a graph: sizes, bandwidths, and how far its accelerators are apart."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from hypar_opt.array.routing import distances

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.array import Hop, Machine

MOST_STEPS: Final = 2 * 10**7
"""Links looked at from all accelerators, for a diameter."""
MOST_LINKS: Final = 10_000
"""Of an array whose bisection is computed."""


@dataclass(frozen=True)
class Facts:
    """Of an array.

    Parameters
    ----------
    bandwidth
        Bytes a second of all links together, each way; None where a link has none.
    diameter
        Hops between the two accelerators farthest apart; None where they are too many to look.
    crossing
        The fewest links that separate the halves of level 1; None where there are too many to look.
    bisection
        The least bandwidth of links that separate them, each way; None where it is not known.
    """

    bandwidth: Fraction | None
    diameter: int | None
    crossing: int | None
    bisection: Fraction | None


def facts(machine: Machine, placed: Sequence[int]) -> Facts:
    """Return what can be said in reasonable time.

    Parameters
    ----------
    placed
        An accelerator's position for every leaf.
    """
    widths = {hop: link.bandwidth for hop, link in machine.link_of.items() if link.bandwidth is not None}
    known = len(widths) == len(machine.link_of)
    looked = len(machine.links) <= MOST_LINKS and len(placed) > 1
    return Facts(
        sum((widths[link.ends] for link in machine.links), start=Fraction(0)) if known else None,
        diameter(machine),
        int(separating(placed, dict.fromkeys(machine.link_of, Fraction(1)))) if looked else None,
        separating(placed, widths) if looked and known else None,
    )


def diameter(machine: Machine) -> int | None:
    """Return the hops between the two accelerators farthest apart, or None where there are too many to look."""
    sites = range(len(machine.accelerators))
    if len(machine.links) == len(machine.names) - 1:  # in a tree one end of a longest path is farthest from any node
        away = distances(machine, 0)
        sites = range(end := max(sites, key=away.__getitem__), end + 1)
    if len(sites) * len(machine.links) > MOST_STEPS:
        return None
    return max(max(distances(machine, site)[: len(machine.accelerators)]) for site in sites)


def separating(placed: Sequence[int], widths: Mapping[Hop, Fraction]) -> Fraction:
    """Return the least width of links that, cut, separate the first half of the leaves from the second.

    That is what can flow from one to the other (Ford and Fulkerson 1956), in exact integers.
    """
    import networkx as nx

    common = lcm(*(width.denominator for width in widths.values()))
    graph: nx.DiGraph[int | str] = nx.DiGraph()
    for (here, there), width in widths.items():
        graph.add_edge(here, there, capacity=int(width * common))
    half = len(placed) // 2
    graph.add_edges_from(("from", site) for site in placed[:half])
    graph.add_edges_from((site, "to") for site in placed[half:])
    return Fraction(int(nx.maximum_flow_value(graph, "from", "to")), common)

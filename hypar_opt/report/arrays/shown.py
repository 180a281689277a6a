"""An array with a placement, and with the traffic of a plan where there is one: what is drawn and printed of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.links import Measured, Traffic, traffic_of, walk, weigh
from hypar_opt.instance.hardware.routing import distances
from hypar_opt.report.numbers import in_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.communication import PhaseExchange
    from hypar_opt.evaluation.legality import Split
    from hypar_opt.evaluation.step import Step
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.instance.hardware.accelerator import Accelerator
    from hypar_opt.util.partition import Partition


MOST_STEPS: Final = 2 * 10**7
"""Links looked at from all accelerators, for a diameter."""
MOST_SPEEDS: Final = 5
"""Bandwidths that are told one by one."""
LinksBy: TypeAlias = Literal["time", "bytes"]
"""What links are compared by."""
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


@dataclass(frozen=True)
class PlacedArray:
    """What `show` shows.

    Parameters
    ----------
    name
        Of the array or the instance.
    machine
        The array.
    placed
        An accelerator's position for every leaf.
    placement
        Where that comes from, in words.
    measured
        The bytes on its links: a plan's, or, without one, of a byte from every accelerator at every level.
    traffic
        The plan's; None without one.
    accelerator
        What each can do; None where the array does not say.
    step
        The plan's training step; None without a plan, or where the array does not say what accelerators can do.
    splits
        What the plan splits unevenly.
    links_by
        What links are compared by, where it is known how long they take; else they are by bytes.
    timed
        All that the plan exchanges, where partial sums are by schedules: `measured` is then of all else.
    """

    name: str
    machine: Machine
    placed: tuple[int, ...]
    placement: str
    measured: Measured
    traffic: Traffic | None = None
    accelerator: Accelerator | None = None
    step: Step | None = None
    splits: tuple[Split, ...] = ()
    links_by: LinksBy = "time"
    timed: Measured | None = None

    def exchanging(self, measured: Measured) -> PlacedArray:
        """Return the same, where partial sums take another time than their bytes do between counterparts.

        Parameters
        ----------
        measured
            All that the plan exchanges.
        """
        timed = measured.timed
        return self if timed is None else replace(self, measured=timed.others, timed=measured)

    @property
    def levels(self) -> int:
        """H."""
        return self.partition.levels

    @property
    def partition(self) -> Partition:
        """How the array is cut."""
        return self.measured.walked.partition

    @cached_property
    def facts(self) -> Facts:
        """What can be said of the array as a graph."""
        return facts(self.machine, self.placed)

    @property
    def costs(self) -> Mapping[str, Fraction]:
        """By component, what the plan costs, where the links say enough; empty without a plan."""
        if self.traffic is None:
            return {}
        known = (self.timed or self.measured).costs
        return known if self.step is None else {**known, **self.step.costs}

    @property
    def is_timed(self) -> bool:
        """Whether it is known how long links take: there is a plan, and they have bandwidths."""
        return self.traffic is not None and self.measured.comm_time is not None

    @property
    def by_time(self) -> bool:
        """Whether links are compared by the time that they take; else by what they carry."""
        return self.is_timed and self.links_by == "time"

    @cached_property
    def speeds(self) -> str:
        """How fast links are each way, in words; nothing where no bandwidth is known."""
        counts = Counter(link.bandwidth for link in self.machine.links if link.bandwidth is not None)
        if not counts:
            return ""
        ordered = sorted(counts)
        if len(ordered) > MOST_SPEEDS:
            return f"links of {in_bytes(ordered[0])}/s to {in_bytes(ordered[-1])}/s each way"
        of_each = [f"{counts[one]:,} of {in_bytes(one)}/s" for one in ordered]
        return f"links of {in_bytes(ordered[0])}/s each way" if len(of_each) == 1 else f"links: {', '.join(of_each)}"

    def busy(self, hop: Hop, load: Fraction) -> Fraction:
        """Return what links are compared by: the seconds that a load takes, else the load itself."""
        seconds = self.measured.time(hop, load) if self.by_time else None
        return load if seconds is None else seconds

    def hop(self, hop: Hop) -> str:
        """Return a link and its direction by the names of its ends."""
        return self.machine.path(hop)


def show(
    name: str, machine: Machine, placed: Sequence[int], placement: str, parts: Sequence[PhaseExchange] | None = None
) -> PlacedArray:
    """Walk every route of a placement and return what there is to show.

    Parameters
    ----------
    name
        Of the array or the instance.
    placed
        An accelerator's position for every leaf.
    placement
        Where that comes from, in words.
    parts
        What a plan's layers and boundaries exchange, by phase; None without a plan.

    Raises
    ------
    Refusal
        If the routes are too many or too long to be walked.
    """
    if parts is None:
        walked = walk(machine, placed)
        measured = weigh(machine, walked, [walked.partition.routes(h) for h in range(walked.levels)])
        return PlacedArray(name, machine, tuple(placed), placement, measured)
    traffic = traffic_of(machine, placed, parts)
    return PlacedArray(name, machine, tuple(placed), placement, traffic.in_all(), traffic)

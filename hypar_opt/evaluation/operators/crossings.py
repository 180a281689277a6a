"""What the exchanges of a plan put on the links of a graph, by walking every route from giver to taker."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.evaluation.links.routes import MOST_HOPS, length
from hypar_opt.evaluation.operators.exchanges import ExchangeWay, GroupExchange, exchanges
from hypar_opt.instance.hardware import routing_of
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.evaluation.operators.plan import OperatorPlan
    from hypar_opt.instance.hardware import Hop, Machine
    from hypar_opt.instance.operators import OperatorGraph
    from hypar_opt.instance.operators.standing import Standing
    from hypar_opt.util.partition import Partition

Pattern: TypeAlias = tuple[tuple[ExchangeWay, Fraction], ...]
"""The ways of an exchange, with what is received along each as a multiple of what is along the first."""


@dataclass(frozen=True)
class Crossed:
    """What an exchange that gives each taker a byte along its first way puts on the links.

    Parameters
    ----------
    hops
        Bytes times the links that they cross.
    loads
        Bytes by link and direction.
    seconds
        What the busiest link takes; None where a link has no bandwidth.
    joules
        What all links spend; None where a link has no energy.
    """

    hops: Fraction
    loads: Mapping[Hop, Fraction]
    seconds: Fraction | None
    joules: Fraction | None


class Walks:
    """The routes of devices that stand on a graph; each is walked when it is asked for, and once.

    Parameters
    ----------
    standing
        The graph, and where each device stands.
    partition
        The axes.
    """

    def __init__(self, standing: Standing, partition: Partition) -> None:
        self.standing, self.partition = standing, partition
        self._routing = routing_of(standing.machine)
        self._ways: dict[ExchangeWay, tuple[int, dict[Hop, int | Fraction]]] = {}
        self._patterns: dict[Pattern, Crossed] = {}
        self._room = MOST_HOPS

    def crossed(self, exchange: GroupExchange) -> tuple[Crossed, Fraction]:
        """Return what an exchange's pattern puts on the links, and how many times that the exchange does.

        Raises
        ------
        Refusal
            If the routes have too many hops to be walked.
        """
        amount = exchange.ways[0][1]
        pattern = tuple((way, one / amount) for way, one in exchange.ways)
        if pattern not in self._patterns:
            self._patterns[pattern] = self._measured(pattern)
        return self._patterns[pattern], amount

    def _measured(self, pattern: Pattern) -> Crossed:
        machine = self.standing.machine
        hops = Fraction(0)
        sums: dict[Hop, int | Fraction] = {}
        for way, amount in pattern:
            walked, crossings = self._walked(way)
            hops += walked * amount
            whole = amount.numerator if amount.denominator == 1 else amount
            for hop, count in crossings.items():
                sums[hop] = sums.get(hop, 0) + whole * count
        loads = {hop: Fraction(load) for hop, load in sums.items()}
        return Crossed(hops, loads, _seconds(machine, loads), _joules(machine, loads))

    def _walked(self, way: ExchangeWay) -> tuple[int, dict[Hop, int | Fraction]]:
        if way not in self._ways:
            sites, hops = self.standing.sites, 0
            crossings: dict[Hop, int | Fraction] = {}
            for giver, taker in way.pairs(self.partition):
                shares = self._routing.shares(sites[giver], sites[taker])
                hops += length(shares, sites[giver], sites[taker])
                for hop, share in shares.items():
                    crossings[hop] = crossings.get(hop, 0) + (1 if share == 1 else share)
            self._room -= hops
            if self._room < 0:
                raise Refusal(
                    f"the routes of these devices have more than {MOST_HOPS:,} hops, too many to walk; take fewer "
                    "devices, or the objective communication, which needs no routes"
                )
            self._ways[way] = hops, crossings
        return self._ways[way]


def _seconds(machine: Machine, loads: Mapping[Hop, Fraction]) -> Fraction | None:
    if any(link.bandwidth is None for link in machine.links):
        return None
    waits = (load / (machine.link_of[hop].bandwidth or 1) for hop, load in loads.items())
    return max(waits, default=Fraction(0))


def _joules(machine: Machine, loads: Mapping[Hop, Fraction]) -> Fraction | None:
    if any(link.energy is None for link in machine.links):
        return None
    return sum((load * (machine.link_of[hop].energy or 0) for hop, load in loads.items()), start=Fraction(0))


@dataclass(frozen=True)
class GraphLoads:
    """What a plan's exchanges put on the links of a graph.

    Parameters
    ----------
    machine
        The graph.
    parts
        Each exchange, what its pattern puts there, and how many times that.
    """

    machine: Machine
    parts: tuple[tuple[GroupExchange, Crossed, Fraction], ...]

    @property
    def hop_bytes(self) -> Fraction:
        """Every byte times the links that it crosses."""
        return sum((crossed.hops * times for _, crossed, times in self.parts), start=Fraction(0))

    @property
    def seconds(self) -> Fraction | None:
        """Of all exchanges, one after the other, each as long as its busiest link; None where that is not known."""
        if any(link.bandwidth is None for link in self.machine.links):
            return None
        return sum(((one.seconds or 0) * times for _, one, times in self.parts), start=Fraction(0))

    @property
    def busiest_seconds(self) -> Fraction | None:
        """What the link that has most to carry needs for all exchanges; None where a bandwidth is not known."""
        return _seconds(self.machine, self.loads)

    @property
    def joules(self) -> Fraction | None:
        """Of all links; None where that is not known."""
        if any(link.energy is None for link in self.machine.links):
            return None
        return sum(((one.joules or 0) * times for _, one, times in self.parts), start=Fraction(0))

    @cached_property
    def loads(self) -> Mapping[Hop, Fraction]:
        """Bytes of a step by link and direction; links that carry nothing are left out."""
        times: dict[int, Fraction] = {}
        known = {id(crossed): crossed for _, crossed, _ in self.parts}
        for _, crossed, amount in self.parts:
            times[id(crossed)] = times.get(id(crossed), Fraction(0)) + amount
        found: dict[Hop, Fraction] = {}
        for key, amount in times.items():
            for hop, load in known[key].loads.items():
                found[hop] = found.get(hop, Fraction(0)) + load * amount
        return found


def on_graph(graph: OperatorGraph, plan: OperatorPlan, walks: Walks) -> GraphLoads:
    """Return what a plan puts on the links of the graph that its devices stand on.

    Parameters
    ----------
    graph, plan
        Which plan of what; one without faults.
    walks
        The devices' routes.

    Raises
    ------
    Refusal
        If the routes have too many hops to be walked.
    """
    found = exchanges(graph, walks.partition, plan)
    return GraphLoads(walks.standing.machine, tuple((one, *walks.crossed(one)) for one in found))

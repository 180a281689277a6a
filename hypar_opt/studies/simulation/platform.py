"""What tasks run on: resources, the ways between them, and a clock on which every duration is whole."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.evaluation.links.routes import length
from hypar_opt.instance.hardware import Hop, Machine, routing_of
from hypar_opt.studies.simulation.tasks import Compute, TaskGraph, Transfer, WayKey, watched
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.formulation.run import Limits


Kind: TypeAlias = Literal["accelerator", "link", "memory"]
"""Of a resource."""


@dataclass(frozen=True, order=True)
class Resource:
    """Something that serves tasks: an accelerator one at a time, a link as many as its bandwidth suffices for.

    Parameters
    ----------
    kind
        What it is.
    nodes
        The accelerator, or the nodes that a link leads from and to.
    """

    kind: Kind
    nodes: tuple[int, ...]

    def name(self, machine: Machine) -> str:
        """Return what people call it."""
        names = machine.path(self.nodes)
        return f"memory of {names}" if self.kind == "memory" else names


@dataclass(frozen=True)
class Way:
    """What the bytes from one accelerator to another cross.

    Parameters
    ----------
    resources
        Positions of resources, from source to target.
    paces
        For each, how many ticks a unit of bytes keeps it; a divided route's link serves its share.
    lots
        For each, how much of its capacity a transfer at the pace of the slowest takes.
    """

    resources: tuple[int, ...]
    paces: tuple[int, ...]
    lots: tuple[int, ...]


@dataclass(frozen=True)
class Clock:
    """All durations of a simulation as integers.

    Parameters
    ----------
    unit
        Ticks a second.
    byte_unit
        Amounts are counted in 1 / byte_unit bytes.
    """

    unit: int
    byte_unit: int

    def ticks(self, seconds: Fraction) -> int:
        """Return a duration, which is a whole number of ticks."""
        return seconds.numerator * (self.unit // seconds.denominator)

    def units(self, amount: Fraction) -> int:
        """Return an amount, which is a whole number of its units."""
        return amount.numerator * (self.byte_unit // amount.denominator)

    def seconds(self, ticks: int) -> Fraction:
        """Return a time in seconds."""
        return Fraction(ticks, self.unit)


@dataclass(frozen=True)
class Platform:
    """Where the tasks of a graph run.

    Parameters
    ----------
    resources
        Accelerators first, then links, then memories, each in the order of their nodes.
    capacities
        Of each, in lots of its own size: 1 for an accelerator.
    accelerators
        By an accelerator's position in the array, its position among the resources.
    ways
        By source, target and the route that is given, if one is.
    clock
        In which every duration is whole.
    """

    resources: tuple[Resource, ...]
    capacities: tuple[int, ...]
    accelerators: Mapping[int, int]
    ways: Mapping[WayKey, Way]
    clock: Clock


FINDING: Final = "while routes were found"
"""What it is at, for whoever stops it."""


def field_of(
    graph: TaskGraph, machine: Machine, memory_bandwidth: Fraction | None = None, limits: Limits | None = None
) -> Platform:
    """Find the routes of all transfers and one tick in which all durations are whole.

    Raises
    ------
    InputError
        If a link on a route has no bandwidth.
    ValueError
        If a task runs on an accelerator that is not there.
    SimulationStopped
        If the limits are over before the end.
    """
    _check_sites(graph, machine)
    paces = _paces(graph, machine, memory_bandwidth, limits)
    sites = {task.accelerator for task in graph.tasks if isinstance(task, Compute)}
    crossed = {resource for found in paces.values() for resource in found}
    resources = tuple(sorted({Resource("accelerator", (site,)) for site in sites} | crossed))
    position = {resource: number for number, resource in enumerate(resources)}
    byte_unit = _denominator(task.amount for task in graph.tasks if isinstance(task, Transfer))
    per_byte = _denominator(pace for found in paces.values() for pace in found.values())
    of_computing = _denominator(task.seconds for task in graph.tasks if isinstance(task, Compute))
    of_latency = _denominator(task.latency for task in graph.tasks if isinstance(task, Transfer))
    unit = lcm(of_computing, of_latency, byte_unit * per_byte)
    capacities = _capacities(resources, watched(paces.values(), limits, FINDING))
    ways = {
        pair: Way(
            tuple(position[resource] for resource in found),
            tuple(int(pace * (unit // byte_unit)) for pace in found.values()),
            tuple(int(part * capacities[resource]) for resource, part in _parts(found).items()),
        )
        for pair, found in watched(paces.items(), limits, FINDING)
    }
    accelerators = {site: position[Resource("accelerator", (site,))] for site in sites}
    return Platform(resources, tuple(capacities.values()), accelerators, ways, Clock(unit, byte_unit))


def _parts(paces: Mapping[Resource, Fraction]) -> dict[Resource, Fraction]:
    """Return which part of each resource a transfer takes that is as fast as the slowest of them lets it be."""
    slowest = max(paces.values(), default=Fraction(1))
    return {resource: pace / slowest for resource, pace in paces.items()}


def _capacities(resources: Iterable[Resource], ways: Iterable[Mapping[Resource, Fraction]]) -> dict[Resource, int]:
    """Return for every resource a number of lots in which all parts that are taken of it are whole."""
    found = dict.fromkeys(resources, 1)
    for paces in ways:
        for resource, part in _parts(paces).items():
            found[resource] = lcm(found[resource], part.denominator)
    return found


def _check_sites(graph: TaskGraph, machine: Machine) -> None:
    count = len(machine.accelerators)
    for number, task in enumerate(graph.tasks):
        sites = (task.accelerator,) if isinstance(task, Compute) else (task.source, task.target)
        wrong = next((site for site in sites if not 0 <= site < count), None)
        if wrong is not None:
            raise ValueError(f"task {number} ({task.name}) runs on accelerator {wrong}, there are {count:,} from 0")


def _paces(
    graph: TaskGraph, machine: Machine, memory_bandwidth: Fraction | None, limits: Limits | None
) -> dict[WayKey, dict[Resource, Fraction]]:
    """Return for every way what is crossed, in order, and how many seconds a byte keeps it."""
    routing = routing_of(machine)
    found: dict[WayKey, dict[Resource, Fraction]] = {}
    for task in watched(graph.tasks, limits, FINDING, every=16):  # a route can be long, and divided
        if isinstance(task, Transfer) and task.way not in found:
            shares = dict.fromkeys(pairwise(task.route), Fraction(1)) or routing.shares(task.source, task.target)
            length(shares, task.source, task.target)
            on_links = {Resource("link", hop): share * _pace(machine, hop) for hop, share in shares.items()}
            found[task.way] = _between_memories(task, on_links, memory_bandwidth)
    return found


def _between_memories(
    task: Transfer, on_links: dict[Resource, Fraction], bandwidth: Fraction | None
) -> dict[Resource, Fraction]:
    if bandwidth is None or not on_links:
        return on_links
    first, last = Resource("memory", (task.source,)), Resource("memory", (task.target,))
    return {first: Fraction(1) / bandwidth, **on_links, last: Fraction(1) / bandwidth}


def _pace(machine: Machine, hop: Hop) -> Fraction:
    """Return the seconds that a byte keeps a link; its latency is not charged, as in the analytic model."""
    bandwidth = machine.link_of[hop].bandwidth
    if bandwidth is None:
        ends = " and ".join(f"'{machine.names[node]}'" for node in hop)
        raise InputError(f"the link between {ends} has none, expected bytes a second", field="array.link.bandwidth")
    return Fraction(1) / bandwidth


def _denominator(numbers: Iterable[Fraction]) -> int:
    return lcm(*{number.denominator for number in numbers})

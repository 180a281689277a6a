"""From a task graph and an array to resources, ways and a clock on which every duration is whole."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.links.routes import length
from hypar_opt.instance.hardware import Hop, Machine, routing_of
from hypar_opt.studies.simulation.interruption import watched
from hypar_opt.studies.simulation.resources import Clock, Platform, Resource, Way
from hypar_opt.studies.simulation.tasks import Compute, TaskGraph, Transfer
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypar_opt.formulation.run import Limits

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
    unit = lcm(of_computing, byte_unit * per_byte)
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
) -> dict[tuple[int, int], dict[Resource, Fraction]]:
    """Return for every source and target what is crossed, in order, and how many seconds a byte keeps it."""
    routing = routing_of(machine)
    found = {}
    for task in watched(graph.tasks, limits, FINDING, every=16):  # a route can be long, and divided
        if isinstance(task, Transfer) and (task.source, task.target) not in found:
            shares = routing.shares(task.source, task.target)
            length(shares, task.source, task.target)
            on_links = {Resource("link", hop): share * _pace(machine, hop) for hop, share in shares.items()}
            found[task.source, task.target] = _between_memories(task, on_links, memory_bandwidth)
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

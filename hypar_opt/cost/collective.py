"""From a collective to the graph that formulations of its schedules read."""

from __future__ import annotations

from fractions import Fraction
from math import lcm, prod
from typing import TYPE_CHECKING

from hypar_opt.cost.collective_shifts import shifts_of
from hypar_opt.costgraph.collective import CollectiveGraph, CollectiveLink, Demand

if TYPE_CHECKING:
    from hypar_opt.instance.collective import CollectiveInstance
    from hypar_opt.instance.hardware import Link


def compile_collective(instance: CollectiveInstance) -> CollectiveGraph:
    """Return the graph.

    A link carries in a synchronous step as many chunks as its bandwidth is times that of the slowest link, rounded
    down. Times are exact in units of 1 over the least common multiple of their denominators.
    """
    machine, bytes_ = instance.machine, instance.chunk_bytes
    known = [link.bandwidth for link in machine.links if link.bandwidth is not None]
    slowest = min(known, default=Fraction(1))
    transfers = [_transfer(link, bytes_) if instance.is_timed else Fraction(0) for link in machine.links]
    latencies = [link.latency for link in machine.links]
    unit = lcm(1, *(number.denominator for number in (*transfers, *latencies)))
    links = tuple(
        CollectiveLink(ends, (link.bandwidth or slowest) // slowest, int(latency * unit), int(transfer * unit))
        for link, latency, transfer in zip(machine.links, latencies, transfers, strict=True)
        for ends in (link.ends, link.ends[::-1])
    )
    demands = tuple(Demand(chunk.sources, chunk.targets) for chunk in instance.chunks)
    of_steps = instance.goal in ("steps", "rounds")
    return CollectiveGraph(
        len(machine.accelerators), len(machine.switches), links, demands, instance.goal, instance.steps,
        1 if of_steps else unit, instance.goal == "time" and instance.messages == "joined", shifts_of(machine),
        machine.dims if prod(machine.dims) == len(machine.accelerators) else (),
    )  # fmt: skip


def _transfer(link: Link, bytes_: Fraction) -> Fraction:
    assert link.bandwidth is not None
    return bytes_ / link.bandwidth

"""Whether sends are along links, take as long as these need, and are no more at a time than these carry."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.faults import ScheduleFault, said
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.instance.collective import CollectiveInstance, Moment, Send, SendSchedule


@dataclass(frozen=True)
class LinkUse:
    """What the links of a collective's array can do.

    Parameters
    ----------
    instance
        Whose.
    """

    instance: CollectiveInstance

    @cached_property
    def messages(self) -> Mapping[tuple[int, int], int]:
        """By (from, to), chunks in a synchronous step: the bandwidth over that of the slowest link, rounded down."""
        links = self.instance.machine.link_of
        slowest = min((link.bandwidth for link in links.values() if link.bandwidth is not None), default=1)
        return {hop: 1 if link.bandwidth is None else link.bandwidth // slowest for hop, link in links.items()}

    def transfer(self, hop: tuple[int, int]) -> Fraction:
        """Return the seconds that a chunk's bytes take on a link whose bandwidth is known."""
        bandwidth = self.instance.machine.link_of[hop].bandwidth
        assert bandwidth is not None
        return self.instance.chunk_bytes / bandwidth

    def seconds(self, route: Sequence[int], chunks: int) -> Fraction:
        """Return what a message of so many chunks takes at least: all latencies, and its bytes on the slowest link."""
        return self.latency(route) + chunks * max(map(self.transfer, pairwise(route)))

    def latency(self, route: Sequence[int]) -> Fraction:
        """Return the seconds of a message on all links of a route, besides its bytes."""
        return sum((self.instance.machine.link_of[hop].latency for hop in pairwise(route)), start=Fraction(0))


def fault_of_links(use: LinkUse, schedule: SendSchedule) -> ScheduleFault | None:
    """Return the first thing that is wrong with sends by themselves, or with what links carry of them."""
    return next(_faults(use, schedule), None)


def _faults(use: LinkUse, schedule: SendSchedule) -> Iterator[ScheduleFault]:
    for send in schedule.sends:
        wrong = _route_fault(use.instance, send)
        if wrong is not None:
            yield ScheduleFault("route", f"{said(use.instance, send)}: {wrong}")
    yield from (_seconds_faults if use.instance.goal == "time" else _steps_faults)(use, schedule)


def _route_fault(instance: CollectiveInstance, send: Send) -> str | None:
    machine, route = instance.machine, send.route
    accelerators = len(machine.accelerators)
    if len(route) < 2:
        return "expected a way from one accelerator to another"
    for place, node in enumerate(route):
        at_end = place in (0, len(route) - 1)
        if at_end and node >= accelerators:
            return f"{machine.names[node]} is a switch, and only accelerators hold chunks"
        if not at_end and node < accelerators:
            return f"{machine.names[node]} is an accelerator, which takes a chunk first and then passes it on"
    missing = next((hop for hop in pairwise(route) if hop not in machine.link_of), None)
    return None if missing is None else f"there is no link {machine.path(missing)}"


def _steps_faults(use: LinkUse, schedule: SendSchedule) -> Iterator[ScheduleFault]:
    instance = use.instance
    carried: dict[tuple[Moment, tuple[int, int]], list[Send]] = {}
    for send in schedule.sends:
        if send.end.denominator != 1 or send.end < 1 or send.begin != send.end - 1:
            yield ScheduleFault("when", f"{said(instance, send)}: steps are whole, from 1")
        if instance.steps is not None and send.end > instance.steps:
            yield ScheduleFault("when", f"{said(instance, send)}: there may be {instance.steps:,} steps")
        for hop in pairwise(send.route):
            carried.setdefault((send.end, hop), []).append(send)
    if instance.goal == "rounds":
        return
    for step, hop in sorted(key for key, sends in carried.items() if len(sends) > use.messages[key[1]]):
        sends = carried[step, hop]
        names = ", ".join(shown(instance.chunks[send.chunk].name) for send in sends[:4])
        text = f"{instance.machine.path(hop)} carries {len(sends):,} chunks in step {step}, and {use.messages[hop]}"
        yield ScheduleFault("link-capacity", f"{text} can be: {names}")


def _seconds_faults(use: LinkUse, schedule: SendSchedule) -> Iterator[ScheduleFault]:
    instance = use.instance
    last: dict[tuple[int, int], Send] = {}
    for together in _messages(use, schedule):
        send = together[0]
        needs = use.seconds(send.route, len(together))
        if send.begin < 0 or send.end - send.begin < needs:
            of = f", of a message of {len(together):,} chunks" if len(together) > 1 else ""
            yield ScheduleFault("when", f"{said(instance, send)}: expected at least {needs} s from 0 s on{of}")
        for hop in pairwise(send.route):
            before = last.get(hop)
            if before is not None and before.end > send.begin:
                text = f"{instance.machine.path(hop)} is busy with {shown(instance.chunks[before.chunk].name)}"
                yield ScheduleFault("link-capacity", f"{said(instance, send)}: {text} until {before.end} s")
            last[hop] = send


def _messages(use: LinkUse, schedule: SendSchedule) -> list[list[Send]]:
    """Return the sends of every message, in the order of their begins.

    Where messages are joined these are all with one route, begin and end, else each send is one.
    """
    if use.instance.messages == "single":
        return [[send] for send in sorted(schedule.sends, key=lambda one: one.begin)]
    found: dict[tuple[object, ...], list[Send]] = {}
    for send in sorted(schedule.sends, key=lambda one: one.begin):
        found.setdefault((send.route, send.begin, send.end), []).append(send)
    return list(found.values())

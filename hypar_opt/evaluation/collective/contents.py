"""Who holds what of each chunk when, and whether everyone has at the end what it has to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.evaluation.collective.faults import ScheduleFault, said
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from hypar_opt.instance.collective import Chunk, CollectiveInstance, Moment, Send, SendSchedule


def fault_of_contents(instance: CollectiveInstance, schedule: SendSchedule) -> ScheduleFault | None:
    """Return the first thing that is wrong with what is sent, chunk by chunk; or None."""
    of_chunk: list[list[Send]] = [[] for _ in instance.chunks]
    for send in schedule.sends:
        of_chunk[send.chunk].append(send)
    for chunk, sends in zip(instance.chunks, of_chunk, strict=True):
        holders = _Holders(instance, chunk)
        found = holders.fault_of(sends) or holders.lacking()
        if found is not None:
            return found
    return None


class _Holders:
    """Who holds what of a chunk: by accelerator, whose contributions are in it."""

    def __init__(self, instance: CollectiveInstance, chunk: Chunk) -> None:
        self.instance = instance
        self.chunk = chunk
        self.held: dict[int, frozenset[int]] = {source: frozenset((source,)) for source in chunk.sources}

    def fault_of(self, sends: list[Send]) -> ScheduleFault | None:
        """Play the sends: at every time first all that arrive, then all that leave."""
        arriving: dict[Moment, list[tuple[Send, frozenset[int]]]] = {}
        waiting = sorted(sends, key=lambda one: one.begin, reverse=True)
        while waiting or arriving:
            now = min([*arriving, *(one.begin for one in waiting[-1:])])
            together = arriving.pop(now, [])
            wrong = self._mixed(together)
            if wrong is not None:
                return wrong
            for send, payload in sorted(together, key=lambda one: len(one[1])):
                wrong = self._arrive(send, payload)
                if wrong is not None:
                    return wrong
            while waiting and waiting[-1].begin == now:
                send = waiting.pop()
                sent = self.held.get(send.route[0])
                if sent is None:
                    name = self.instance.machine.names[send.route[0]]
                    return ScheduleFault("not-there", f"{said(self.instance, send)}: {name} has nothing of it yet")
                arriving.setdefault(send.end, []).append((send, sent))
        return None

    def _mixed(self, together: list[tuple[Send, frozenset[int]]]) -> ScheduleFault | None:
        """Return what is wrong if something is added at the very time at which something takes the place of it all.

        What an accelerator had then would depend on which of the two is first.
        """
        replaced = {send.route[-1] for send, _ in together if not send.adds}
        added = next((send for send, _ in together if send.adds and send.route[-1] in replaced), None)
        if added is None:
            return None
        where = self.instance.machine.names[added.route[-1]]
        text = f"{said(self.instance, added)}: is added while something else takes the place of what {where} has"
        return ScheduleFault("overwritten", text)

    def _arrive(self, send: Send, payload: frozenset[int]) -> ScheduleFault | None:
        """Take what arrives."""
        names, node = self.instance.machine.names, send.route[-1]
        before = self.held.get(node, frozenset())
        if send.adds and before & payload:
            whose = names[min(before & payload)]
            text = f"{said(self.instance, send)}: {whose}'s contribution is in what {names[node]} has already"
            return ScheduleFault("added-twice", text)
        if not send.adds and before - payload:
            whose = names[min(before - payload)]
            text = f"{said(self.instance, send)}: takes the place of what has {whose}'s contribution, and lacks it"
            return ScheduleFault("overwritten", text)
        self.held[node] = before | payload
        return None

    def lacking(self) -> ScheduleFault | None:
        """Return who lacks what at the end."""
        names, whole = self.instance.machine.names, frozenset(self.chunk.sources)
        for target in self.chunk.targets:
            found = self.held.get(target, frozenset())
            if found != whole:
                lacks = f"has no contribution of {names[min(whole - found)]}" if found else "has nothing of it"
                text = f"chunk {shown(self.chunk.name)}: at the end {names[target]} {lacks}"
                return ScheduleFault("incomplete", text)
        return None

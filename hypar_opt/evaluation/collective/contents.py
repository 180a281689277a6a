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
            wrong = self._mixed(together) if len(together) > 1 else None
            if wrong is not None:
                return wrong
            for send, payload in together:
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
        """Return what is wrong where what an accelerator has would depend on which of those that arrive is first.

        Either all of them are added, or all are the same and take the place of what is there.
        """
        first: dict[int, tuple[Send, frozenset[int]]] = {}
        for send, payload in together:
            other, same = first.setdefault(send.route[-1], (send, payload))
            if send.adds == other.adds and (send.adds or payload == same):
                continue
            has = f"the place of what {self.instance.machine.names[send.route[-1]]} has"
            if send.adds != other.adds:
                text = f"{said(self.instance, send if send.adds else other)}: is added while something else takes {has}"
            else:
                text = f"{said(self.instance, send)}: takes {has} while something else does that is not the same"
            return ScheduleFault("overwritten", text)
        return None

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
